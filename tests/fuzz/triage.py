"""What an accepted forgery says, tried again by code that shares nothing with the checker: torch, the tasks' own oracles, brute force.

Only what makes the sentence false counts. A mutant that states another true claim is not a forgery.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import torch

from separatrix.bits import ceil_log2
from separatrix.bounds.communication.matrix import communication_matrix
from separatrix.bounds.states.profile import state_profile
from separatrix.certificates.built import Built
from separatrix.certificates.cases import trial
from separatrix.certificates.claim import Claim
from separatrix.certificates.program import Program, read_program
from separatrix.checker import Verdict
from separatrix.refuters.poison import poison
from separatrix.tasks import Task, make_task
from separatrix.tasks.capabilities import chain_of, vectors_of
from separatrix.tasks.regular import read_language

Document = dict[str, Any]
Truth = Callable[[tuple[int, ...]], int | None]
FRESH = 40  # cases of each family, under a seed that no plan has
FEW = 4096  # inputs up to which all of them are run
SEED = 1 << 62  # of a plan the seed is below 2^63, and this one by chance


def objection(document: Document, verdict: Verdict) -> str:
    """Why the sentence of an accepted document is false; empty where nothing speaks against it."""
    return OBJECTIONS[document["kind"]](document, verdict)


def _program(document: Document) -> Program:
    return read_program(document["program"], base64.b64decode(document["weights"]["base64"]))


def _task(document: Document) -> Task:
    return make_task(document["claim"]["task"], **document["claim"]["parameters"])


def _built(document: Document) -> Built:
    program, claim = _program(document), document["claim"]
    names = Claim("fuzzed", "", claim["task"], claim["parameters"], {}, document["program"]["model"]["arithmetic"])
    return Built(program, names, _task(document))


def of_program(document: Document, verdict: Verdict) -> str:
    """Fresh cases of every family, all inputs where they are few, and the sizes again."""
    built = _built(document)
    families = [{"kind": kind, "seed": SEED, "count": FRESH} for kind in built.task.case_kinds]
    if 0 < built.task.input_count <= FEW and document["program"]["decoder"]["kind"] == "position":
        families.append({"kind": "all", "seed": 0, "count": built.task.input_count})
    for family in families:
        tried = trial(built, [family])
        allowed = excluded(verdict, family["kind"])
        if tried.errors > allowed * tried.cases:
            return f"{tried.errors} of {tried.cases} fresh cases of {family['kind']} are wrong: {tried.counterexample}"
    if built.sizes() != document["sizes"]:
        return f"the sizes are {built.sizes()}"
    return ""


def excluded(verdict: Verdict, family: str) -> float:
    """The error rate that the verdict leaves open on a family; none where all inputs were run or a proof was found."""
    if verdict.strength in ("proven", "exhaustive"):
        return 0.0
    rates = [entry["excludes"] for entry in verdict.evidence if entry.get("family") == family and "excludes" in entry]
    return max(rates, default=1.0)


def of_cases(document: Document, _: Verdict) -> str:
    """The answers that torch gives to the author's inputs."""
    program = _program(document)
    for case in document["cases"]:
        answer = program.answer(case["tokens"])
        answers = [answer[i - 1] for i in case["at"]] if isinstance(answer, tuple) else [answer]
        if answers != case["expected"]:
            return f"torch answers {answers} to {case}"
    return ""


def of_counterexample(document: Document, _: Verdict) -> str:
    """What torch says, and what the task's own oracle asks for."""
    program, task = _program(document), _task(document)
    answer = program.answer(document["tokens"])
    at_position = answer[document["position"] - 1] if isinstance(answer, tuple) else answer
    if at_position != document["said"]:
        return f"torch says {at_position}"
    if document["position"] == len(document["tokens"]) and (due := task.answer(tuple(document["tokens"]))) != document["expected"]:
        return f"the answer is {due}"
    return "" if document["said"] != document["expected"] else "it is right"


