"""The state of a config, of a model of ours by name or in a folder, or of a model object.

Configs are counted by formula, which needs neither torch nor transformers; a config without a formula is measured.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from separatrix.arithmetic.format import stored_bits
from separatrix.errors import BadInput
from separatrix.state import StateBytes, UnknownFamily, config_state
from separatrix.state.fields import whole_number
from separatrix.state.reading import read_json
from separatrix.state.report import LayerState

if TYPE_CHECKING:
    from collections.abc import Collection


class Model(Protocol):
    """The part of a model of ours that is needed here."""

    def state_bits(self, length: int, dtype: str = "float32") -> int:
        """Bits that cross the cut after `length` tokens."""
        ...


def state_bytes(config: Mapping[str, Any] | str | Path | Model, length: int, dtype: str | None = None, batch: int = 1) -> StateBytes:
    """The bytes that cross the cut between two tokens: of a config (a dictionary or a path), or of a model of ours."""
    if not isinstance(config, Mapping | str | Path):
        return _of_model(config, type(config).__name__, length, dtype, batch)
    document = config if isinstance(config, Mapping) else read_json(config)
    try:
        return config_state(document, length, dtype, batch)
    except UnknownFamily as unknown:
        from separatrix.runs.measured_state import measured_state

        try:
            return measured_state(document, length, dtype, batch)
        except BadInput as error:
            raise BadInput(f"{unknown}; and it cannot be measured: {error}") from error


def state_of(place: str, length: int, dtype: str | None = None, batch: int = 1, code: Collection[str] = ()) -> StateBytes:
    """The state of what the command line names: a config or its folder, a run, a built folder, a model by name, an id on the hub."""
    document = config_at(place)
    if document is not None:
        return state_bytes(document, length, dtype, batch)
    whole_number(length, "length", 0)
    return _of_model(_our_model(place, length, code), place, length, dtype, batch)


def measured_beside_formula(
    document: Mapping[str, Any], length: int, dtype: str | None = None, batch: int = 1
) -> tuple[StateBytes, StateBytes | None]:
    """The state measured on the meta device, and the state by formula, if there is one.

    If both agree, the formula's layers explain the measurement.
    """
    from separatrix.runs.measured_state import measured_state

    try:
        counted = config_state(document, length, dtype, batch)
    except UnknownFamily:
        return measured_state(document, length, dtype, batch), None
    measured = measured_state(document, length, dtype, batch)
    if measured.held != counted.held:
        return measured, counted
    return replace(counted, engine=measured.engine, allocated=measured.allocated), counted


def config_at(place: str) -> Mapping[str, Any] | None:
    """The config at a place, or None if the place is a model of ours."""
    path = Path(place)
    if path.suffix == ".json" or (path / "config.json").is_file():
        return read_json(path)
    looks_like_id = place.count("/") == 1 and not place.startswith((".", "/")) and ":" not in place
    return _from_hub(place) if looks_like_id and not path.exists() else None


def _our_model(place: str, length: int, code: Collection[str]) -> Model:
    """A model in a folder, or a fresh one by name: training does not change the size of its state."""
    folder = Path(place)
    if folder.is_dir():
        if not any((folder / name).is_file() for name in ("run.json", "claim.json")):
            raise BadInput(
                f"{place!r} holds no model: expected config.json (Hugging Face), run.json (a run) or claim.json (a built folder)"
            )
        from separatrix.runs.load import load_model

        stored: Model = load_model(place, None, code)  # type: ignore[assignment]
        return stored
    from separatrix.models import model_for

    sizes = {"vocabulary": 2, "targets": 2, "length": length, "seed": 0}
    fresh: Model = model_for(place, sizes, {})  # type: ignore[assignment]
    return fresh


def _of_model(model: Model, name: str, length: int, dtype: str | None, batch: int) -> StateBytes:
    """The state of a model of ours, which carries only what it needs."""
    from separatrix import __version__

    whole_number(length, "length", 0)
    whole_number(batch, "batch", 1)
    if not hasattr(model, "state_bits"):
        raise BadInput(f"{name} does not declare the size of its state: expected a model with state_bits(length, dtype)")
    number_type = dtype or "float32"
    rows = tuple(_layers_of_model(model, length, number_type, batch))
    total = sum(row.held for row in rows)
    return StateBytes(f"separatrix {__version__}", number_type, length, total, total, total, rows, batch)


def _layers_of_model(model: Model, length: int, dtype: str, batch: int) -> Iterator[LayerState]:
    """What each layer that mixes carries, in whole bytes; one row for a model that only declares its sum."""
    times = f", {batch} times" if batch > 1 else ""
    if not hasattr(model, "each_layer"):
        bits = model.state_bits(length, dtype)
        held = batch * math.ceil(bits / 8)
        yield LayerState(0, "state", held, held, f"state_bits({length}, {dtype}) = {bits} bits{times}")
        return
    model.state_bits(length, dtype)  # refuses what has no state
    each = stored_bits(dtype)
    for index, layer in enumerate(model.each_layer()):
        mixer = layer.mixer
        bits = 0 if mixer is None else mixer.state_bits(length, each)
        held = batch * math.ceil(bits / 8)
        kind = "none" if mixer is None else getattr(mixer.config, "kind", "state") if hasattr(mixer, "config") else _kind(mixer)
        yield LayerState(index, kind, held, held, f"{_counted_numbers(mixer, length, bits, each)} = {bits:,} bits{times}")


def _counted_numbers(mixer: Any, length: int, bits: int, each: int) -> str:
    """The numbers that cross, as the mixer itself counts them."""
    if mixer is None:
        return "no mixer"
    cut = mixer.cut(length)
    if bits != each * mixer.state_numbers(length):
        return f"{mixer.state_numbers(length):,} bits"  # registers are bits in any number type
    parts = [f"{cut.numbers:,} numbers * {each}"] if cut.numbers else []
    parts += [f"{cut.tokens:,} tokens * {cut.numbers_each:,} numbers * {each}"] if cut.tokens else []
    return " + ".join(parts) or "nothing"


def _kind(mixer: Any) -> str:
    """The name of a mixer without a configuration of its own: torch's cells."""
    return type(mixer).__name__.lower()


def _from_hub(name: str) -> Mapping[str, Any]:
    """The config of an id on the hub: from the local cache, or by one request if the hub can be reached."""
    try:
        hub, utils = import_module("huggingface_hub"), import_module("huggingface_hub.utils")
    except ImportError as error:
        raise BadInput(f"no such config: {name!r}; to look it up on the hub, pip install 'separatrix[hf]'") from error
    try:
        cached = hub.try_to_load_from_cache(name, "config.json")
        if isinstance(cached, str):
            return read_json(cached)
        place, headers = hub.hf_hub_url(name, "config.json"), utils.build_hf_headers()
        answer = utils.get_session().get(place, headers=headers, timeout=10, follow_redirects=True)
        utils.hf_raise_for_status(answer)
        document = answer.json()
    except Exception as error:  # no network, no such id, or no permission
        reason = " ".join(str(error).split())[:120]
        raise BadInput(f"no such config: {name!r}, neither a file nor readable from the hub ({type(error).__name__}: {reason})") from error
    if not isinstance(document, dict):
        raise BadInput(f"{name!r} on the hub is not a config: expected a JSON object, found {type(document).__name__}")
    return document
