"""Whether what the checker accepted is true: by torch in several orders, by the second checker, and by what the sentence itself says.

Only what makes the sentence false counts. Ties are wrong, and so is what is not a number: the right answer has to lead.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import torch
from flint import arb

from recheck import programs
from recheck.network import Network
from recheck.numbers import Balls
from recheck.reading import read_weights
from recheck.tasks import TASKS
from recheck.verdicts import Refused, Uncovered
from separatrix.certificates import cases
from separatrix.certificates.built import Built
from separatrix.certificates.cases import Trial, trial
from separatrix.certificates.claim import Claim
from separatrix.certificates.program import Program, read_program
from separatrix.checker import Verdict
from separatrix.errors import BadInput
from separatrix.models.decoders.position import Position
from separatrix.tasks import Batch, Task, make_task
from tests.fuzz import triage

Document = dict[str, Any]
ALL = 4096  # inputs up to which all are run
STEPPED = 48  # of them, one token at a time
FRESH = 40
LONGER = (1, 2, 5, 9, 23, 60)  # tokens of words beyond the claimed length
RECHECKED = 60_000  # products of all inputs together, up to which the second checker runs every input
SEED = 1 << 62
CHUNKED = ("deltanet", "gated-deltanet", "deltaproduct", "mamba2", "retnet")  # what is claimed of them is about one token after another


def objection(document: Document, verdict: Verdict) -> tuple[str, str]:
    """Why the sentence is false, or nothing; and by whom it was judged."""
    if document["kind"] == "cross-entropy":
        return _sentence_of_bound(document, verdict) or _of_prediction(document), "exact run"
    if document["kind"] == "languages":
        return _of_languages(document), "torch"
    if document["kind"] != "program":
        return triage.objection(document, verdict), "other code"
    return _of_program(document, verdict)


# -- programs ------------------------------------------------------------------------------------------------------------------------


def _of_program(document: Document, verdict: Verdict) -> tuple[str, str]:
    claim = document["claim"]
    if _wide(document["program"]["model"]["arithmetic"]):  # torch hands out float64, which does not hold such logits
        again = _rechecked(document)
        return again or "", "nobody" if again is None else "recheck"
    task = make_task(claim["task"], **claim["parameters"])
    try:
        program = read_program(document["program"], base64.b64decode(document["weights"]["base64"]))
    except BadInput as error:
        why = _rechecked(document)
        return (f"torch cannot read the model: {error}", "nobody") if why is None else (why, "recheck")
    built = Built(program, Claim("aimed", "", claim["task"], claim["parameters"], {}, document["program"]["model"]["arithmetic"]), task)
    why = _run(built, verdict) or _stepped(program, task) or _longer(program, claim, verdict)
    if why:
        return why, "torch"
    if built.sizes() != document["sizes"]:
        return f"the sizes are {built.sizes()}", "torch"
    again = _rechecked(document)
    return (again or "", "torch" if again is None else "torch and recheck")


def _run(built: Built, verdict: Verdict) -> str:
    """All inputs where they are few, else fresh cases of every family."""
    task = built.task
    families = [{"kind": kind, "seed": SEED, "count": FRESH} for kind in task.case_kinds]
    if 0 < task.input_count <= ALL and isinstance(built.program.decoder, Position):
        families = [{"kind": "all", "seed": 0, "count": task.input_count}]
    least = math.inf
    for family in families:
        with mock.patch.object(cases, "logits_of", _by_steps) if _chunked(built) and _steps(built.program) else nullcontext():
            tried: Trial = trial(built, [family])
        least = min(least, tried.margin) if tried.margin == tried.margin else math.nan
        if verdict.strength == "tested" and tried.errors <= triage.excluded(verdict, family["kind"]) * tried.cases:
            continue
        if tried.errors or not tried.margin > 0:
            return f"{tried.errors} of {tried.cases} cases of {family['kind']} are wrong, margin {tried.margin}: {tried.counterexample}"
    said = re.search(r"by at least ([0-9.e+-]+);", verdict.claim)
    if said and float(said[1]) > least * (1 + 1e-9):
        return f"the sentence says a margin of {said[1]}, torch has {least!r}"
    if "right on all" in verdict.claim and f"all {task.input_count:,} inputs" not in verdict.claim:
        return f"there are {task.input_count} inputs"
    return ""


def _chunked(built: Built) -> bool:
    """Whether torch runs another form of a recurrence than the one that certificates are about."""
    return any(layer["mixer"] and layer["mixer"]["kind"] in CHUNKED for layer in built.program.document()["model"]["layers"])


def _steps(program: Program) -> bool:
    """Whether it can run token by token."""
    try:
        program.model.need_steps()
    except BadInput:
        return False
    return True


def _by_steps(model: Any, batch: Batch) -> Any:
    """The logits at the scored positions, token by token."""
    tokens, every = torch.as_tensor(batch.tokens), []
    with torch.no_grad():
        state = model.initial_state(len(tokens))
        for t in range(tokens.shape[1]):
            state, logits = model.step(state, tokens[:, t])
            every.append(logits.double())
    return torch.stack(every, dim=1).numpy()[batch.mask]


def _of_languages(document: Document) -> str:
    """All short words, the empty one too, and longer ones: of each two logits the right one leads, token by token and all at once."""
    program, automaton = (
        read_program(document["program"], base64.b64decode(document["weights"]["base64"])),
        json.loads(document["automaton"]),
    )
    names, letters = list(automaton["moves"]), automaton["alphabet"]
    names.insert(0, names.pop(names.index(automaton["start"])))
    rng = np.random.default_rng(0)
    words = [word for n in range(5) for word in product(range(len(letters)), repeat=n)]
    words += [tuple(rng.integers(0, len(letters), n).tolist()) for n in LONGER]
    for word in words:
        state = automaton["start"]
        for a in word:
            state = automaton["moves"][state][letters[a]]
        tokens = torch.tensor([[*word, len(letters)]])
        with torch.no_grad():
            for row in (program.model(tokens, at=-1)[0].tolist(), _last_step(program.model, tokens)):
                for k, accepting in enumerate(document["languages"]):
                    no, yes = row[2 * k : 2 * k + 2]
                    right, wrong = (yes, no) if names.index(state) in accepting else (no, yes)
                    if not (math.isfinite(right - wrong) and right > wrong):
                        return f"language {k + 1} has another answer to {word}: {row}"
    return ""


def _last_step(model: Any, tokens: Any) -> list[float]:
    state = model.initial_state(len(tokens))
    for t in range(tokens.shape[1]):
        state, logits = model.step(state, tokens[:, t])
    return list(logits[0].tolist())


def _stepped(program: Program, task: Task) -> str:
    """One token at a time, as a recurrence runs."""
    if not isinstance(program.decoder, Position) or not 0 < task.input_count <= ALL:
        return ""
    inputs = list(task.inputs())
    inputs = inputs[:: max(1, len(inputs) // STEPPED)]
    return _wrong(program, inputs, [task.answer(x) for x in inputs])


def _longer(program: Program, claim: Document, verdict: Verdict) -> str:
    """Words of other lengths, where the sentence is about all."""
    if "of every length" not in verdict.claim:
        return ""
    rng = np.random.default_rng(0)
    for n in LONGER:
        try:
            other = make_task(claim["task"], **{**claim["parameters"], "length": n})
        except BadInput:
            continue
        words = [tuple(int(rng.choice(a)) for a in other.alphabets()) for _ in range(8)]
        words = [x for x in words if other.answer(x) is not None]
        if words and (why := _wrong(program, words, [other.answer(x) for x in words])):
            return why
    return ""


def _wrong(program: Program, inputs: Sequence[tuple[int, ...]], due: Sequence[int | None]) -> str:
    model, tokens = program.model, torch.tensor(inputs)
    if not _steps(program):
        return ""
    with torch.no_grad():
        state = model.initial_state(len(inputs))
        for t in range(tokens.shape[1]):
            state, logits = model.step(state, tokens[:, t])
    found = logits.double().numpy()
    for x, right, row in zip(inputs, due, found, strict=True):
        others = np.delete(row, int(right or 0))
        if not (np.isfinite(row).all() and (row[int(right or 0)] > others).all()):
            return f"one token at a time, {x} has the logits {row.tolist()}, the answer is {right}"
    return ""


def _rechecked(document: Document) -> str | None:
    """What the second checker says against it; None where it says nothing at all, or would take long."""
    model, claim = document["program"]["model"], document["claim"]
    if claim["task"] not in TASKS or not _short(model, claim):
        return None
    try:
        programs.judge(document, Path())
    except Uncovered:
        return None
    except Refused as reason:
        return f"the second checker refuses it: {reason}"
    return ""


def _wide(arithmetic: str) -> bool:
    kind, _, sizes = arithmetic.partition(":")
    return kind in ("fixed", "nearest") and int(sizes.partition(",")[0]) > 53


def _short(model: Document, claim: Document) -> bool:
    task = make_task(claim["task"], **claim["parameters"])
    n, width = task.longest_input if hasattr(task, "longest_input") else model["length"], model["width"]
    count = task.input_count or 1 << 60
    return bool(count * n * width * sum(4 * width + n for _ in model["layers"]) <= RECHECKED)


# -- predictors ----------------------------------------------------------------------------------------------------------------------


def _sentence_of_bound(document: Document, verdict: Verdict) -> str:
    """What it says is no stronger than what was checked, and its numbers are those of the claim."""
    said = re.search(r"at (most|least) ([0-9.e+-]+) nats above the optimum", verdict.claim)
    if said is None:
        return f"no bound in {verdict.claim!r}"
    number, checked = Decimal(said[2]), Decimal(repr(document["excess"]))
    if (number < checked) if said[1] == "most" else (number > checked):
        return f"the sentence says at {said[1]} {number}, checked was {checked}"
    p = document["claim"]["parameters"].get("p")
    if p is not None and f"p = {p!r}" not in verdict.claim:
        return f"p is {p!r}, the sentence says {verdict.claim!r}"
    return ""


def _of_prediction(document: Document) -> str:
    """Exact logits of the second checker's network, after prefixes of the source: the divergence of each, or the excess of all."""
    n, start, step, law = triage.source(document["claim"])
    claimed, most = Fraction(document["excess"]), document["bound"] == "at-most"
    try:
        said = _logits(document, real=not most)
        if most:
            for prefix, state in _prefixes(start, step, law, n):
                apart = _divergence(law(state), said(prefix))
                if apart > claimed + Fraction(1, 10**11) + claimed / 10**9:
                    return f"{float(apart)} nats above after {prefix}"
            return ""
        if n > 8:
            return triage.of_cross_entropy(document, Verdict(True, True, ""))
        total = mass = Fraction(0)
        for x in product(range(len(law(start)) - 1), repeat=n):
            weight, state = triage.probability(x, start, step, law)
            if weight > 0:
                total, mass = total + Fraction(weight) * _divergence(law(state), said(list(x))), mass + Fraction(weight)
    except Uncovered:
        return triage.of_cross_entropy(document, Verdict(True, True, ""))
    return "" if total >= (claimed - Fraction(1, 10**9)) * mass else f"it is {float(total / mass)} nats above the optimum"


