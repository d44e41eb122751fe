"""One step each from a subject towards where checkers have failed: what a careful liar would try, drawn at random.

Many of them leave the function of the model as it is in real numbers, and move only the numbers by which it is computed.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tests.fuzz.aimed.ends import ends, floats, largest, nudged, scale, to_an_end
from tests.fuzz.aimed.subjects import SWITCHES, Subject
from tests.fuzz.aimed.unseen import idle, idle_ends, initialised, shut, undecided, unread, unread_state

Aim = Callable[[Subject, random.Random, tuple[Subject, ...]], Subject]
FORMATS = (
    "float32", "float64", "float64", "fixed:20,10", "fixed:40,16", "fixed:62,0", "fixed:80,16", "nearest:21", "float:11,1", "float:11,3",
    "float:8,2", "float:8,7", "float:5,10",
)  # fmt: skip
COUNTS = (1, 2, 3, 5, 8)
READERS = (
    "mixer.query",
    "mixer.key",
    "mixer.value",
    "mixer.drive",
    "mixer.gate",
    "mixer.into",
    "mixer.share",
    "mixer.choice",
    "mixer.moved",
    "mixer.read",
    "kernel.weight_ih_l0",
    "feedforward.inner",
    "feedforward.gate",
    "readout.weight",
)
WRITERS = ("mixer.out", "mixer.out_bias", "feedforward.outer", "feedforward.outer_bias")


def rescaled(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """One factor of a product up by a power of two to an end of the format, the other down as far as there is room."""
    pairs = _pairs(subject)
    if not pairs:
        return subject
    up, down = rng.choice(pairs)
    if rng.random() < 0.5:
        up, down = down, up
    tensors, top = dict(subject.tensors), ends(subject)[0]
    by = to_an_end(subject, rng, up)
    scale(tensors, up, by)
    scale(tensors, down, min(-by, top - 8 - largest(tensors, down)) if down else 0)
    return subject.having(tensors=tensors)


def crowned(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """One factor of a product up to just below the upper end of the format, where a sum of few has no room, the other down."""
    pairs = _pairs(subject)
    if not pairs:
        return subject
    up, down = rng.choice(pairs)
    if down and rng.random() < 0.5:
        up, down = down, up
    tensors, (top, least, _lowest) = dict(subject.tensors), ends(subject)
    by = rng.choice((top - rng.choice((0, 1, 2, 3)), rng.randint(0, top))) - largest(tensors, up)
    scale(tensors, up, by)
    scale(tensors, down, max(-by, least - largest(tensors, down)))
    return subject.having(tensors=tensors)


def stretched(subject: Subject, rng: random.Random, others: tuple[Subject, ...]) -> Subject:  # noqa: ARG001
    """One coordinate of the stream up or down: what is written to it by a power of two, what reads it by the inverse."""
    tensors, j = dict(subject.tensors), rng.randrange(subject.model["width"])
    top, normal, _ = ends(subject)
    by = rng.choice((top, normal, top // 2, normal // 2, rng.randint(normal, top))) + rng.choice((-30, -10, -4, 0, 4))
    for name, tensor in subject.tensors.items():
        axis = 1 if name.endswith(READERS) or name.startswith("embedding.") else 0
        written = name in ("embedding.table", "embedding.number.weight") or name.endswith(WRITERS) or _projected(name)
        if tensor.dtype.kind == "f" and (written or name.endswith(READERS)) and tensor.shape[axis % tensor.ndim] > j:
            tensors[name] = tensor.copy()
            part = (slice(None), j) if axis and tensor.ndim == 2 else j
            tensors[name][part] = np.ldexp(tensors[name][part], by if written else -by)
    return subject.having(tensors=tensors)


def _projected(name: str) -> bool:
    return name.startswith("embedding.places") and name.endswith(".weight") and "address" not in name


def multiplied(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """Two tensors of a layer with a product at the upper end of the format, or at the lower; others make up for it."""
    layer = rng.choice(_layers(subject))
    names = [name for name in layer if subject.tensors[name].dtype.kind == "f" and subject.tensors[name].any()]
    mixing = [name for name in names if ".mixer." in name]
    if len(names) < 2:
        return subject
    one, other = rng.sample(mixing if len(mixing) > 1 and rng.random() < 0.7 else names, 2)
    tensors, (top, normal, least) = dict(subject.tensors), ends(subject)
    goal = rng.choice((top, top, normal, least)) + rng.choice((-2, -1, 0, 1, 2, 4, 8, 16, 32))
    share = rng.random()
    first = round(goal * share) - largest(tensors, (one,))
    for name, by in ((one, first), (other, goal - round(goal * share) - largest(tensors, (other,)))):
        scale(tensors, (name,), by)
        for up, down in _pairs(subject):
            if name in up and down and (len(up) == 1 or set(up) <= {name, *(f"{n}_bias" for n in up)}) and rng.random() < 0.7:
                scale(tensors, down, -by)
    return subject.having(tensors=tensors)


def alone(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """One tensor, to an end or a little up or down."""
    name = rng.choice(floats(subject.tensors))
    tensors = dict(subject.tensors)
    scale(tensors, (name,), to_an_end(subject, rng, (name,)) if rng.random() < 0.5 else rng.randint(-6, 6))
    return subject.having(tensors=tensors)


def carried(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """A constant in one coordinate of the stream at every place, which later parts take away again: a large number beside small ones."""
    tensors, model = dict(subject.tensors), subject.model
    holders = [name for name in tensors if name.startswith("embedding.places") and name.endswith(".weight")] or ["embedding.table"]
    v = np.zeros(model["width"])
    v[rng.randrange(model["width"])] = 2.0 ** rng.choice((1, 3, 5, 6, 7, 10, 20, 24, 53, 60))
    name = rng.choice(holders)
    if name != "embedding.table" and model["embedding"]["places"][int(name.split(".")[2])]["address"] not in ("one-hot", "table"):
        name = "embedding.table"
    tensors[name] = tensors[name] + v
    for i, layer in enumerate(model["layers"]):
        at, mixer = f"layers.{i}.", layer["mixer"]
        moved = np.zeros_like(v)
        if mixer is not None and mixer["kind"] in ("attention", "linear-attention") and mixer["heads"] == 1:
            with np.errstate(all="ignore"):
                moved = tensors[f"{at}mixer.out"] @ (tensors[f"{at}mixer.value"] @ v)
        v = v + moved if layer["residual"] else moved
        if f"{at}feedforward.inner_bias" in tensors:
            tensors[f"{at}feedforward.inner_bias"] = tensors[f"{at}feedforward.inner_bias"] - tensors[f"{at}feedforward.inner"] @ v
            if layer["residual"] and rng.random() < 0.7:  # taken away here, not at the read-out
                tensors[f"{at}feedforward.outer_bias"] = tensors[f"{at}feedforward.outer_bias"] - v
                v = np.zeros_like(v)
            v = v if layer["residual"] else np.zeros_like(v)
    if "readout.bias" in tensors:
        tensors["readout.bias"] = tensors["readout.bias"] - tensors["readout.weight"] @ v
    return subject.having(tensors=tensors)


def raised(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """The same large number added to every logit, in a format that has room for it; sometimes a little more to one of them."""
    if "readout.bias" not in subject.tensors:
        return subject
    exponent, fraction = rng.choice((20, 30, 45, 52, 53, 59, 70, 100)), rng.choice((0, 4, 16))
    bias = subject.tensors["readout.bias"] + 2.0**exponent
    tensors = {**subject.tensors, "readout.bias": bias}
    if not subject.arithmetic.startswith("float"):
        subject = subject.modelled(arithmetic=f"fixed:{exponent + fraction + rng.choice((3, 8, 20))},{fraction}")
        for name in floats(tensors):
            tensors[name] = np.round(np.ldexp(tensors[name], fraction)) / 2.0**fraction
    if rng.random() < 0.6:
        name = rng.choice([each for each in floats(tensors) if "bias" in each])
        tensors[name] = nudged(tensors[name], rng, rng.choice((1.0, 2.0, 36.0, -36.0, 2.0**-10)))
    return subject.having(tensors=tensors)


def exchanged(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """Another layout of the tokens: the last symbols become numbers, or numbers lose their address; and values read an address."""
    e = copy.deepcopy(subject.model["embedding"])
    if not e["numbers"] or e["plain"] < 2 or e["number_address"] is None:
        return subject
    tensors, by = dict(subject.tensors), rng.choice((1, 1, 2))
    plain = e["plain"] - by
    if plain < 1:
        return subject
    shared = plain if rng.random() < 0.7 else e["plain"]
    tensors["embedding.table"] = np.concatenate([tensors["embedding.table"][:plain], tensors["embedding.table"][shared : shared + 1]])
    if e["gated"]:
        tensors["embedding.gate"] = np.concatenate([tensors["embedding.gate"][:plain], rng.choice((np.ones(1), np.zeros(1)))])
    e["number_address"]["shift"] += by if rng.random() < 0.8 else 0
    e["plain"], e["numbers"] = plain, e["numbers"] + by
    slot, readers = tensors["embedding.number.weight"].any(axis=0), ("value", "value", "value", "key", "query")
    name = f"layers.0.mixer.{rng.choice(readers)}"
    if name in tensors and rng.random() < 0.7:
        weight, row = tensors[name].copy(), rng.randrange(len(tensors[name]))
        weight[row, slot] += rng.choice((-1, 1)) * rng.choice((0.5, 1.0, 1.375, 2.0, 4.0)) / max(1, int(slot.sum()))
        tensors[name] = weight
    if rng.random() < 0.5 and "layers.0.mixer.query" in tensors:
        tensors["layers.0.mixer.query"] = tensors["layers.0.mixer.query"] * 8
    return subject.having(tensors=tensors).modelled(embedding=e)


def readdressed(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """An address of other integers: shifted, folded, or another kind of address with as many coordinates."""
    e = copy.deepcopy(subject.model["embedding"])
    chosen = [("embedding.number", e["number_address"])] if e["number_address"] else []
    chosen += [(f"embedding.places.{i}", place) for i, place in enumerate(e["places"])]
    if not chosen:
        return subject
    name, place = rng.choice(chosen)
    tensors, change = dict(subject.tensors), rng.randrange(4)
    if change == 0:
        place["shift"] += rng.choice((-2, -1, 1, 2, place["dims"]))
    elif change == 1:
        place["fold"] = rng.choice((0, 1, 2, 3, subject.model["length"]))
    elif change == 2 and not place["pointers"]:
        place["pointers"] = rng.choice((1, 2, subject.model["length"]))
        tensors[f"{name}.pointers"] = np.array([rng.randrange(0, subject.model["length"] + 2) for _ in range(place["pointers"])])
    else:
        for part in ("address.generator", "address.table"):
            tensors.pop(f"{name}.{part}", None)
        place["address"], place["extent"] = rng.choice(("one-hot", "table", "sign")), 0
        if place["address"] != "one-hot":
            place["extent"] = rng.choice((1, 2, subject.model["length"]))
        if place["address"] == "table":
            tensors[f"{name}.address.table"] = np.array(
                [[float(rng.choice((-1, 0, 1))) for _ in range(place["dims"])] for _ in range(place["extent"])]
            )
        elif place["address"] == "sign":
            bits = [[rng.randrange(2) for _ in range(place["extent"])] for _ in range(place["dims"])]
            tensors[f"{name}.address.generator"] = np.array(bits, dtype=np.uint8)
    return subject.having(tensors=tensors).modelled(embedding=e)


def crossed(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """A weight from a coordinate that a part does not read, or two rows or columns exchanged."""
    tensors = dict(subject.tensors)
    name = rng.choice([each for each in floats(tensors) if tensors[each].ndim == 2] or floats(tensors))
    if rng.random() < 0.6 or tensors[name].ndim < 2:
        tensors[name] = nudged(tensors[name], rng, rng.choice((-1, 1)) * 2.0 ** rng.randint(-24, 3))
    else:
        axis = rng.randrange(2)
        order = list(range(tensors[name].shape[axis]))
        i, j = rng.randrange(len(order)), rng.randrange(len(order))
        order[i], order[j] = order[j], order[i]
        tensors[name] = np.take(tensors[name], order, axis=axis)
    return subject.having(tensors=tensors)


def thinned(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """One logit raised until the margin is almost 0, or just below."""
    if "readout.bias" not in subject.tensors:
        return subject
    tensors, gap = dict(subject.tensors), rng.choice((0.25, 0.5, 1.0, 1.0, 2.0, 2.0, 4.0))
    off = rng.choice((-1, 1)) * 2.0 ** -rng.choice((3, 8, 12, 20, 22, 23, 24, 30, 50, 52)) if rng.random() < 0.9 else 0.0
    if rng.random() < 0.5:
        tensors["readout.bias"] = nudged(tensors["readout.bias"], rng, rng.choice((-1, 1)) * gap * (1 + off))
    else:
        down = rng.choice((1, 4, 10, 20, 22, 40, 50, 100, 140, 1000))
        for name in [each for each in tensors if each.startswith("readout.") and "norm" not in each]:
            tensors[name] = np.ldexp(tensors[name], -down)
    return subject.having(tensors=tensors)


def reformatted(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """The same weights in another number format, on its grid where it has one."""
    name = rng.choice(FORMATS)
    tensors = dict(subject.tensors)
    if name.startswith(("fixed", "nearest")):
        grain = int(name.partition(",")[2] or (int(name.partition(":")[2]) - 1) // 2)
        tensors |= {key: np.round(np.ldexp(tensors[key].astype(np.float64), grain)) / 2.0**grain for key in floats(tensors)}
    return subject.having(tensors=tensors).modelled(arithmetic=name)


def normed(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """A norm before the read-out or inside a layer, with weights of 1 or a power of two."""
    kind, tensors, model = rng.choice(("rms", "layer")), dict(subject.tensors), copy.deepcopy(subject.model)
    where = ["readout.norm"]
    if rng.random() < 0.5 and model["readout"]["norm"] == "none":
        model["readout"]["norm"] = kind
    else:
        i = rng.randrange(len(model["layers"]))
        layer = model["layers"][i]
        parts = [f"layers.{i}.before_{part}" for part, field in (("mixing", "mixer"), ("feedforward", "feedforward")) if layer[field]]
        where, layer["norm"] = parts, kind
    weight = np.ones(model["width"]) * 2.0 ** rng.choice((0, 0, 0, 10, -10, 60, 120))
    for name in where:
        tensors |= {f"{name}.weight": weight} | ({f"{name}.bias": np.zeros(model["width"])} if kind == "layer" else {})
    return subject.having(tensors=tensors, model=model)


def rescored(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """Attention with other scores, or scaled, with keys as wide as makes the scale a power of two, or not."""
    tensors, model = dict(subject.tensors), copy.deepcopy(subject.model)
    chosen = [i for i, layer in enumerate(model["layers"]) if layer["mixer"] and layer["mixer"]["kind"] == "attention"]
    if not chosen:
        return subject
    i = rng.choice(chosen)
    mixer, at = model["layers"][i]["mixer"], f"layers.{i}.mixer."
    if rng.random() < 0.5:
        mixer["scores"] = rng.choice(("hard", "softmax", "uniform"))
    if rng.random() < 0.6 and mixer["heads"] == 1 and not mixer["bias"]:
        width = max(mixer["key_width"], rng.choice((1, 2, 3, 4, 16, 64)))
        for name in ("query", "key"):
            tensors[at + name] = np.pad(tensors[at + name], ((0, width - mixer["key_width"]), (0, 0)))
        mixer.update(key_width=width, scaled=True)
    if rng.random() < 0.2:
        mixer["mask"] = {"kind": rng.choice(("all", "causal"))}
    return subject.having(tensors=tensors, model=model)


def disproved(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """The author's own proof: boxes a little too small, a pair left out, a move to another pair, a claim about every length."""
    return subject.having(spoiled=rng.randrange(1 << 30))


