"""The class of a model, by its description alone: no name that an author gives it counts.

transformer-1-layer, transformer-2-layers, ..   attention, over whatever masks; layers without a mixer do not count
hard-attention, window, block-sparse            attention in all of whose layers the scores are hard, or the masks local
mixed-attention                                 hard scores in some layers and soft ones in others
hybrid                                          attention, and layers that are recurrent
lstm, linear-rnn, mamba, ..                     one kind of mixer, by that kind; `-negative` where its gates may change the sign of a state
recurrent                                       recurrent layers of several kinds
feed-forward                                    no mixer at all
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def architecture(model: Mapping[str, Any]) -> str:
    """The name of the class of a MODEL whose description was read, and so is well-formed."""
    mixers = [layer["mixer"] for layer in model["layers"] if layer["mixer"] is not None]
    attending = [mixer for mixer in mixers if mixer["kind"] == "attention"]
    kinds = {_kind(mixer) for mixer in mixers if mixer["kind"] != "attention"}
    if not attending:
        return "feed-forward" if not kinds else kinds.pop() if len(kinds) == 1 else "recurrent"
    return "hybrid" if kinds else _attention(attending)


def _attention(mixers: list[dict[str, Any]]) -> str:
    hard = [mixer["scores"] == "hard" for mixer in mixers]
    if any(hard):
        return "hard-attention" if all(hard) else "mixed-attention"
    masks = {mixer["mask"]["kind"] for mixer in mixers}
    if masks == {"window"}:
        return "window"
    if masks <= {"window", "block-sparse"}:
        return "block-sparse"
    return f"transformer-{len(mixers)}-layer{'s' * (len(mixers) > 1)}"


def _kind(mixer: dict[str, Any]) -> str:
    return f"{mixer['kind']}-negative" if mixer.get("negative") is True else str(mixer["kind"])