def _logits(document: Document, real: bool) -> Callable[[list[int]], list[Fraction]]:
    """The logits after a prefix, as numbers of the format, or as the middles of balls; `real`: of the model in real numbers."""
    model = document["program"]["model"]
    net = Network({**model, "arithmetic": "float64"} if real else model, read_weights(document["weights"], Path()))
    if real:
        net.numbers = exact = Balls(64, arb(0), arb(0), arb("inf"))
        for layer in net.layers:
            layer.numbers = exact

    def said(prefix: list[int]) -> list[Fraction]:
        row = net.logits(prefix, [len(prefix) - 1])[len(prefix) - 1]
        first = row[0]
        return [sum(net.numbers.lead(z, first), Fraction(0)) / 2 for z in row]

    return said


def _prefixes(start: Any, step: Any, law: Any, n: int) -> list[tuple[list[int], Any]]:
    """All that are short, and a few that are not."""
    found: list[tuple[list[int], Any]] = []
    frontier: list[tuple[list[int], Any]] = [([], start)]
    for _ in range(min(n, 4)):
        frontier = [([*x, s], after) for x, q in frontier for s, p in enumerate(law(q)[:-1]) if p > 0 and (after := step(q, s)) is not None]
        found += frontier
    return found[:40]


def _divergence(law: Sequence[float], logits: Sequence[Fraction]) -> Fraction:
    """Of a law from the softmax of logits, whose differences are exact."""
    top = max(logits)
    total = math.log(sum(math.exp(max(float(z - top), -740.0)) for z in logits))
    return sum((Fraction(q) * (Fraction(math.log(q) + total) + top - z) for q, z in zip(law, logits, strict=True) if q > 0), Fraction(0))