def of_transcript_collision(document: Document, _: Verdict) -> str:
    """Of the four inputs torch gets one wrong."""
    program, task = _program(document), _task(document)
    inputs = [tuple(x) for x in (document["x"], document["y"], *document["crossed"])]
    due = [task.answer(x) for x in inputs]
    return "" if any(d is not None and program.answer(x) != d for x, d in zip(inputs, due, strict=True)) else "all four are right"


def _function(document: Document) -> tuple[tuple[tuple[int, ...], ...], Truth]:
    """Which tokens may stand where, and the answer to a string of them."""
    claim = document["claim"]
    if claim["task"] != "table":
        task = _task(document)
        return tuple(tuple(alphabet) for alphabet in task.alphabets()), task.answer
    sizes, answers = claim["parameters"]["sizes"], claim["parameters"]["answers"]
    return tuple(tuple(range(size)) for size in sizes), lambda x: answers[int(np.ravel_multi_index(x, sizes))]


def of_fooling_set(document: Document, verdict: Verdict) -> str:
    """Every pair, every crossing of two, and where a maximum is claimed the largest set that a search finds."""
    alphabets, truth = _function(document)
    alice = document["alice"]
    bob = [i for i in range(len(alphabets)) if i not in alice]

    def joined(x: list[int], y: list[int]) -> tuple[int, ...]:
        at = dict(zip([*alice, *bob], [*x, *y], strict=True))
        return tuple(at[i] for i in range(len(alphabets)))

    pairs, value = document["pairs"], document["value"]
    for i, (x, y) in enumerate(pairs):
        if truth(joined(x, y)) != value:
            return f"{x}, {y} does not have the answer {value}"
        for x2, y2 in pairs[:i]:
            if not {truth(joined(x, y2)), truth(joined(x2, y))} - {value, None}:
                return f"{x}, {y} and {x2}, {y2} do not fool"
    if f"at least {ceil_log2(len(pairs) + 1)} bit" not in verdict.claim:
        return f"{len(pairs)} pairs need {ceil_log2(len(pairs) + 1)} bits"
    if document["cover"] is not None:
        largest = communication_matrix(truth, alphabets, len(alphabets), alice).fooling_set(value)
        if len(largest.pairs) > len(pairs):
            return f"there is a fooling set of {len(largest.pairs)} pairs"
    return ""


def of_state_profile(document: Document, _: Verdict) -> str:
    """The classes again, by the calculator of state profiles."""
    alphabets, truth = _function(document)
    profile = state_profile(truth, alphabets, len(alphabets))
    if list(profile.classes_lower) != document["classes"]:
        return f"the classes are {profile.classes_lower}"
    return "" if profile.bits == document["bits"] else f"the bits are {profile.bits}"


def _walk(document: Document, x: tuple[int, ...], alphabets: tuple[tuple[int, ...], ...]) -> Iterator[int]:
    """The states that a string passes, from the first on."""
    state = 0
    yield state
    for table, token, alphabet in zip(document["automaton"]["transitions"], x, alphabets, strict=True):
        state = table[state][alphabet.index(token)]
        yield state


def of_state_machine(document: Document, _: Verdict) -> str:
    """Every string, one after another."""
    alphabets, truth = _function(document)
    passed: list[set[int]] = [set() for _ in range(len(alphabets) + 1)]
    for x in product(*alphabets):
        if (due := truth(x)) is None:
            continue
        states = list(_walk(document, x, alphabets))
        if document["automaton"]["outputs"][states[-1]] != due:
            return f"{x} is answered with {document['automaton']['outputs'][states[-1]]}, not {due}"
        for level, state in zip(passed, states, strict=True):
            level.add(state)
    needed = max(ceil_log2(len(level)) for level in passed if level)
    return "" if needed == document["state_bits"] else f"it has {needed} bits of state"


def of_state_collision(document: Document, _: Verdict) -> str:
    """Both strings through the tables."""
    alphabets, truth = _function(document)
    strings = [(*prefix, *document["suffix"]) for prefix in document["prefixes"]]
    walks = [list(_walk(document, x, alphabets)) for x in strings]
    cut = len(document["prefixes"][0])
    if walks[0][cut] != walks[1][cut]:
        return "the prefixes lead to two states"
    due = [truth(x) for x in strings]
    return "" if None not in due and due[0] != due[1] else f"the answers are {due}"