def reclaimed(subject: Subject, rng: random.Random, others: tuple[Subject, ...]) -> Subject:
    """The claim of another subject, or one parameter of the claim changed: forms of one task on another."""
    if rng.random() < 0.5:
        other = rng.choice([each for each in others if bool(each.bound) == bool(subject.bound)])
        return subject.having(claim=copy.deepcopy(other.claim))
    claim = copy.deepcopy(subject.claim)
    key = rng.choice(sorted(claim["parameters"]) or ["length"])
    value = claim["parameters"].get(key)
    if isinstance(value, bool) or value is None:
        return subject
    if isinstance(value, int):
        claim["parameters"][key] = max(1, value + rng.choice((-1, 1, 2)))
        if key == "length":
            subject = subject.modelled(length=subject.model["length"] + claim["parameters"][key] - value)
    elif isinstance(value, float):
        claim["parameters"][key] = rng.choice((0.1 + 0.2, 1 / 3, 0.25, 0.9, 0.123456789))
    elif key == "language":
        claim["parameters"][key] = rng.choice(("(ab|b)*a?", "(ab)*", "(a|b)*", "(b*ab*a)*b*", "a*b*", "(ab|b)*a"))
    return subject.having(claim=claim)


def switched(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """A few of the checker's constants at sizes around that of the document."""
    chosen = rng.sample(SWITCHES, rng.choice((1, 2, len(SWITCHES))))
    constants: dict[str, int] = {name: rng.choice(COUNTS) for name in chosen}
    if rng.random() < 0.7:
        constants["WORK"] = 1 << rng.choice((10, 18, 20))
    return subject.having(constants={**subject.constants, **constants})


def unlisted(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """Few cases are run, so that the proof stands alone; and it takes the other choice where there is one."""
    subject = subject.having(strength="proven" if not subject.bound else subject.strength, spoiled=rng.randrange(1 << 30))
    return subject.having(constants={**subject.constants, "WORK": 1 << 10})


def scored(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """Queries at one end of the format and keys at the other."""
    i = rng.choice([i for i, layer in enumerate(subject.model["layers"]) if layer["mixer"] and layer["mixer"]["kind"] == "attention"])
    names = [(f"layers.{i}.mixer.{name}",) for name in rng.sample(("query", "key"), 2)]
    tensors, (top, normal, least) = dict(subject.tensors), ends(subject)
    by = rng.choice((normal, least, least, top)) + rng.choice((-1, 0, 0, 1, 2, 3, 10)) - largest(tensors, names[0])
    scale(tensors, names[0], by)
    scale(tensors, names[1], min(-by, top - rng.choice((4, 20, 40)) - largest(tensors, names[1])))
    return subject.having(tensors=tensors)


def headed(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """Queries and keys of one head, up to where their products end the format."""
    i = rng.choice([i for i, layer in enumerate(subject.model["layers"]) if layer["mixer"] and layer["mixer"]["kind"] == "attention"])
    mixer, tensors, (top, _normal, _least) = subject.model["layers"][i]["mixer"], dict(subject.tensors), ends(subject)
    h, m, to = rng.randrange(mixer["heads"]), mixer["key_width"], top // 2 + rng.choice((-2, -1, 0, 1, 1, 2))
    for name in (f"layers.{i}.mixer.query", f"layers.{i}.mixer.key"):
        rows = {name: tensors[name][h * m : (h + 1) * m]}
        scale(rows, (name,), to - largest(rows, (name,)))
        tensors[name] = np.concatenate([tensors[name][: h * m], rows[name], tensors[name][(h + 1) * m :]])
    return subject.having(tensors=tensors)


def falsified(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """A witness with another word, window, size or share, and everything that follows from it."""
    return subject.having(changed=rng.randrange(1 << 30))


def stated(subject: Subject, rng: random.Random, _: tuple[Subject, ...]) -> Subject:
    """Another number in the sentence: near a place where it is rounded, or near what can be shown."""
    if not subject.bound:
        return subject.having(strength=rng.choice(("proven", "exhaustive", "tested")))
    digits = rng.choice((1.00499, 0.3333333, 0.1996, 0.100499, 2.5e-4, 0.69314718, 1e-9, 1e-12, 0.0, 12.3456))
    return subject.having(excess=rng.choice((digits, digits * rng.random(), subject.excess * (1 + rng.choice((-1, 1)) * 1e-9))))


AIMS: tuple[Aim, ...] = (
    rescaled, rescaled, stretched, stretched, multiplied, multiplied, alone, alone, carried, raised, exchanged, crossed, thinned, thinned,
    reformatted, normed, rescored, readdressed, disproved, disproved, reclaimed, switched, switched, stated, idle, idle_ends, unread,
    unread_state, undecided, shut, crowned,
)  # fmt: skip


@dataclass(frozen=True)
class Recipe:
    """Aims that belong together, and the subjects that they are for."""

    fits: Callable[[Subject], bool]
    aims: tuple[tuple[Aim, float], ...]  # each with the probability that it is taken
    of_witnesses: bool = False


ORDERS = ("ones by lstm", "ones by equal weights", "ones by scaled weights", "ones by pd")


def _floating(subject: Subject) -> bool:
    return not subject.bound and subject.arithmetic.startswith("float")


def _attends(subject: Subject) -> bool:
    return not subject.bound and any((layer["mixer"] or {}).get("kind") == "attention" for layer in subject.model["layers"])


def _sums(subject: Subject) -> bool:
    return any((layer["mixer"] or {}).get("kind") == "linear-attention" for layer in subject.model["layers"])


def _numbered(subject: Subject) -> bool:
    return bool(subject.model["embedding"]["numbers"]) and subject.model["embedding"]["plain"] > 1


def _addressed(subject: Subject) -> bool:
    return bool(subject.model["embedding"]["places"])


def _is_normed(subject: Subject) -> bool:
    return any(each["norm"] != "none" for each in (subject.model["readout"], *subject.model["layers"]))


def _recurs(subject: Subject) -> bool:
    kinds = {(layer["mixer"] or {}).get("kind", "attention") for layer in subject.model["layers"]}
    return _floating(subject) and not kinds & {"attention", "register-file"}


def _gated(subject: Subject) -> bool:
    return _recurs(subject) and any(name.endswith((".choice", ".share", ".rate", ".gate")) for name in subject.tensors)


RECIPES: dict[str, Recipe] = {
    "orders": Recipe(lambda s: s.name in ORDERS, ((crowned, 0.8), (rescaled, 0.6), (reformatted, 0.1))),
    "layouts": Recipe(_numbered, ((exchanged, 1.0), (unlisted, 0.8), (disproved, 0.2), (rescaled, 0.2), (crossed, 0.1))),
    "addresses": Recipe(_addressed, ((readdressed, 1.0), (readdressed, 0.3), (unlisted, 0.5), (crossed, 0.2), (stated, 0.2))),
    "norms": Recipe(lambda s: _is_normed(s) and not s.bound, ((alone, 0.7), (rescaled, 0.5), (reformatted, 0.1), (rescaled, 0.3))),
    "new norms": Recipe(_floating, ((normed, 1.0), (rescaled, 0.5), (alone, 0.5), (thinned, 0.1))),
    "scores": Recipe(_attends, ((rescored, 0.5), (scored, 1.0), (rescaled, 0.2), (unlisted, 0.2))),
    "heads": Recipe(_attends, ((headed, 1.0), (unlisted, 0.3), (headed, 0.2), (rescaled, 0.1))),
    "logits": Recipe(lambda s: s.bound == "at-most", ((raised, 0.9), (stated, 0.6), (crossed, 0.2), (rescaled, 0.2), (disproved, 0.1))),
    "floors": Recipe(lambda s: s.bound == "at-least", ((stretched, 0.8), (stretched, 0.7), (rescaled, 0.3), (stated, 0.3))),
    "constants": Recipe(lambda s: s.bound == "at-least", ((carried, 0.9), (reformatted, 0.8), (stretched, 0.2), (stated, 0.2))),
    "states": Recipe(_sums, ((multiplied, 0.7), (rescaled, 0.7), (multiplied, 0.3), (alone, 0.3))),
    "invariants": Recipe(lambda s: s.strength == "proven", ((disproved, 1.0), (unlisted, 0.5), (crossed, 0.3), (reclaimed, 0.3))),
    "margins": Recipe(lambda s: not s.bound, ((thinned, 1.0), (rescaled, 0.4), (reformatted, 0.3), (unlisted, 0.4))),
    "forms": Recipe(lambda s: not s.bound, ((reclaimed, 1.0), (unlisted, 0.5), (crossed, 0.3))),
    "ends": Recipe(lambda s: not s.bound, ((rescaled, 0.8), (stretched, 0.6), (rescaled, 0.4), (unlisted, 0.3))),
    "sizes": Recipe(lambda _: True, ((switched, 1.0), (crossed, 0.5), (alone, 0.3), (thinned, 0.3))),
    "envelopes": Recipe(_recurs, ((multiplied, 0.6), (alone, 0.4), (rescaled, 0.4), (crossed, 0.3), (disproved, 0.2))),
    "idle layers": Recipe(_floating, ((idle, 0.4), (idle_ends, 0.9), (idle_ends, 0.4), (unlisted, 0.2))),
    "unread": Recipe(_floating, ((unread, 0.7), (unread_state, 0.4), (stretched, 0.2), (reformatted, 0.1))),
    "beginnings": Recipe(_floating, ((unread_state, 0.5), (initialised, 0.9), (alone, 0.2), (unlisted, 0.2))),
    "choices": Recipe(_gated, ((undecided, 1.0), (undecided, 0.4), (idle, 0.1), (thinned, 0.1))),
    "gates": Recipe(lambda s: "embedding.gate" in s.tensors, ((shut, 1.0), (shut, 0.3), (stated, 0.5), (rescaled, 0.2))),
    "witnesses": Recipe(lambda s: bool(s.witness) and not s.tensors, ((falsified, 1.0),), True),
    "recognisers": Recipe(
        lambda s: bool(s.witness) and bool(s.tensors),
        (
            (falsified, 0.3),
            (multiplied, 0.4),
            (alone, 0.4),
            (crossed, 0.3),
            (thinned, 0.3),
            (idle_ends, 0.2),
            (unread, 0.2),
            (disproved, 0.3),
        ),
        True,
    ),
}


def aimed(rng: random.Random, starts: tuple[Subject, ...], recipe: str = "") -> Subject:
    """A subject after the aims of a recipe, which is drawn unless it is named, or after one to four of any."""
    name = recipe or (rng.choice(sorted(RECIPES)) if rng.random() < 0.8 else "")
    fitting = [subject for subject in starts if suits(name, subject)]
    if not fitting:  # of a few subjects, none of which the recipe is for
        name, fitting = "", [subject for subject in starts if not subject.witness]
    subject = rng.choice(fitting)
    if name:
        chosen = [aim for aim, share in RECIPES[name].aims if rng.random() < share]
    else:
        chosen = rng.choices(AIMS, k=rng.choice((1, 1, 2, 2, 3, 4)))
    with np.errstate(all="ignore"):
        for aim in chosen:
            subject = aim(subject, rng, starts)
    return subject


def suits(name: str, subject: Subject) -> bool:
    """Whether a recipe is for a subject; without a recipe, whether it has a program."""
    if not name:
        return not subject.witness
    return RECIPES[name].of_witnesses is bool(subject.witness) and RECIPES[name].fits(subject)


# -- what they are made of -----------------------------------------------------------------------------------------------------------


def _layers(subject: Subject) -> list[list[str]]:
    """The names of the tensors of each layer, with what comes before and after it."""
    around = [name for name in subject.tensors if name.startswith(("embedding.table", "embedding.places", "readout"))]
    count = len(subject.model["layers"])
    inside = [[name for name in subject.tensors if name.startswith(f"layers.{i}.")] for i in range(count)]
    return [names + (around if i in (0, count - 1) else []) for i, names in enumerate(inside)]


def _pairs(subject: Subject) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Groups of tensors such that the function stays the same, in real numbers, if one goes up by a factor and the other down."""
    have = subject.tensors
    found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []

    def both(up: tuple[str, ...], down: tuple[str, ...]) -> None:
        up, down = tuple(n for n in up if n in have), tuple(n for n in down if n in have)
        if up:
            found.append((up, down))

    writers = [
        n
        for n in have
        if n in ("embedding.table", "embedding.number.weight") or (n.startswith("embedding.places") and n.endswith("weight"))
    ]
    readers = ["readout.weight"]
    for i, layer in enumerate(subject.model["layers"]):
        at, kind = f"layers.{i}.", (layer["mixer"] or {}).get("kind")
        m = f"{at}mixer."
        if kind == "attention":
            both((m + "query", m + "query_bias"), (m + "key", m + "key_bias"))
        if kind in ("attention", "linear-attention"):
            both((m + "value", m + "value_bias"), (m + "out",))
            readers += [m + "query", m + "key", m + "value"]
        if kind == "linear-attention":
            both((m + "key",), ())
            both((m + "query",), ())
        if kind in ("linear-rnn", "selective-rnn"):
            both((m + "drive", m + "drive_bias", m + "initial"), (m + "out",))
        if kind == "relu-rnn":
            both((m + "drive", m + "transition", m + "bias"), (m + "back",))
            both((m + "back", m + "initial"), (m + "transition", m + "out"))
        if m + "norm.weight" in have:
            both((m + "norm.weight",), (m + "out",))
        if kind in ("rank-one", "pd"):
            both((m + "drive", m + "initial"), (m + "out",))
        if kind == "rank-one":
            both((m + "moved",), (m + "read",))
        if kind == "pd":
            both((m + "tables",), ())
        if kind == "lstm":
            both((m + "kernel.bias_hh_l0",), ("readout.weight",))
        if kind in ("mamba", "mamba2", "deltanet", "gated-deltanet"):
            both((m + "into",), (m + "convolution.weight",))
            readers += [
                n for n in (m + "into", m + "share", m + "rate", m + "gate") if n in have and have[n].shape[1] == subject.model["width"]
            ]
        both((f"{at}feedforward.inner", f"{at}feedforward.inner_bias"), (f"{at}feedforward.outer",))
        writers += [n for n in (m + "out", m + "out_bias", f"{at}feedforward.outer", f"{at}feedforward.outer_bias") if n in have]
        readers += [n for n in (m + "drive", f"{at}feedforward.inner", m + "kernel.weight_ih_l0") if n in have]
    both(tuple(writers), tuple(readers))
    last = [n for n in writers if n.startswith(f"layers.{len(subject.model['layers']) - 1}.")]
    both(tuple(last), ("readout.weight",))
    both(("readout.weight", "readout.bias"), ())
    return found
