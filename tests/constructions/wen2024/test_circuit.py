"""Circuits by a Transformer: every gate, of the whole input or step by step, up to a thousand tokens."""

from __future__ import annotations

import random

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
    ("circuit/transformer/recurrent", {"length": 1, "circuit": "recurrent-add-4"}),
    ("circuit/transformer/recurrent", {"length": 3, "circuit": "recurrent-add-4"}),
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
    assert len(chain) == 13 * 90 + 2


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
    built.heads(2).key.data[-2:] *= 0  # the next token is read from everywhere
    assert not trial(built, [{"kind": "all", "seed": 0, "count": 32}]).holds


def test_a_recurrent_model_with_its_own_chain_of_random_gates_gate_by_gate() -> None:
    """Against a second evaluation, of strings: every gate, every token, and the length 1 + (P + 1) T of the theorem."""
    rng = random.Random(3)
    for bits, state, steps, n in ((1, 2, 0, 3), (2, 1, 3, 2), (3, 4, 1, 1), (2, 3, 2, 4)):
        gates = [f"s{i}" for i in range(1, state + 1)] + [f"x{i}" for i in range(1, bits + 1)]
        rng.shuffle(gates)
        while len(gates) < 14:
            reads = [str(rng.randint(1, len(gates))) for _ in range(2)]
            gates.append(rng.choice(["one", f"not {reads[0]}", *(f"{kind} {' '.join(reads)}" for kind in ("and", "or", "xor"))]))
        text = f"bits = {bits}\nstate = {state}\nsteps = {steps}\ngates = {gates}\n".replace("'", '"')
        built = build("circuit/transformer/recurrent", length=n, circuit=text)
        for _ in range(5):
            tokens = [rng.randrange(1 << bits) for _ in range(n)]
            chain = built.task.text(built.generate([0, *(1 + token for token in tokens)]))
            assert chain == evaluated(gates, bits, state, steps, tokens), text
            assert len(chain.split()) == 1 + (len(gates) + 1) * (n + steps) + 1


def evaluated(gates: list[str], bits: int, state: int, steps: int, tokens: list[int]) -> str:
    words, sequence, held = [str(tokens[0])], list(tokens), [0] * state
    for t in range(len(tokens) + steps):
        value = {"one": 1, **{f"x{i + 1}": sequence[t] >> i & 1 for i in range(bits)}, **{f"s{i + 1}": bit for i, bit in enumerate(held)}}
        now: list[int] = []
        for gate in gates:
            kind, *reads = gate.split()
            a = [now[int(read) - 1] for read in reads]
            now.append({"not": 1 - sum(a), "and": int(sum(a) == 2), "or": int(sum(a) > 0), "xor": sum(a) % 2}[kind] if a else value[kind])
        held = now[-state:]
        if t + 1 >= len(tokens):
            sequence.append(sum(bit << i for i, bit in enumerate(now[-state - bits : -state])))
        words += [*(f"b{bit}" for bit in now), str(sequence[t + 1])]
    return " ".join([*words, "</s>"])


def test_nothing_but_the_tables_of_gates_grows_with_the_circuit_and_nothing_with_the_input() -> None:
    """[wen2024 Theorem 4.8]: P + O(1) hidden units for each table; positions are k and k^2, whatever P and n."""
    shapes = []
    for P in (8, 16, 32):
        gates = ["s1", "x1", *["xor 1 2"] * (P - 2)]
        text = f"bits = 1\nstate = 1\ngates = {gates}\n".replace("'", '"')
        small, large = (build("circuit/transformer/recurrent", length=n, circuit=text) for n in (2, 40))
        assert {**small.sizes(), "representation_bits": 0} == {**large.sizes(), "representation_bits": 0}
        places = small.model.config.embedding.places
        assert [(place.address, place.shift, place.fold) for place in places] == [("quadratic", 0, 0)]
        shapes.append((small.sizes()["width"], small.sizes()["heads"], small.sizes()["layers"], small.sizes()["hidden"]))
    assert len({shape[:3] for shape in shapes}) == 1
    assert all(shape[3] <= 9 * P + 40 for shape, P in zip(shapes, (8, 16, 32), strict=True))
