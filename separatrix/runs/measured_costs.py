"""What one token costs a config: its products, counted on the meta device, and the numbers that it stores.

[hf] transformers must be installed. Products of matrices and convolutions are counted, two operations for each weight; what a recurrent
layer does number by number is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from separatrix.errors import BadInput
from separatrix.runs.measured_state import meta_model, quietly, state_after


@dataclass(frozen=True)
class Costs:
    """Operations of the token after some others, and the parameters of the model."""

    operations: int
    parameters: int


def measured_costs(document: Mapping[str, Any], tokens: int, dtype: str) -> Costs:
    """Of the token after `tokens` others, read with the state that those leave behind."""
    try:
        import torch
        import transformers
        from torch.utils.flop_counter import FlopCounterMode
    except ImportError as error:
        raise BadInput("measuring needs transformers: pip install 'separatrix[hf]'") from error
    with quietly(transformers), torch.no_grad():
        try:
            model = meta_model(document, getattr(torch, dtype))
            state = state_after(model, tokens) if tokens else {}
            counter = FlopCounterMode(display=False)
            with counter:
                model(input_ids=torch.zeros((1, 1), dtype=torch.long, device="meta"), use_cache=True, **state)
        except Exception as error:  # anything that a strange config makes the engine raise
            reason = " ".join(str(error).split())[:200]
            raise BadInput(f"transformers {transformers.__version__} cannot run this config: {type(error).__name__}: {reason}") from error
    return Costs(int(counter.get_total_flops()), sum(parameter.numel() for parameter in model.parameters()))