def of_pair(document: Document, _: Verdict) -> str:
    """Of two inputs torch says one thing, and the task asks for two."""
    return _one_for_two(document, [tuple(x) for x in document["inputs"]])


def of_restriction(document: Document, _: Verdict) -> str:
    """Torch on both completions, and on completions drawn at random: it says one thing on all."""
    program, task, rng = _program(document), _task(document), np.random.default_rng(0)
    options = [tuple(a) if token is None else (token,) for a, token in zip(task.alphabets(), document["restriction"], strict=True)]
    for _ in range(FRESH):
        x = tuple(int(rng.choice(tokens)) for tokens in options)
        if program.answer(x) != document["said"]:
            return f"torch says {program.answer(x)} on {x}"
    return _one_for_two(document, [tuple(x) for x in document["completions"]])


def _one_for_two(document: Document, inputs: list[tuple[int, ...]]) -> str:
    program, task = _program(document), _task(document)
    said, due = [program.answer(x) for x in inputs], [task.answer(x) for x in inputs]
    if said != [document["said"]] * 2:
        return f"torch says {said}"
    return "" if None not in due and due[0] != due[1] else f"the answers are {due}"


def of_chain_count(document: Document, _: Verdict) -> str:
    """The chains that the task itself writes, after every input or those listed."""
    task = _task(document)
    inputs = [*task.inputs()] if document["listed"] is None else [tuple(x) for x in document["listed"]]
    if any(task.answer(x) is None for x in inputs) or len({len(x) for x in inputs}) > 1:
        return "some inputs are outside the promise, or of different lengths"
    written = [chain_of(task, x) or vectors_of(task, np.array([x]))[1].tobytes() for x in inputs]  # type: ignore[index]
    if len(set(written)) != document["chains"] or ceil_log2(len(set(written))) != document["bits"]:
        return f"there are {len(set(written))} chains"
    return "" if (document["alike"] is None) == (len(set(written)) == len(inputs)) else "two inputs have one chain, or none"


def of_depth_reduction(document: Document, _: Verdict) -> str:
    """The inequalities of the Local Lemma as they are printed, with logarithms, in decimal numbers of sixty digits."""
    heads, c, share, free, least = document["heads"], 1, Decimal("0.999"), Fraction(999, 1000), 1000
    with localcontext(prec=60):
        for step in document["steps"]:
            eta, q, delta = (Decimal(step[name][0]) / step[name][1] for name in ("eta", "q", "delta"))
            k, two = step["k"][0] * Decimal(2) ** step["k"][1], Decimal(2)
            one_fails = -k / (1 + c * c / eta / share) * _minus_log_of_rest((q / 2) ** Decimal(c))
            crowded = two ** Decimal(c) * c * c * k * k * heads / eta / share * _minus_log_of_rest(1 / k / k)
            slope = delta * delta * q * (1 - 2 * eta) * share / 3 - two ** Decimal(c) * heads * _minus_log_of_rest(1 / k / k)
            if not (0 < eta < Decimal("0.5") and 0 < delta <= 1 and 0 < (1 + delta) * q < 1 and slope > 0):
                return "the shares are none"
            if two ** Decimal(c) * c / k > eta * share or one_fails > -crowded - (2 * k * k).ln():
                return "the lists are too short"
            least = max(least, int(two.ln() / slope))
            share *= (1 - 2 * eta) * (1 - (1 + delta) * q)
            exact = [Fraction(*step[name]) for name in ("eta", "q", "delta")]  # sixty digits do not hold every length
            free *= (1 - 2 * exact[0]) * (1 - (1 + exact[2]) * exact[1])
            c = c * (2**c * (step["k"][0] << step["k"][1]) * heads + 1)
        n = int(document["from"], 16)
        return "" if n * free - c * (heads + 1) >= 1 and n >= least else "too short"


def _minus_log_of_rest(part: Decimal) -> Decimal:
    """-ln(1 - part), by its series where the part is small."""
    return part + part * part / 2 if part < Decimal("1e-30") else -(1 - part).ln()


