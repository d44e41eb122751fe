"""Every spec of the checker against its task, at parameters that an attacker could choose: ranges, answers, chains and counts agree.

`python -m tests.laws.test_specs 15000` tries more of them.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from itertools import islice, product
from typing import Any

import pytest

from separatrix.checker.cases import drawn, families
from separatrix.checker.seal import Refused
from separatrix.checker.specs import FILE, Spec, names, spec_of
from separatrix.checker.specs.parameters import Integer, Word
from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.capabilities import chain_of
from tests.checker.specs.settings import GIVEN

SETTINGS = 12  # of each task, in the suite
FEW = 400  # strings over the alphabets that are all compared
SYMBOLS = "abc"
Chosen = dict[str, Any]


def language(rng: random.Random, depth: int = 3) -> str:
    if depth == 0:
        return rng.choice(["a", "b", "c", ".", "[ab]", "[^b]", "()"])
    x, y = language(rng, depth - 1), language(rng, depth - 1)
    return rng.choice([f"{x}{y}", f"({x}|{y})", f"({x})*", f"({x})+{y}", f"({x})?{y}", f"({x}){{1,3}}"])


def automaton(rng: random.Random) -> str:
    states = [f"q{i}" for i in range(rng.randint(1, 5))]
    moves = {q: {a: rng.choice(states) for a in SYMBOLS if rng.random() < 0.8} for q in states}
    accepting = [q for q in states if rng.random() < 0.5]
    return json.dumps({"alphabet": [*SYMBOLS], "start": rng.choice(states), "accepting": accepting, "moves": moves})


def machine(rng: random.Random) -> str:
    states = [f"q{i}" for i in range(rng.randint(1, 4))]
    rows = []
    for q in states:
        rows.append(f"[moves.{q}]")
        rows += [f'"{c}" = ["{rng.choice([*states, "yes", "no"])}", "{rng.choice("01_")}", "{rng.choice("LRS")}"]' for c in "01_"]
    return "\n".join(['start = "q0"', 'accept = "yes"', 'reject = "no"', 'blank = "_"', 'input = "01"', *rows])


def circuit(rng: random.Random, length: int) -> str:
    state = rng.choice((0, 0, 1, 2))
    gates: list[str] = []
    for number in range(1, rng.randint(state + 1, 9)):
        sources = ["x" if state else f"x{rng.randint(1, length)}", "one", *(f"s{i}" for i in range(1, state + 1))]
        earlier = [rng.randint(1, max(1, number - 1)) for _ in range(2)]
        made = [f"not {earlier[0]}", *(f"{kind} {earlier[0]} {earlier[1]}" for kind in ("and", "or", "xor"))] if number > 1 else []
        gates.append(rng.choice([*sources, *made]))
    recurrent = bool(state) and len(gates) >= state
    if recurrent and len(gates) > state and rng.random() < 0.5:  # tokens of several bits, and a chain of its own
        bits = rng.randint(1, min(3, len(gates) - state))
        gates = [f"x{rng.randint(1, bits)}" if gate == "x" else gate for gate in gates]
        return f"gates = {json.dumps(gates)}\nstate = {state}\nbits = {bits}\nsteps = {rng.randint(0, 3)}\n"
    return f"gates = {json.dumps(gates or ['one'])}\n" + (f"state = {state}\n" if recurrent else "")


def features(rng: random.Random, length: int) -> str:
    entries = []
    for _ in range(rng.randint(0, length)):
        places = rng.sample(range(1, length + 1), rng.randint(1, min(3, length)))
        entries.append(f"{','.join(map(str, places))}:{''.join(rng.choice('01') for _ in range(2 ** len(places)))}")
    return "; ".join(entries)


def formula(rng: random.Random, length: int, inner: str, outer: str) -> str:
    def literal() -> str:
        return f"{rng.choice(['', '!', '! '])}x{rng.randint(1, length)}"

    parts = [f" {inner} ".join(literal() for _ in range(rng.randint(1, 3))) for _ in range(rng.randint(0, min(4, length)))]
    return f" {outer} ".join(f"({part})" if rng.random() < 0.5 else part for part in parts)


TEXTS: dict[tuple[str, str], Callable[[random.Random, int], Any]] = {
    ("regular", "language"): lambda rng, _: rng.choice([language, automaton])(rng),
    ("regular", "alphabet"): lambda rng, _: rng.choice([None, "abc", "abcd"]),
    ("state-tracking", "language"): lambda rng, _: rng.choice([language, automaton])(rng),
    ("state-tracking", "alphabet"): lambda rng, _: rng.choice([None, "abc", "abcd"]),
    ("turing-machine", "machine"): lambda rng, _: machine(rng),
    ("circuit", "circuit"): circuit,
    ("sparse-threshold", "features"): features,
    ("k-dnf", "formula"): lambda rng, n: formula(rng, n, "&", "|"),
    ("k-cnf", "formula"): lambda rng, n: formula(rng, n, "|", "&"),
    ("partition-equality", "first"): lambda rng, n: tuple(rng.sample(range(1, n + 1), n // 2)) if rng.random() < 0.5 else (),
    ("arithmetic", "order"): lambda *_: "leftmost",
    ("lis", "compact"): lambda rng, _: rng.random() < 0.5,
    ("mqar", "absent"): lambda *_: True,
    ("associative-recall", "absent"): lambda *_: True,
    ("nearest-neighbor", "gamma"): lambda rng, _: round(rng.uniform(0.01, 2.05), 3),
}
LARGEST = {"dimension": 5, "steps": 60, "margin": 3, "padding": 4, "rows": 5, "instance": 9, "rule": 255, "edges": 7, "prime": 13, "k": 4}


def chosen(name: str, rng: random.Random) -> Chosen:
    """Parameters within the declared ranges, at small sizes, the ends of the ranges among them."""
    from importlib import import_module

    known = import_module(f"separatrix.checker.specs.{FILE[name]}").TASKS[name]
    fields = {**known.fields, **{key: kind for key, kind in known.extensions.items() if rng.random() < 0.5}}
    length = rng.choice([1, 2, 2, 3, 4, 5, 6, 7, 8, 11, 12])
    values: Chosen = {"length": length + (length % 2 if fields["length"].even else 0)}
    for key, kind in fields.items():
        if (name, key) in TEXTS:
            values[key] = TEXTS[name, key](rng, values["length"])
        elif isinstance(kind, Word):
            values[key] = rng.choice(kind.allowed)
        elif isinstance(kind, Integer) and key != "length":
            high = min(kind.high, LARGEST.get(key, 6))
            values[key] = None if kind.optional and rng.random() < 0.5 else rng.randint(max(kind.low, -3), high)
    return values


def compared(name: str, settings: Chosen, rng: random.Random) -> bool:
    """Whether the task takes these parameters; then its spec does, and both say the same."""
    try:
        task = make_task(name, **settings)
        parameters = json.loads(json.dumps(task.parameters))  # some tasks read a language only here
    except BadInput:
        return False
    spec = spec_of(name, parameters)
    assert (spec.vocabulary, len(spec.alphabets)) == (task.vocabulary, len(task.alphabets()))
    assert spec.targets == task.targets or spec.vectors  # vectors have no vocabulary of answers, only a bound
    for mine, alphabet in zip(spec.alphabets, task.alphabets(), strict=True):
        assert {*alphabet} <= {*mine}  # what else there is has no answer, as the strings below show
    for tokens in strings(spec, rng):
        assert spec.answer(tokens) == task.answer(tokens), tokens
    met = set()
    for family in families(spec):
        try:
            cases = [*drawn(spec, family, rng.getrandbits(60), 6)]
        except Refused:
            continue  # nothing that is drawn lies inside the promise, as of a machine that seldom halts
        for case, wanted in cases:
            row = tuple(case.tolist())
            met.add(row)
            answers = tuple(wanted.values())
            assert task.answer(row) == (answers if len(answers) > 1 else answers[0]), row
            if spec.written and not spec.vectors:
                assert spec.chain(row) == chain_of(task, row), row
            near = changed(spec, row, rng)
            assert spec.answer(near) == task.answer(near) if len(near) == len(spec.alphabets) else True, near
    if spec.input_count is not None and spec.input_count <= FEW and not spec.several_lengths:
        listed = [tokens for tokens in spec.inputs() if spec.truth(tokens) is not None]
        assert len(listed) == len({*listed}) == spec.input_count
        assert met <= {*listed}
    return True


def strings(spec: Spec, rng: random.Random) -> list[tuple[int, ...]]:
    """All strings over the alphabets if they are few, else some."""
    every = [*islice(product(*spec.alphabets), FEW + 1)]
    return every if len(every) <= FEW else [tuple(rng.choice(alphabet) for alphabet in spec.alphabets) for _ in range(30)]


def changed(spec: Spec, row: tuple[int, ...], rng: random.Random) -> tuple[int, ...]:
    """One token of a case, replaced by another of the same place."""
    place = rng.randrange(len(row))
    alphabet = spec.alphabets[min(place, len(spec.alphabets) - 1)]
    return (*row[:place], rng.choice(alphabet), *row[place + 1 :])


@pytest.mark.parametrize("name", sorted(names() - GIVEN))
def test_a_spec_says_what_its_task_says_at_any_parameters(name: str) -> None:
    rng = random.Random(name)
    taken = sum(compared(name, chosen(name, rng), rng) for _ in range(SETTINGS))
    assert taken >= 2, "hardly any of the parameters are those of a task"


def test_parameters_outside_the_declared_ranges_are_refused_by_every_spec() -> None:
    from importlib import import_module

    met = 0
    for name in sorted(names() - GIVEN):
        fields = import_module(f"separatrix.checker.specs.{FILE[name]}").TASKS[name].fields
        rng = random.Random(name)
        honest = next(settings for settings in (chosen(name, rng) for _ in range(400)) if _taken(name, settings))
        for key, kind in fields.items():
            wrong: list[Any] = ["8", True, 8.0, None, [], {}] if isinstance(kind, Integer) else [7, "no such word", None, []]
            wrong += [kind.low - 1, kind.high + 1, 10**30, -(10**30)] if isinstance(kind, Integer) else []
            for value in wrong if isinstance(kind, Integer | Word) else ():
                if value is None and isinstance(kind, Integer) and kind.optional:
                    continue
                with pytest.raises(Refused):
                    spec_of(name, {**honest, key: value})
                met += 1
    assert met > 500


def _taken(name: str, settings: Chosen) -> bool:
    try:
        return bool(spec_of(name, json.loads(json.dumps(settings))))
    except Refused:
        return False


def main(count: int, seed: int = 0) -> None:
    """Compare so many settings; prints how many of each task were taken."""
    rng, tally, every = random.Random(seed), dict[str, int](), sorted(names() - GIVEN)
    for i in range(count):
        name = every[i % len(every)]
        settings = chosen(name, rng)
        try:
            tally[name] = tally.get(name, 0) + compared(name, settings, rng)
        except Exception as error:
            print(name, settings, type(error).__name__, str(error)[:300])
    print(sum(tally.values()), "of", count, tally)


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(int, sys.argv[2:]))
