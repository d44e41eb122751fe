"""The state of a config, measured: the model is built on the meta device, without weights or memory, and run once.

[hf] transformers must be installed. Only classes of transformers itself are built; code that a config refers to is never run.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separatrix.errors import BadInput
from separatrix.state.fields import whole_number
from separatrix.state.reading import chosen_dtype, read_config
from separatrix.state.report import LayerState, StateBytes

if TYPE_CHECKING:
    import torch

OUTPUTS = ("past_key_values", "cache_params", "state", "rnn_state")  # the names under which a model returns its state
CLOCKS = ("_sliding_window_tensor", "cumulative_length", "seqlen_offset", "indexer_cumulative_length")  # positions and constants, not state
ON_MODULES = ("recurrent_states", "conv1d_state")  # state that a model stores on its own layers
MARK = "measured on the meta device, no formula: needed is at most what is held"
NOT_STATE = ("auto_map", "quantization_config")  # third-party code, and how weights are stored


def measured_state(document: Mapping[str, Any], length: int, dtype: str | None = None, batch: int = 1) -> StateBytes:
    """The bytes of the tensors that one call on `length` tokens leaves behind."""
    whole_number(length, "length", 1)
    whole_number(batch, "batch", 1)
    name, assumed = chosen_dtype(dtype, read_config(document))
    try:
        import torch
        import transformers
    except ImportError as error:
        raise BadInput("measuring needs transformers: pip install 'separatrix[hf]'") from error
    if document["model_type"] not in transformers.CONFIG_MAPPING:
        raise BadInput(f"transformers {transformers.__version__} does not know it either")
    with quietly(transformers):
        try:
            tensors = _run(document, length, batch, getattr(torch, name))
        except BadInput:
            raise
        except Exception as error:  # anything that a strange config makes the engine raise
            reason = " ".join(str(error).split())[:200]
            raise BadInput(f"transformers {transformers.__version__} cannot run this config: {type(error).__name__}: {reason}") from error
    return _report(tensors, f"transformers {transformers.__version__}", name, length, batch, assumed)


@contextmanager
def quietly(transformers: Any) -> Iterator[None]:
    """Silence the library's warnings about configs and its bars of progress, which go to the terminal."""
    before, bars = transformers.logging.get_verbosity(), transformers.logging.is_progress_bar_enabled()
    transformers.logging.set_verbosity(50)
    transformers.logging.disable_progress_bar()
    try:
        yield
    finally:
        transformers.logging.set_verbosity(before)
        if bars:
            transformers.logging.enable_progress_bar()


def _run(document: Mapping[str, Any], length: int, batch: int, dtype: torch.dtype) -> list[tuple[str, torch.Tensor]]:
    """Every tensor of the state after one call, with its place."""
    import torch

    model = meta_model(document, dtype)
    caches = state_after(model, length, batch)
    tensors = [pair for key, value in caches.items() for pair in _tensors(value, key)]
    for place, module in model.named_modules():
        tensors += [(f"{place}.{name}", value) for name in ON_MODULES if isinstance(value := getattr(module, name, None), torch.Tensor)]
    return _once(tensors)


def meta_model(document: Mapping[str, Any], dtype: torch.dtype) -> Any:
    """The language model of a config as transformers reads it, without memory."""
    from transformers import AutoConfig

    with tempfile.TemporaryDirectory() as folder:
        shape = {key: value for key, value in document.items() if key not in NOT_STATE}
        (Path(folder) / "config.json").write_text(json.dumps(shape), encoding="utf-8")
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
    return _model(config, dtype)


def state_after(model: Any, length: int, batch: int = 1) -> dict[str, Any]:
    """What one call on `length` tokens leaves behind, by the names under which the next call takes it."""
    import torch
    from transformers import DynamicCache

    tokens = torch.zeros((batch, length), dtype=torch.long, device="meta")
    caches = {}
    if model.config.get_text_config().model_type == "recurrent_gemma":  # it fills a cache but does not return it
        caches["past_key_values"] = DynamicCache(config=model.config)
    with torch.no_grad():
        output = model(input_ids=tokens, use_cache=True, **caches)
    return {**caches, **{key: output[key] for key in OUTPUTS if output.get(key) is not None}}


def _model(config: Any, dtype: torch.dtype) -> Any:
    """The language model of a config, without memory."""
    import torch
    from transformers import AutoModel, AutoModelForCausalLM, AutoModelForImageTextToText, AutoModelForMultimodalLM

    kinds: tuple[Any, ...] = (AutoModelForCausalLM, AutoModelForImageTextToText, AutoModelForMultimodalLM, AutoModel)
    options = {"dtype": dtype, "attn_implementation": "eager"}
    config._experts_implementation = "batched_mm"  # the other kernels for experts have no shapes on the meta device
    with torch.device("meta"):
        for kind in kinds:
            if type(config) in kind._model_mapping:
                return kind.from_config(config, **options).eval()
    raise BadInput(f"no model of transformers generates from model_type {config.model_type!r}")


def _tensors(value: Any, place: str, depth: int = 0) -> Iterator[tuple[str, torch.Tensor]]:
    """Every tensor inside a cache of any class."""
    import torch

    if isinstance(value, torch.Tensor):
        yield place, value
    elif depth > 8 or value is None or isinstance(value, str | int | float | type):
        return
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _tensors(entry, f"{place}[{key}]", depth + 1)
    elif isinstance(value, list | tuple):
        for i, entry in enumerate(value):
            yield from _tensors(entry, f"{place}[{i}]", depth + 1)
    elif type(value).__module__.startswith("transformers.") and not hasattr(value, "model_type"):
        for key, entry in vars(value).items():
            if key not in CLOCKS:
                yield from _tensors(entry, f"{place}.{key}", depth + 1)


def _once(tensors: list[tuple[str, torch.Tensor]]) -> list[tuple[str, torch.Tensor]]:
    """One tensor under two names counts once."""
    ids: set[int] = set()
    first = []
    for place, tensor in tensors:
        if id(tensor) not in ids:
            ids.add(id(tensor))
            first.append((place, tensor))
    return first


def _report(
    tensors: list[tuple[str, torch.Tensor]], engine: str, dtype: str, length: int, batch: int, notes: tuple[str, ...]
) -> StateBytes:
    """The report, layer by layer where the place of a tensor shows its layer."""
    total = sum(tensor.numel() * tensor.element_size() for _, tensor in tensors)
    if not total:
        raise BadInput(f"{engine} returns no state for this config: it has no cache, or it is not a decoder")
    layers: dict[int, list[str]] = {}
    sizes: dict[int, int] = {}
    for place, tensor in tensors:
        index = _layer_of(place)
        layers.setdefault(index, []).append(f"{place.rpartition('.')[2]} {list(tensor.shape)} {str(tensor.dtype).removeprefix('torch.')}")
        sizes[index] = sizes.get(index, 0) + tensor.numel() * tensor.element_size()
    rows = tuple(LayerState(i, "measured", sizes[i], sizes[i], ", ".join(layers[i]), (MARK,)) for i in sorted(layers))
    storages = {tensor.untyped_storage()._cdata: tensor.untyped_storage().nbytes() for _, tensor in tensors}
    return StateBytes(engine, dtype, length, total, total, sum(storages.values()), rows, batch, (MARK, *notes))


def _layer_of(place: str) -> int:
    """The layer in a place: the number in its first brackets, or after `layers.`."""
    for part in place.replace("[", ".").replace("]", "").split("."):
        if part.isdigit():
            return int(part)
    return 0