def of_period(document: Document, _: Verdict) -> str:
    """The words themselves, one by one, and one period more, asked of the task's own reader of languages."""
    parameters = document["claim"]["parameters"]
    language = read_language(parameters["language"], parameters["alphabet"])
    x, u, y, p = (document[name] for name in ("x", "u", "y", "p"))
    members = [int(language.accepts([*x, *u * i, *y])) for i in range(2 * p)]
    if members[:p] != document["answers"] or members[p:] != members[:p] or len({*members}) < 2:
        return f"members are {members}"
    if document["stack"] is None:
        return ""
    layers, each, windows = (document["stack"][name] for name in ("layers", "numbers", "windows"))
    most = 2 ** _bits(each) if isinstance(each, str) else each
    blocks = layers * (most - 1) + sum(math.ceil((w - 1) / len(u)) for w in windows)
    return "" if document["blocks"] == blocks else f"it stands still after {blocks} blocks"


def _bits(numbers: str) -> int:
    """Of a number of a format, by its name."""
    kind, _, sizes = numbers.partition(":")
    if not sizes:
        return int(kind.removeprefix("float"))
    first, *rest = sizes.split(",")
    return 1 + int(first) + int(rest[0]) if kind == "float" else int(first)


def of_languages(document: Document, _: Verdict) -> str:
    """Short words, all of them, and a long one, read by torch's model; the state after each by the moves as they stand in the document."""
    program, automaton = _program(document), json.loads(document["automaton"])
    names, letters = list(automaton["moves"]), automaton["alphabet"]
    names.insert(0, names.pop(names.index(automaton["start"])))
    words = [word for n in range(1, 6) for word in product(range(len(letters)), repeat=n)][:FRESH]
    words.append(tuple(np.random.default_rng(SEED).integers(0, len(letters), 30).tolist()))
    for word in words:
        with torch.no_grad():
            logits = program.model(torch.tensor([[*word, len(letters)]]), at=-1)[0]
        state = automaton["start"]
        for a in word:
            state = automaton["moves"][state][letters[a]]
        for k, accepting in enumerate(document["languages"]):
            if bool(logits[2 * k + 1] > logits[2 * k]) != (names.index(state) in accepting):
                return f"language {k + 1} has another answer to {word}"
    return ""


def of_poison(document: Document, _: Verdict) -> str:
    """Noise in the caches of torch, in every layer, at every place that is said to be hidden."""
    built, n = _built(document), len(document["tokens"]) - 1
    if poison(built, document["tokens"]).hidden != tuple(document["hidden"]) and not hidden_from_all(built, n, document["hidden"]):
        return "a hidden place is seen"
    return ""


def hidden_from_all(built: Built, n: int, hidden: list[int]) -> bool:
    """Whether every later token has weight 0 on the hidden places: by the distances and blocks of its masks, one by one."""
    for layer in built.model.config.layers:
        if layer.mixer is None:
            continue
        mask = layer.mixer.mask  # type: ignore[union-attr]
        for i in range(n, built.model.config.length or 0):
            for j in (place - 1 for place in hidden):
                near = i - j < (mask.size if mask.kind == "window" else mask.local * mask.block if mask.kind == "block-sparse" else i + 1)
                if near or (mask.kind == "block-sparse" and j % mask.block >= mask.block - mask.global_):
                    return False
    return True


