"""Documents without a program of a task: periods, receptive fields, depth reductions, and recognisers of several languages.

A careful liar changes what the author chooses, and takes what is derived from it from the checker's own words.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import json
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from separatrix.certificates.proofs.simulation import found
from separatrix.checker import Refused
from separatrix.checker.kinds.languages import recognised, walk
from separatrix.checker.models.model import Model
from separatrix.checker.models.reading import outline
from separatrix.checker.replay.proof import Unfit, Unproven
from tests.checker.kinds import witnesses
from tests.fuzz.repair import repaired

Document = dict[str, Any]
Tensors = dict[str, npt.NDArray[Any]]
KINDS = ("period", "period_of_a_stack", "receptive_field", "depth_reduction", "deeper_reduction", "languages")
LANGUAGES = ("b(aa)*b", "(aa)*", "(aaa)*", "(ab|ba)*", "(a|b)*a", "((a|b)(a|b))*", "a*", "(b*ab*a)*b*")
SIZES = (0, 1, 2, 3, 4, 5, 7, 8, 16, 255, 256, 1 << 15, 1 << 16, (1 << 40) - 1, 1 << 40, 1 << 62)
FORMATS = ("float:2,1", "float:5,10", "fixed:4,2", "nearest:5", "float32", "float64", 1, 2, 3, 4, 1 << 20)


def honest(name: str) -> Document:
    """A true document of each kind."""
    return copy.deepcopy(witnesses.fresh(name))


def changed(document: Document, seed: int) -> Document:
    """What its author chose, changed in one or two places; the rest follows from what the checker disputes."""
    rng = random.Random(seed)
    document = copy.deepcopy(document)
    for _ in range(rng.choice((1, 1, 2, 3))):
        CHANGES[document["kind"]](document, rng)
    return repaired(document)


def recogniser(document: Document, model: Document, tensors: Tensors) -> Document:
    """The document about other weights, with the pairs that a prover finds; the honest ones where it finds none."""
    raw = save({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()})
    weights = {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}
    document = {**copy.deepcopy(document), "program": {**document["program"], "model": model}, "weights": weights}
    with suppress(Unfit, Unproven, Refused, StopIteration), np.errstate(all="ignore"):
        draft = outline(document["program"])
        document["proof"] = next(found(Model(draft.description, tensors, draft.ops), walk(recognised(document)[0])))
    return document


def _of_period(document: Document, rng: random.Random) -> None:
    change = rng.randrange(6)
    if change == 0:
        document["claim"]["parameters"] = {"language": rng.choice(LANGUAGES), "alphabet": rng.choice((None, "ab", "abc"))}
    elif change == 1:
        word = document[rng.choice("xuy")]
        word[:] = [rng.randrange(3) if rng.random() < 0.3 else 0 for _ in range(rng.randrange(5))]
    elif change == 2:
        document["p"] = rng.choice((2, 2, 3, 4, 6, *SIZES))
    elif change == 3:
        layers = rng.choice((1, 2, 3))
        windows = [rng.choice((1, 2, 3, 4, 9, *SIZES)) for _ in range(layers)]
        document["stack"] = rng.choice((None, {"layers": layers, "numbers": rng.choice(FORMATS), "windows": windows}))
    elif change == 4:
        document["answers"] = [1 - answer for answer in document["answers"]]
    else:
        document[rng.choice(("blocks", "longest"))] = rng.choice((None, *SIZES))


def _of_receptive_field(document: Document, rng: random.Random) -> None:
    change, inputs = rng.randrange(5), document["inputs"]
    if change == 0:
        document["stack"] = [rng.choice((1, 2, 3, 4, *SIZES)) for _ in range(rng.choice((1, 1, 2, 3, 4, 8)))]
    elif change == 1:
        tokens = rng.choice(inputs)
        tokens[rng.randrange(len(tokens))] = rng.choice((0, 1, 2))
    elif change == 2:
        document["position"] = rng.choice((len(inputs[0]) - 1, 0, len(inputs[0]) - 2, *SIZES))
    elif change == 3:
        n = rng.choice((1, 2, 4, 8, 20))
        bits = [rng.randrange(2) for _ in range(n)]
        document["claim"] = {"task": rng.choice(("parity", "parity", "ones", "majority")), "parameters": {"length": n}}
        document["inputs"], document["position"] = [[*bits, 2], [1 - bits[0], *bits[1:], 2]], n
    else:
        inputs.reverse()


def _of_depth_reduction(document: Document, rng: random.Random) -> None:
    change, steps = rng.randrange(5), document["steps"]
    if change == 0 and steps:
        step = rng.choice(steps)
        share = step[rng.choice(("eta", "q", "delta"))]
        i = rng.randrange(2)
        share[i] = rng.choice((share[i] + 1, share[i] - 1, 2 * share[i], share[i] // 2, *SIZES))
    elif change == 1 and steps:
        k = rng.choice(steps)["k"]
        i = rng.randrange(2)
        k[i] = rng.choice((k[i] + 1, k[i] - 1, k[i] - 2, k[i] // 2, 2 * k[i], *SIZES))
    elif change == 2:
        document["heads"] = rng.choice((1, 2, 3, 4, *SIZES))
    elif change == 3:
        document["layers"] = rng.choice((1, 2, 3, 4))
        document["steps"] = (steps * 4)[: document["layers"] - 1]
    else:
        document["from"] = hex(max(0, int(document["from"], 16) + rng.choice((-1, 1, -100))))


def _of_languages(document: Document, rng: random.Random) -> None:
    change, automaton = rng.randrange(4), json.loads(document["automaton"])
    states = sorted(automaton["moves"])
    if change == 0:
        document["languages"] = [sorted(rng.sample(range(len(states)), rng.randrange(len(states) + 1))) for _ in document["languages"]]
    elif change == 1:
        automaton["start"] = rng.choice(states)
    elif change == 2:
        row = automaton["moves"][rng.choice(states)]
        row[rng.choice(sorted(row))] = rng.choice(states)
    else:
        document["languages"].reverse()
    document["automaton"] = json.dumps(automaton, separators=(",", ":"))


CHANGES: dict[str, Callable[[Document, random.Random], None]] = {
    "period": _of_period,
    "receptive-field": _of_receptive_field,
    "depth-reduction": _of_depth_reduction,
    "languages": _of_languages,
}
