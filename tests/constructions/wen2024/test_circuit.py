"""Circuits by a Transformer: every gate, of the whole input or step by step, up to a thousand tokens."""

from __future__ import annotations

import pytest

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_document, check_text, sealed
from separatrix.constructions import build, construction
from separatrix.errors import BadInput
from tests.tasks.test_circuit import MAJORITY

CIRCUITS = [
    ("circuit/transformer", {"length": 5}),
    ("circuit/transformer", {"length": 3, "circuit": MAJORITY}),
    ("circuit/transformer", {"length": 2, "circuit": 'gates = ["one", "x2", "not 2", "x1", "xor 3 4", "or 5 1", "and 5 6"]'}),
    ("circuit/transformer/recurrent", {"length": 5}),
    ("circuit/transformer/recurrent", {"length": 4, "circuit": "recurrent-mod-3"}),
]


@pytest.mark.parametrize("arithmetic", ["float64", "nearest:61,strict"])
@pytest.mark.parametrize(("name", "chosen"), CIRCUITS)
def test_every_gate_of_every_input(name: str, chosen: dict[str, object], arithmetic: str) -> None:
    built = build(name, arithmetic=arithmetic, **chosen)
    assert trial(built, [{"kind": "all", "seed": 0, "count": built.task.input_count}]).holds


@pytest.mark.slow
def test_a_chain_of_a_thousand_tokens() -> None:
    built = build("circuit/transformer/recurrent", length=90, circuit="recurrent-mod-3")
    tokens = built.task.sample(0, 1).row(0)
    chain = built.generate(tokens)
    assert chain == built.task.chain(tokens)
    assert len(chain) == 12 * 90 + 1


def test_the_size_grows_with_the_gates_and_not_with_the_input() -> None:
    declared = construction("circuit/transformer/recurrent")
    sizes = [declared.sizes(declared.task_at(length=n, circuit="recurrent-mod-3").parameters) for n in (3, 200)]
    assert sizes[0] == sizes[1]
    hidden = {n: build("circuit/transformer", length=n).sizes()["hidden"] for n in (8, 16)}
    assert hidden[16] <= 2 * hidden[8]  # at most so many units for each gate


def test_the_certificate_contains_the_circuit_and_the_checker_evaluates_it() -> None:
    certificate = verify(build("circuit/transformer", length=3, circuit=MAJORITY))
    verdict = check_text(certificate.to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason
    assert "and 7 gates on 3 bits, gate by gate: right on all 8 inputs" in verdict.claim
    for old, new, reason in (
        ("or 4 6", "or 6 4", ""),
        ("or 4 6", "and 4 6", "the program says"),
        ("or 4 6", "or 4 7", "does not read earlier gates"),
    ):
        parameters = {**certificate.document["claim"]["parameters"], "circuit": MAJORITY.replace(old, new)}
        document = {**certificate.document, "claim": {"task": "circuit", "parameters": parameters}}
        judged = check_document(sealed({key: value for key, value in document.items() if key != "digest"}))
        assert judged.holds == (not reason), judged.reason  # another circuit with the same values is another true claim
        assert reason in judged.reason


@pytest.mark.parametrize(
    ("name", "circuit", "message"),
    [
        ("circuit/transformer", "recurrent-parity", "expected a circuit over the whole input, without `state`"),
        ("circuit/transformer/recurrent", "parity", "expected a recurrent circuit, with `state`"),
    ],
)
def test_each_construction_takes_its_kind_of_circuit(name: str, circuit: str, message: str) -> None:
    with pytest.raises(BadInput, match=f"^circuit: {message}$"):
        build(name, length=4, circuit=circuit)


def test_a_changed_weight_is_noticed() -> None:
    built = build("circuit/transformer/recurrent", length=5)
    built.heads(1).key.data[-2:] *= 0  # the input bit is read from everywhere
    assert not trial(built, [{"kind": "all", "seed": 0, "count": 32}]).holds
