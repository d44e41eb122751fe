"""Where nobody looks: an idle layer, a coordinate of the stream or of the state that nothing reads, with numbers at the ends of the format.

In real numbers none of them changes the model. A program that overflows on the way has nan all the same.
"""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np

from separatrix.checker.models.description import read_description
from separatrix.checker.models.mixers import read_mixer
from tests.fuzz.aimed.ends import ends, floats, largest, nudged, to_an_end
from tests.fuzz.aimed.subjects import Subject

Document = dict[str, Any]
MIXERS: tuple[Document, ...] = (  # small ones, of every kind that has an output of its own
    {"kind": "attention", "scores": "softmax", "mask": {"kind": "causal"}, "heads": 1, "key_width": 1, "value_width": 1, "scaled": False,
     "bias": False, "rotary": False},
    {"kind": "linear-attention", "heads": 1, "key_width": 2, "value_width": 1, "bias": False},
    {"kind": "linear-rnn", "state": 2},
    {"kind": "selective-rnn", "state": 2, "gates": "signed"},
    {"kind": "selective-rnn", "state": 2, "gates": "positive"},
    {"kind": "relu-rnn", "state": 2, "hidden": 2},
    {"kind": "rank-one", "state": 2, "factors": 1},
    {"kind": "rank-one", "state": 2, "factors": 2},
    {"kind": "pd", "state": 2, "tables": 2},
    {"kind": "mamba", "inner": 2, "state": 1, "convolution": 2, "rank": 1},
    {"kind": "mamba2", "heads": 2, "head_width": 1, "groups": 1, "state": 2, "convolution": 1},
    {"kind": "deltanet", "heads": 1, "key_width": 3, "value_width": 1, "convolution": 1, "negative": False},
    {"kind": "deltanet", "heads": 1, "key_width": 2, "value_width": 1, "convolution": 2, "negative": True},
    {"kind": "gated-deltanet", "heads": 1, "key_width": 3, "value_width": 1, "convolution": 1, "negative": True},
    {"kind": "deltaproduct", "heads": 1, "key_width": 2, "value_width": 1, "factors": 2},
    {"kind": "retnet", "heads": 1, "key_width": 2, "value_width": 1},
)  # fmt: skip
STATES = ("linear-rnn", "selective-rnn", "relu-rnn", "rank-one")  # whose state grows by a number at the end of each part
WITH_INITIAL = ("selective-rnn", "relu-rnn", "rank-one", "pd")
MODERATE = ("decay", "rate", "rate_bias", "share", "gate_bias")  # they pass through exp, or are cut off
CHOOSING = ("choice", "tables", "share", "rate", "gate", "gate_bias", "rate_bias", "select", "drive")
WRITING = ("embedding.table", "mixer.out", "mixer.out_bias", "feedforward.outer", "feedforward.outer_bias")


def idle(subject: Subject, rng: random.Random, _: tuple[Subject, ...], kinds: tuple[str, ...] = ()) -> Subject:
    """One more layer whose output is 0 in real numbers; a few of its tensors are at the ends of the format, the others moderate."""
    mixer = copy.deepcopy(rng.choice([each for each in MIXERS if not kinds or each["kind"] in kinds]))
    model, width = copy.deepcopy(subject.model), subject.model["width"]
    at = rng.randrange(len(model["layers"]) + 1)
    model["layers"].insert(at, {"mixer": mixer, "feedforward": None, "residual": True, "norm": "none"})
    tensors = {_moved(name, at): tensor for name, tensor in subject.tensors.items()}
    shapes = read_mixer(mixer, "mixer", width).shapes(width)
    extreme = set(rng.sample(sorted(set(shapes) - {"out"}), rng.choice((0, 1, 1, 2))))
    for name, shape in shapes.items():
        tensors[f"layers.{at}.mixer.{name}"] = np.zeros(shape) if name == "out" else _drawn(subject, rng, name, shape, name in extreme)
    return subject.having(tensors=tensors, model=model)