def of_cross_entropy(document: Document, _: Verdict) -> str:
    """Torch on prefixes drawn from the source: the divergence of each, or the cross-entropy of all where they are few."""
    program, parameters, rng = _program(document), document["claim"]["parameters"], np.random.default_rng(0)
    n, start, step, law = source(document["claim"])
    if document["bound"] == "at-most":
        for _ in range(FRESH):
            prefix, state = [], start
            for _ in range(int(rng.integers(1, min(n, 60) + 1))):
                options = [s for s, q in enumerate(law(state)[:-1]) if q > 0 and step(state, s) is not None]
                if not options:
                    break
                prefix.append(int(rng.choice(options)))
                state = step(state, prefix[-1])
            if prefix and (apart := _divergences(program, [prefix], [law(state)])[0]) > document["excess"] + 1e-9:
                return f"{apart} nats after {prefix}"
        return ""
    if n > 12:
        return ""
    weighed = [(x, *probability(x, start, step, law)) for x in product(range(len(law(start)) - 1), repeat=n)]
    met = [(x, weight, state) for x, weight, state in weighed if weight > 0]
    apart = _divergences(program, [list(x) for x, _, _ in met], [law(state) for _, _, state in met])
    excess = float(np.average(apart, weights=[weight for _, weight, _ in met]))
    return "" if excess >= document["excess"] - 1e-9 else f"it is {excess} nats above the optimum at {parameters}"


def source(claim: Document) -> tuple[int, Any, Callable[[Any, int], Any], Callable[[Any], list[float]]]:
    """Length, first state, moves and laws of a source, by the tasks' own code; the state is the prefix where there is a task."""
    parameters = claim["parameters"]
    if claim["task"] == "source":
        shares = [[share / sum(row) for share in row] for row in parameters["shares"]]
        return parameters["length"], 0, lambda q, s: parameters["moves"][q][s], lambda q: shares[q]
    task = make_task(claim["task"], **{key: value for key, value in parameters.items() if key != "depth"})
    depth = parameters.get("depth") or task.length

    def step(prefix: tuple[int, ...], s: int) -> tuple[int, ...] | None:
        after = (*prefix, s)
        deep = claim["task"] == "dyck-2-next" and sum(1 if b < 2 else -1 for b in after) > depth
        return None if deep or task.law(after) is None else after  # type: ignore[attr-defined]

    return task.length, (), step, lambda prefix: list(task.law(prefix))  # type: ignore[attr-defined]


def probability(x: tuple[int, ...], start: Any, step: Callable[[Any, int], Any], law: Callable[[Any], list[float]]) -> tuple[float, Any]:
    """The probability of a prefix, and the state after it."""
    weight, state = 1.0, start
    for s in x:
        weight, after = weight * law(state)[s], step(state, s)
        if not weight or after is None:
            return 0.0, None
        state = after
    return weight, state


def _divergences(program: Program, prefixes: list[list[int]], laws: list[list[float]]) -> list[float]:
    """Of the laws of the next symbol from what torch predicts, after prefixes of one length."""
    with torch.no_grad():
        logs = program.model(torch.tensor(prefixes), at=-1).double().log_softmax(dim=-1).tolist()
    return [sum(q * (np.log(q) - z) for q, z in zip(law, row, strict=True) if q > 0) for law, row in zip(laws, logs, strict=True)]


def of_receptive_field(document: Document, _: Verdict) -> str:
    """By the package's own oracle: the two inputs differ only where a path of steps, one for each layer, cannot lead."""
    task = make_task(document["claim"]["task"], **document["claim"]["parameters"])
    one, other = (tuple(tokens) for tokens in document["inputs"])
    seen = {document["position"]}
    for window in document["stack"]:
        seen |= {place - back for place in seen for back in range(min(window, len(one))) if place - back >= 0}
    if any(one[place] != other[place] for place in seen):
        return "the stack sees a token that differs"
    answers = [task.answer(tokens) for tokens in (one, other)]
    return "" if None not in answers and answers[0] != answers[1] else f"the answers are {answers}"


OBJECTIONS: dict[str, Callable[[Document, Verdict], str]] = {
    "program": of_program,
    "cases": of_cases,
    "counterexample": of_counterexample,
    "transcript-collision": of_transcript_collision,
    "restriction": of_restriction,
    "pair": of_pair,
    "cross-entropy": of_cross_entropy,
    "fooling-set": of_fooling_set,
    "state-profile": of_state_profile,
    "state-machine": of_state_machine,
    "state-collision": of_state_collision,
    "chain-count": of_chain_count,
    "depth-reduction": of_depth_reduction,
    "poison": of_poison,
    "period": of_period,
    "languages": of_languages,
    "receptive-field": of_receptive_field,
}
