"""The rule of registers: symbolic execution of register files, what it proves and what not, against every input of small ones."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from typing import Any

import numpy as np
import pytest

from separatrix.checker.budget import Budget, OverBudget
from separatrix.checker.models.description import read_description
from separatrix.checker.models.mixers.register_file import RegisterFile
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.replay import registers
from separatrix.checker.replay.predicates import TooMany
from separatrix.checker.replay.proof import Unfit, Unproven
from separatrix.checker.seal import Refused
from separatrix.checker.specs import Spec, spec_of
from separatrix.checker.specs.forms.local import Count, Part, Parts
from separatrix.checker.specs.forms.lookup import ByDelay, ByIndex, Lookup
from tests.checker.replay.proved import proved
from tests.checker.replay.small_models import changed, made, not_above, true_lead

BUDGET = Budget(60)
KEEP, CLEAR, SET, COPY, NOT = (0, 1, 0, 0), (0, 0, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0), (1, -1, 0, 0)
AND, AND_NOT, OR, XOR = (0, 0, 0, 1), (0, 1, 0, -1), (0, 1, 1, -1), (0, 1, 1, -2)
ADD = (0, 1, 1, 0)  # not a bit where both are 1
GATES = (KEEP, CLEAR, SET, COPY, NOT, AND, AND_NOT, OR, XOR, ADD)
ODDS = (0.22, 0.08, 0.12, 0.12, 0.08, 0.12, 0.08, 0.12, 0.04, 0.02)


def file_of(rows: int, n: int, writes: int, held: int, scratch: int, targets: int, numbered: int = 0) -> dict[str, Any]:
    """A register file behind one-hot tokens, in the words of a certificate."""
    width = max(rows + numbered, held)
    place = {"address": "one-hot", "dims": numbered, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    mixer = {
        "kind": "register-file", "registers": held, "scratch": scratch, "writes": writes, "rows": rows, "numbers": numbered, "length": n,
    }  # fmt: skip
    return {
        "arithmetic": "float32",
        "length": n,
        "width": width,
        "embedding": {
            "reads": "tokens",
            "plain": rows - (numbered > 0),
            "numbers": numbered,
            "number_address": place if numbered else None,
            "places": [],
            "gated": False,
        },
        "layers": [{"mixer": mixer, "feedforward": None, "residual": False, "norm": "none"}],
        "readout": {"targets": targets, "norm": "none", "bias": True},
    }


def model_of(document: dict[str, Any], tensors: dict[str, Any]) -> Model:
    d = read_description(document)
    mixer = d.layers[0].mixer
    assert isinstance(mixer, RegisterFile)
    one_hot = np.eye(mixer.rows + mixer.numbered, d.width)
    whole = {"embedding.table": one_hot[: mixer.rows], **tensors}
    if mixer.numbered:
        whole["embedding.number.weight"] = one_hot[mixer.rows :]
    return Model(d, whole, numbers("float32"))


# -- what it proves ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("index-lookup/recurrent", {"length": 7, "symbols": 2}),
        ("index-lookup/recurrent", {"length": 40, "symbols": 5}),
        ("copy/recurrent", {"length": 20, "symbols": 4}),
        ("equality/recurrent", {"length": 2}),
        ("equality/recurrent", {"length": 100}),
        ("equality/recurrent", {"length": 20, "symbols": 6}),
        ("intersects/recurrent", {"length": 100}),
    ],
)
def test_register_files_of_the_house_are_proven(name: str, settings: dict[str, Any]) -> None:
    proof = proved("registers", *made(name, **settings), BUDGET)
    assert proof.rule == "registers"
    assert 1.99 < proof.margin <= 2


@pytest.mark.parametrize(
    ("name", "settings", "tensor", "at", "by", "why"),
    [
        ("equality/recurrent", {"length": 10}, "layers.0.mixer.gates", (7, 0, 1, 1), 1.0, "does not show|may get"),
        ("equality/recurrent", {"length": 10}, "layers.0.mixer.read", (7, 0), 1, "does not show"),  # compares another place
        ("equality/recurrent", {"length": 10}, "layers.0.mixer.write", (7, 0), 1, "does not show"),
        ("intersects/recurrent", {"length": 10}, "layers.0.mixer.gates", (6, 0, 1, 1), -1.0, "does not show|may get"),
        ("intersects/recurrent", {"length": 10}, "layers.0.mixer.read", (6, 0), 1, "does not show"),
        ("index-lookup/recurrent", {"length": 7, "symbols": 2}, "layers.0.mixer.number_read", (3, 0), 1, "may trail"),
        ("index-lookup/recurrent", {"length": 7, "symbols": 2}, "layers.0.mixer.gates", (3, 0, 1, 0), -1.0, "may trail"),
        ("copy/recurrent", {"length": 4, "symbols": 4}, "layers.0.mixer.read", (6, 1), 1, "may trail"),
        ("copy/recurrent", {"length": 4, "symbols": 4}, "readout.bias", (0,), 4.0, "may trail"),
        ("equality/recurrent", {"length": 10}, "embedding.table", (0, 1), 1.0, "one-hot"),
        ("equality/recurrent", {"length": 10}, "layers.0.mixer.gates", (2, 0, 0, 0), 0.5, "integers"),
    ],
)
def test_one_changed_entry_is_not_proven(
    name: str, settings: dict[str, Any], tensor: str, at: tuple[int, ...], by: float, why: str
) -> None:
    model, task = made(name, **settings)
    with pytest.raises(Unproven, match=why):
        proved("registers", changed(model, tensor, at, by), task, BUDGET)


def test_a_register_that_may_get_two_is_named_with_its_token_and_write() -> None:
    gates = np.array([[[SET, SET]], [[ADD, ADD]]], dtype=np.float64)
    model = model_of(
        file_of(2, 2, 1, 1, 0, 2),
        {
            "layers.0.mixer.write": np.zeros((2, 1), dtype=np.int64),
            "layers.0.mixer.read": np.zeros((2, 1), dtype=np.int64),
            "layers.0.mixer.gates": gates,
            "readout.weight": np.zeros((2, 2)),
            "readout.bias": np.zeros(2),
        },
    )
    with pytest.raises(Unproven, match="layer 1, token 2, write 1: a one-bit register may get 2"):
        proved("registers", model, spec_of("equality", {"length": 2, "symbols": 2}), BUDGET)


def test_other_tasks_and_other_models_do_not_fit() -> None:
    with pytest.raises(Unfit):
        proved("registers", *made("associative-recall/recurrent", length=3, symbols=3), BUDGET)
    with pytest.raises(Unfit):
        proved("registers", *made("equality", length=12), BUDGET)


def test_a_program_above_the_budget_is_not_begun() -> None:
    with pytest.raises(OverBudget):
        proved("registers", *made("equality/recurrent", length=100), Budget(1e-4))


# -- soundness ---------------------------------------------------------------------------------------------------------------------


def random_program(rng: np.random.Generator) -> tuple[Model, Count | Lookup, list[tuple[int, ...]]]:
    """A few registers, a few writes, and gates of all kinds; what is asked of it is right now and then."""
    n, writes, held, scratch = int(rng.integers(2, 5)), int(rng.integers(1, 4)), int(rng.integers(1, 4)), int(rng.integers(0, 2))
    kind = rng.integers(3)
    form: Count | Lookup
    if kind == 0:
        rows, numbered, form = 3, n - 1, ByIndex(2, range(n, n + 1))
        alphabets = form.alphabets(n)
    elif kind == 1:
        n = 2 * max(1, n // 2)
        rows, numbered, form = 3, 0, ByDelay(2, range(n, n + 1), n // 2)
        alphabets = form.alphabets(n)
    else:
        rows, numbered = int(rng.integers(2, 4)), 0
        alphabets = tuple(range(rows) if rng.random() < 0.8 else range(1, 2) for _ in range(n))
        form = random_count(rng, alphabets)
    document = file_of(rows, n, writes, held, scratch, 2, numbered)
    gates = np.array(GATES)[rng.choice(len(GATES), p=ODDS, size=(n, writes, rows))]
    early = rng.random((n, writes, rows)) < 0.5 if kind < 2 else np.zeros((n, writes, rows), dtype=bool)
    gates[early & (np.arange(n)[:, None, None] < n // 2)] = KEEP
    tensors: dict[str, Any] = {
        "layers.0.mixer.write": rng.integers(0, held + scratch, size=(n, writes)),
        "layers.0.mixer.read": rng.integers(0, held + scratch, size=(n, writes)),
        "layers.0.mixer.gates": gates.astype(np.float64),
        "readout.weight": rng.integers(-2, 3, size=(2, document["width"])).astype(np.float64) * (rng.random((1, document["width"])) < 0.6),
        "readout.bias": rng.integers(-4, 5, size=2) / 4,
    }
    if numbered:
        tensors["layers.0.mixer.number_read"] = rng.integers(0, held + scratch, size=(numbered, writes))
    return model_of(document, tensors), form, [*product(*alphabets)]


def random_count(rng: np.random.Generator, alphabets: Sequence[range]) -> Count:
    """Some or all of one or two predicates."""
    n, parts = len(alphabets), []
    for _ in range(rng.integers(1, 3)):
        places = tuple(sorted({*rng.integers(0, n, size=2).tolist()}))
        parts.append(Part(places, rng.integers(0, 2, size=[len(alphabets[p]) for p in places]).astype(bool)))
    found, above = Parts(tuple(alphabets), tuple(parts)), int(rng.choice([0, len(parts) - 1]))
    return Count(range(n, n + 1), lambda _: found, lambda _: above, few=int(rng.integers(2)), many=1)


def matching_count(model: Model, inputs: list[tuple[int, ...]], form: Count, rng: np.random.Generator) -> Count:
    """What the program itself decides, as one predicate of all places, so that what is asked of it is often right."""
    alphabets = form.at(form.lengths[0]).alphabets
    said = (
        model.logits(np.array(inputs), [len(alphabets) - 1]).middle[:, 0].argmax(axis=1).reshape([len(a) for a in alphabets]).astype(bool)
    )
    if rng.random() < 0.2:
        said[tuple(rng.integers(size) for size in said.shape)] ^= True
    parts = Parts(alphabets, (Part(tuple(range(len(alphabets))), said),))
    return Count(form.lengths, lambda _: parts, lambda _: 0, few=0, many=1)


def compare(rng: np.random.Generator) -> str:
    model, form, inputs = random_program(rng)
    if isinstance(form, Count) and rng.random() < 0.7:
        with suppress(Refused):  # some input puts 2 into a register
            form = matching_count(model, inputs, form, rng)
    mixer = model.description.layers[0].mixer
    assert isinstance(mixer, RegisterFile)
    try:
        machine = registers.machine_of(model, mixer, Budget(1000))
        bound = registers.least_lead(machine, form, form.lengths[0])
    except (Unproven, TooMany):
        return "not covered"
    assert not_above(bound, true_lead(model, form, inputs), model)  # which fails as well where some input puts 2 into a register
    return "proven" if bound > 0 else "bounded"


def test_no_bound_on_a_random_program_is_above_the_truth() -> None:
    rng = np.random.default_rng(0)
    found = [compare(rng) for _ in range(400)]
    assert min(found.count("proven"), found.count("bounded"), found.count("not covered")) > 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
def test_no_bound_on_a_thousand_random_programs_is_above_the_truth(seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = [compare(rng) for _ in range(1000)]
    assert min(found.count("proven"), found.count("bounded")) > 10


def test_registers_hold_what_the_program_puts_there() -> None:
    """Execution on unknown symbols against execution on every input: the registers themselves, not only the answer."""
    rng = np.random.default_rng(7)
    compared = 0
    while compared < 150:
        model, form, inputs = random_program(rng)
        if not isinstance(form, Count):
            continue
        alphabets, n = form.at(form.lengths[0]).alphabets, form.lengths[0]
        mixer = model.description.layers[0].mixer
        assert isinstance(mixer, RegisterFile)
        execution = registers.Execution(registers.machine_of(model, mixer, Budget(1000)), alphabets)
        try:
            for t in range(n):
                execution.step(t)
        except Unproven:
            continue
        x = np.eye(mixer.rows, model.description.width)[np.array(inputs)]
        weights = {name.removeprefix("layers.0.mixer."): tensor for name, tensor in model.weights.items() if "mixer" in name}
        real = mixer.mix(model.ops, weights, Box(x), np.array([n - 1])).middle[:, 0]
        for r, predicate in execution.state.items():
            said = [
                predicate.negated != any(part.holds[tuple(tokens[p] - alphabets[p].start for p in part.places)] for part in predicate.parts)
                for tokens in inputs
            ]
            assert [*real[:, r]] == said
        compared += 1


def test_large_tables_are_paid_for_when_they_are_made() -> None:
    """Twelve bits are joined into one predicate, and then changed again and again."""
    N, K = 12, 12
    bits = Spec(
        title="", alphabets=(range(2),) * N, vocabulary=2, targets=2, truth=lambda tokens: sum(tokens) % 2, input_count=None,
        form=lambda: Count(range(N, N + 1), lambda _: Parts((range(2),) * N, ()), lambda _: 0, 0, 1),
    )  # fmt: skip
    model = parity_of_bits(N, K)
    for seconds, said in ((1, Unproven), (0.15, OverBudget), (0.01, OverBudget)):
        with pytest.raises(said):
            registers.prove(model, bits.form(), {"rule": "registers"}, Budget(seconds))


def parity_of_bits(N: int, K: int) -> Model:
    """Each token turns register 0 where it is 1; the last one turns it on and on."""
    gates = np.zeros((N, K, 2, 4))
    gates[..., 1] = 1
    gates[:, 0, 1] = (1, -1, 0, 0)
    gates[-1, 1:] = (1, -1, 0, 0)
    still = np.zeros((N, K), dtype=np.int64)
    tensors = {
        "embedding.table": np.eye(2), "layers.0.mixer.write": still, "layers.0.mixer.read": still, "layers.0.mixer.gates": gates,
        "readout.weight": np.array([[0.0, 0.0], [1.0, 0.0]]),
    }  # fmt: skip
    mixer = {"kind": "register-file", "registers": 1, "scratch": 0, "writes": K, "rows": 2, "numbers": 0, "length": N}
    description = {
        "arithmetic": "float64", "length": N, "width": 2, "readout": {"targets": 2, "norm": "none", "bias": False},
        "embedding": {"reads": "tokens", "plain": 2, "numbers": 0, "number_address": None, "places": [], "gated": False},
        "layers": [{"mixer": mixer, "feedforward": None, "residual": False, "norm": "none"}],
    }  # fmt: skip
    return Model(read_description(description), tensors, numbers("float64"))