def idle_ends(subject: Subject, rng: random.Random, others: tuple[Subject, ...]) -> Subject:
    """In an idle layer, or in what it reads, a tensor, one of its rows or one of its columns close to an end of the format."""
    layers = [i for i in range(len(subject.model["layers"])) if _is_idle(subject, i)]
    if not layers:
        return idle(subject, rng, others)
    tensors = dict(subject.tensors)
    names = [name for name in floats(tensors) if name.startswith(f"layers.{rng.choice(layers)}.mixer.") and not name.endswith(".out")]
    name = rng.choice([*names, "embedding.table"])
    tensor, axis = tensors[name].copy(), rng.randrange(3)
    part: Any = ... if axis == 2 or tensor.ndim < 2 else (slice(None),) * axis + (rng.randrange(tensor.shape[axis]),)
    read = ends(subject)[0] - rng.randrange(4) - largest(tensors, ("embedding.table",)) - largest({"part": tensor[part]}, ("part",))
    by = rng.choice((rng.randint(-6, 6), to_an_end(subject, rng, (name,)), read))  # the last: the largest number times what it reads
    tensor[part] = np.ldexp(tensor[part], by)
    tensors[name] = tensor
    return subject.having(tensors=tensors)


def unread(subject: Subject, rng: random.Random, others: tuple[Subject, ...]) -> Subject:  # noqa: ARG001
    """One more coordinate of the stream, with extreme numbers, that nothing reads."""
    model, tensors = copy.deepcopy(subject.model), dict(subject.tensors)
    model["width"] += 1
    for place in [*model["embedding"]["places"], model["embedding"]["number_address"]]:
        if place is not None and not place["projected"]:
            place["dims"] += 1
    before, after = (read_description(each).shapes() for each in (subject.model, model))
    for name, shape in after.items():
        tensors[name] = _padded(tensors[name], before[name], shape, 1.0 if "norm" in name or "before_" in name else 0.0)
    written = [name for name in tensors if name.endswith(WRITING) or (name.startswith("embedding.places") and name.endswith(".weight"))]
    for name in rng.sample(written, rng.randint(1, min(2, len(written)))):
        last = np.moveaxis(tensors[name], 0 if ".mixer." in name or ".feedforward." in name else -1, 0)[-1:]
        last[...] = _numbers(subject, rng, last.shape, rng.random() < 0.8)
    for name in [each for each in tensors if each.endswith(("kernel.weight_ih_l0", "kernel.bias_ih_l0", "kernel.bias_hh_l0"))]:
        units = tensors[name].reshape(-1, model["width"], *tensors[name].shape[1:])  # gates, units, ..
        gate = rng.randrange(len(units))
        units[gate, -1] = _numbers(subject, rng, units[gate, -1].shape, rng.random() < 0.4)
    return subject.having(tensors=tensors, model=model)


def unread_state(subject: Subject, rng: random.Random, others: tuple[Subject, ...]) -> Subject:
    """One more number of a state, with an extreme beginning, that nothing reads; in an idle layer where no mixer has such a state."""
    chosen = [i for i, layer in enumerate(subject.model["layers"]) if (layer["mixer"] or {}).get("kind") in STATES]
    if not chosen:
        return initialised(idle(subject, rng, others, WITH_INITIAL), rng, others)
    model, tensors, i = copy.deepcopy(subject.model), dict(subject.tensors), rng.choice(chosen)
    mixer, width = model["layers"][i]["mixer"], model["width"]
    mixer["state"] += 1
    before, after = (read_mixer(each["layers"][i]["mixer"], "mixer", width).shapes(width) for each in (subject.model, model))
    blocks = mixer.get("factors", 1)
    for name, shape in after.items():
        full = f"layers.{i}.mixer.{name}"
        tensors[full] = _padded(tensors[full], before[name], shape, 0.0, blocks if name in ("moved", "read") else 1)
    for name in ("drive", "drive_bias", "gate", "gate_bias", "transition", "back", "moved", "read", "initial"):
        full = f"layers.{i}.mixer.{name}"
        if full in tensors and (name == "initial" or rng.random() < 0.4):
            tensors[full] = tensors[full].copy()
            tensors[full][-1:] = _numbers(subject, rng, tensors[full][-1:].shape, name == "initial" or rng.random() < 0.3)
    return subject.having(tensors=tensors, model=model)


def initialised(subject: Subject, rng: random.Random, others: tuple[Subject, ...]) -> Subject:
    """A number of an initial state at an end of the format, or a little off."""
    names = [name for name in subject.tensors if name.endswith(".mixer.initial")]
    if not names:
        return unread_state(subject, rng, others)
    tensors, name = dict(subject.tensors), rng.choice(names)
    tensors[name] = tensors[name].copy()
    tensors[name][rng.randrange(len(tensors[name]))] = float(_numbers(subject, rng, (1,), rng.random() < 0.8)[0])
    return subject.having(tensors=tensors)


def shut(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """One more address, with extreme numbers at one position, mostly the last; and sometimes the gate of some token at 0, or small."""
    if "embedding.gate" not in subject.tensors:
        return subject
    model, tensors, n = copy.deepcopy(subject.model), dict(subject.tensors), subject.model["length"]
    places = model["embedding"]["places"]
    places.append({"address": "table", "dims": 1, "extent": n, "shift": 0, "fold": 0, "pointers": 0, "projected": True})
    at, table = f"embedding.places.{len(places) - 1}", np.zeros((n, 1))
    table[n - 1 if rng.random() < 0.8 else rng.randrange(n)] = _numbers(subject, rng, (1,), True)
    weight = _numbers(subject, rng, (1, model["width"]), rng.random() < 0.7)
    tensors |= {f"{at}.address.table": table, f"{at}.weight": weight}
    if rng.random() < 0.3:
        tensors["embedding.gate"] = tensors["embedding.gate"].copy()
        tensors["embedding.gate"][rng.randrange(len(tensors["embedding.gate"]))] = rng.choice((0.0, 2.0**-20, 2.0**-100))
    return subject.having(tensors=tensors, model=model)


def undecided(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """What a choice or a gate reads of a token, or by which weight it reads it, moved by up to 1: close to where it turns over."""
    names = [name for name in floats(subject.tensors) if ".mixer." in name and name.split(".")[-1] in CHOOSING]
    if not names:
        return subject
    name, tensors = rng.choice(names), dict(subject.tensors)
    by = rng.choice((-1, 1)) * (rng.random() if rng.random() < 0.7 else 2.0 ** -rng.randint(1, 30))
    weight = tensors[name]
    read = np.flatnonzero(weight.any(axis=0)) if weight.ndim == 2 and weight.shape[1] == subject.model["width"] else []
    if len(read) and rng.random() < 0.7:
        table = tensors["embedding.table"].copy()
        table[rng.randrange(len(table)), int(rng.choice(read))] += by
        tensors["embedding.table"] = table
    else:
        tensors[name] = nudged(weight, rng, by)
    return subject.having(tensors=tensors)


def _is_idle(subject: Subject, i: int) -> bool:
    out = subject.tensors.get(f"layers.{i}.mixer.out")
    return out is not None and not out.any()


def _moved(name: str, at: int) -> str:
    """The name of a tensor after a layer was put in at `at`."""
    parts = name.split(".")
    if parts[0] == "layers" and int(parts[1]) >= at:
        parts[1] = str(int(parts[1]) + 1)
    return ".".join(parts)


def _drawn(subject: Subject, rng: random.Random, name: str, shape: tuple[int, ...], extreme: bool) -> Any:
    last = name.rsplit(".", maxsplit=1)[-1]
    if last in MODERATE and not (extreme and rng.random() < 0.3):
        return _signs(rng, shape) * rng.choice((0.0, 1.0, 6.0, 50.0, 80.0, 200.0))
    if name == "norm.weight" and not extreme:
        return np.ones(shape)
    return _numbers(subject, rng, shape, extreme)


def _numbers(subject: Subject, rng: random.Random, shape: tuple[int, ...], extreme: bool) -> Any:
    top, normal, least = ends(subject)
    exponent = rng.randint(-2, 2)
    if extreme:
        exponent = rng.choice((top, top, top // 2, top // 3, normal, least, rng.randint(least, top))) - rng.choice((0, 1, 1, 2, 3, 8, 24))
    with np.errstate(all="ignore"):
        return np.ldexp(_signs(rng, shape) * rng.choice((1.0, 1.0, 1.25, 1.9)), exponent)


def _signs(rng: random.Random, shape: tuple[int, ...]) -> Any:
    """-1, 0 and 1, of one sign or of both."""
    of = rng.choice(((0, 1), (1,), (-1, 1), (-1, 0, 0, 1)))
    return np.array([float(rng.choice(of)) for _ in range(int(np.prod(shape)))]).reshape(shape)


def _padded(tensor: Any, before: tuple[int, ...], after: tuple[int, ...], value: float, blocks: int = 0) -> Any:
    """One more number at the end of each axis that grew; where it grew by several, at the end of as many parts."""
    for axis, (old, new) in enumerate(zip(before, after, strict=True)):
        parts = blocks if blocks > 1 and axis == 0 else new - old
        if parts:
            split = np.moveaxis(tensor, axis, 0).reshape(parts, old // parts, -1)
            grown = np.pad(split, ((0, 0), (0, 1), (0, 0)), constant_values=value)
            rest = [size for i, size in enumerate(tensor.shape) if i != axis]
            tensor = np.moveaxis(grown.reshape(new, *rest), 0, axis)
    return np.ascontiguousarray(tensor)
