"""A statement is cited where the claim is an instance of it: for each, models and witnesses that may, and others that may not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from separatrix.checker.seal import Refused
from separatrix.checker.specs import Spec
from separatrix.checker.statements import LOWER, UPPER, Shape, Witness, check_lower, check_statement, shape_of, why_not
from separatrix.papers import statement
from tests.checker.specs.settings import both

SOFTMAX = frozenset({"softmax attention"})
MIXED = frozenset({"softmax attention", "uniform attention"})
Fits = tuple[str, str, dict[str, Any], Shape]

FITTING: list[Fits] = [  # sizes that the package's constructions have: parts, layers, H, m, hidden, p
    ("Theorem 1", "index-lookup", {"length": 4, "symbols": 3}, Shape(SOFTMAX, 1, 1, 6, 4, 64)),
    ("Theorem 1", "index-lookup", {"length": 1000, "symbols": 64}, Shape(SOFTMAX, 1, 1, 26, 12, 64)),  # binary digits
    ("Theorem 1", "index-lookup", {"length": 1000, "symbols": 64}, Shape(SOFTMAX, 1, 1, 70, 12, 32)),  # a code
    ("Theorem 1", "index-lookup", {"length": 10**6, "symbols": 64}, Shape(SOFTMAX, 1, 1, 262, 12, 64)),
    ("Theorem 6", "equality", {"length": 12}, Shape(MIXED, 2, 2, 25, 4, 64)),
    ("Theorem 6", "equality", {"length": 64, "symbols": 64}, Shape(MIXED, 2, 2, 32, 24, 32)),  # one head and a residual connection
    ("Theorem 6", "equality", {"length": 2, "symbols": 1000}, Shape(MIXED, 2, 2, 36, 40, 64)),
    ("Lemma 5", "partition-equality", {"length": 64, "instance": 1}, Shape(MIXED, 2, 2, 19, 4, 64)),
    ("Theorem 7", "nearest-neighbor", {"length": 20, "dimension": 10, "gamma": 0.01}, Shape(SOFTMAX, 2, 2, 30, 44, 64)),
    ("Theorem 7", "nearest-neighbor", {"length": 100, "dimension": 12}, Shape(SOFTMAX, 2, 2, 110, 52, 64)),
    ("Theorem 7", "associative-recall", {"length": 1000, "labels": 64}, Shape(SOFTMAX, 2, 2, 114, 58, 64)),
    ("Theorem 7", "mqar", {"length": 16, "labels": 64}, Shape(SOFTMAX, 2, 2, 38, 12, 32)),
    ("Theorem 13", "intersects", {"length": 12}, Shape(MIXED, 2, 3, 21, 8, 64)),
    ("Theorem 13", "sparse-threshold", {"length": 15}, Shape(MIXED, 2, 4, 29, 16, 12)),
    ("Theorem 13", "sparse-threshold", {"length": 100, "k": 5}, Shape(MIXED, 2, 6, 145, 64, 64)),
    ("Theorem 13", "k-dnf", {"length": 32}, Shape(MIXED, 2, 4, 19, 16, 64)),
    ("Theorem 13", "k-cnf", {"length": 32}, Shape(MIXED, 2, 4, 39, 16, 64)),
]


def oracle_of(name: str, chosen: dict[str, Any]) -> Spec:
    return both(name, chosen)[1]


@pytest.mark.parametrize(("key", "name", "chosen", "shape"), FITTING)
def test_what_is_built_may_cite_its_statement(key: str, name: str, chosen: dict[str, Any], shape: Shape) -> None:
    assert why_not(f"bhattamishra2024 {key}", oracle_of(name, chosen), shape) == ""


@pytest.mark.parametrize(("key", "name", "chosen", "shape"), FITTING)
def test_a_model_that_is_larger_in_any_way_or_shallower_may_not(key: str, name: str, chosen: dict[str, Any], shape: Shape) -> None:
    cites, task = f"bhattamishra2024 {key}", oracle_of(name, chosen)
    for larger, reason in (
        (replace(shape, layers=shape.layers + 1), f", found {shape.layers + 1}"),
        (replace(shape, layers=shape.layers - 1), f", found {shape.layers - 1}"),
        (replace(shape, heads=shape.heads + 1), f"heads (a residual connection counts as one) at this size, found {shape.heads + 1}"),
        (replace(shape, width=8 * task.tokens + 1000), "width at this size"),
        (replace(shape, hidden=32 * task.tokens + 4000), "hidden units at this size"),
        (replace(shape, precision=max(64, 8 * task.tokens.bit_length()) + 1), "bits of a number at this size"),
        (replace(shape, parts=shape.parts | {"hard attention"}), "is about softmax attention and feed-forward parts, found hard attention"),
        (replace(shape, parts=frozenset({"lstm"})), "found lstm"),
        (replace(shape, parts=frozenset()), "found no attention"),
    ):
        result = why_not(cites, task, larger)
        assert result.startswith(cites), larger
        assert reason in result, larger


BLOCKS = frozenset({"softmax attention", "block-sparse mask"})
LINEAR, WINDOW = frozenset({"linear-attention"}), frozenset({"softmax attention", "window mask"})
CHAINS: list[Fits] = [  # programs that write chains, with the sizes that they are built in
    ("Theorem 4.1", "reverse-sum", {"length": 400}, Shape(SOFTMAX, 1, 3, 14, 4, 64)),
    ("Theorem 4.1", "lis", {"length": 32}, Shape(SOFTMAX, 6, 5, 26, 8, 64)),
    ("Theorem 4.1", "edit-distance", {"length": 20, "second": 22}, Shape(SOFTMAX, 4, 6, 28, 14, 64)),
    ("Theorem 4.2", "reverse-sum", {"length": 400}, Shape(LINEAR, 5, 3, 281, 420, 64)),
    ("Theorem 4.2", "lis", {"length": 32}, Shape(BLOCKS, 10, 5, 320, 460, 64)),
    ("Theorem 4.2", "edit-distance", {"length": 20, "second": 22}, Shape(LINEAR, 8, 6, 463, 750, 64)),
    ("Proposition 5.1", "arithmetic", {"length": 16}, Shape(BLOCKS, 4, 6, 171, 476, 64)),
    ("Proposition 5.4", "cellular-automaton", {"length": 10, "rows": 20}, Shape(WINDOW, 3, 4, 24, 8, 64)),
    ("Proposition 5.4", "edit-distance-local", {"length": 6, "second": 8}, Shape(WINDOW, 8, 6, 43, 20, 64)),
]


@pytest.mark.parametrize(("key", "name", "chosen", "shape"), CHAINS)
def test_a_program_that_writes_a_chain_may_cite_its_statement_and_a_larger_one_may_not(
    key: str, name: str, chosen: dict[str, Any], shape: Shape
) -> None:
    cites, task = f"yang2024 {key}", oracle_of(name, chosen)
    assert why_not(cites, task, shape) == ""
    assert why_not(cites, task, replace(shape, layers=1)) == ""
    for larger, reason in (
        (replace(shape, layers=17), "layers, found 17"),
        (replace(shape, heads=9), "heads (a residual connection counts as one) at this size, found 9"),
        (replace(shape, width=40 * task.tokens + 1000), "width at this size"),
        (replace(shape, precision=129), "bits of a number at this size"),
        (replace(shape, parts=frozenset({"lstm"})), "and feed-forward parts, found lstm"),
        (replace(shape, parts=frozenset()), "found no attention"),
    ):
        assert reason in why_not(cites, task, larger), larger


def test_a_width_that_grows_with_the_root_of_the_length_is_not_constant() -> None:
    task = oracle_of("reverse-sum", {"length": 400})
    assert "allows 64 width" in why_not("yang2024 Theorem 4.1", task, Shape(SOFTMAX, 1, 3, 281, 4, 64))
    assert "is about linear-attention or softmax attention with a block-sparse mask" in why_not(
        "yang2024 Theorem 4.2", task, Shape(SOFTMAX, 1, 3, 14, 4, 64)
    )


def test_every_statement_was_met_with_every_task_of_its_own() -> None:
    met = {(f"bhattamishra2024 {key}", name) for key, name, _, _ in FITTING} | {(f"yang2024 {key}", name) for key, name, _, _ in CHAINS}
    assert met == {(key, name) for key in UPPER for name in UPPER[key] if not key.startswith("wen2024")}  # those by their constructions


@pytest.mark.parametrize("N", [100, 1000, 10**5])
def test_one_hot_addresses_are_not_logarithmic(N: int) -> None:
    """A symbol and two addresses of N coordinates, as a model of linear width has; with the digits instead it is an instance."""
    task = oracle_of("index-lookup", {"length": N, "symbols": 64})
    assert "Theorem 1 allows" in why_not("bhattamishra2024 Theorem 1", task, Shape(SOFTMAX, 1, 1, 6 + 2 * N, 12, 64))
    assert why_not("bhattamishra2024 Theorem 1", task, Shape(SOFTMAX, 1, 1, 6 + 2 * N.bit_length(), 12, 64)) == ""


def test_the_bounds_by_hand() -> None:
    """N = 1000: 1001 tokens, L = 10. Two addresses of 8 L and four times 6 bits are 184; three addresses and 4 are 244."""
    task = oracle_of("index-lookup", {"length": 1000, "symbols": 64})
    at = Shape(SOFTMAX, 1, 1, 184, 4 * 184, 80)
    assert why_not("bhattamishra2024 Theorem 1", task, at) == ""
    assert why_not("bhattamishra2024 Theorem 1", task, replace(at, width=185)).endswith("allows 184 width at this size, found 185")
    assert why_not("bhattamishra2024 Theorem 1", task, replace(at, hidden=737)).endswith("allows 736 hidden units at this size, found 737")
    assert why_not("bhattamishra2024 Theorem 1", task, replace(at, precision=81)).endswith(
        "allows 80 bits of a number at this size, found 81"
    )
    halves = oracle_of("equality", {"length": 1000})
    assert "allows 244 width" in why_not("bhattamishra2024 Theorem 6", halves, Shape(MIXED, 2, 2, 245, 4, 64))


@pytest.mark.parametrize(
    ("key", "name", "chosen", "heads", "width"),
    [  # L and the bits of a symbol, by hand
        ("Theorem 1", "index-lookup", {"length": 1, "symbols": 2}, 1, 16 + 4),  # 2 tokens, L = 1
        ("Lemma 5", "partition-equality", {"length": 64, "symbols": 3}, 2, 24 * 6 + 4 * 2),
        ("Theorem 7", "mqar", {"length": 16, "labels": 64}, 2, 24 * 5 + 4 * (4 + 6)),  # 31 tokens, 16 keys
        ("Theorem 7", "associative-recall", {"length": 32}, 2, 24 * 7 + 4 * (6 + 1)),  # 65 tokens, 64 keys
        ("Theorem 7", "nearest-neighbor", {"length": 16, "dimension": 6}, 2, 24 * 5 + 4 * (6 + 1)),
        ("Theorem 13", "k-cnf", {"length": 32}, 4, 8 * 5 * 6 + 4 * 8),  # 33 tokens, k = 3
        ("Theorem 13", "intersects", {"length": 12}, 3, 8 * 4 * 4 + 4 * 4),
    ],
)
def test_the_limits_of_every_statement_by_hand(key: str, name: str, chosen: dict[str, Any], heads: int, width: int) -> None:
    cites, task = f"bhattamishra2024 {key}", oracle_of(name, chosen)
    limits = UPPER[cites][name](task)
    assert (limits.heads, limits.width) == (heads, width)


def test_the_one_layer_models_of_equality_and_the_two_layer_ones_may_not_change_names() -> None:
    """One layer of width 1 has N/2 + 1 bits in a number: no statement about two layers, and none about logarithms."""
    task = oracle_of("equality", {"length": 200})
    one_layer = Shape(frozenset({"uniform attention"}), 1, 1, 1, 2, 101)
    assert why_not("bhattamishra2024 Theorem 6", task, one_layer) == "bhattamishra2024 Theorem 6 is about 2 layers, found 1"
    assert "allows 64 bits of a number" in why_not("bhattamishra2024 Theorem 6", task, replace(one_layer, layers=2))
    for lower in ("Theorem 12", "Theorem 5", "Theorem 11", "Theorem 3", "Theorem 2", "Proposition 9", "Fact 4"):
        key = f"bhattamishra2024 {lower}"
        assert why_not(key, task, one_layer) == f"'{key}' is a lower bound, which no program shows"


def test_other_tasks_may_not_borrow_a_statement() -> None:
    shape = Shape(MIXED, 2, 2, 6, 4, 64)
    reason = why_not("bhattamishra2024 Theorem 6", oracle_of("eq-random", {"length": 12}), shape)
    assert reason == "bhattamishra2024 Theorem 6 is about equality, found eq-random"
    assert "is not a statement that the checker knows" in why_not("proof checked in Lean", oracle_of("equality", {"length": 12}), shape)


def test_nothing_cited_is_always_right() -> None:
    check_statement("", oracle_of("parity", {"length": 3}), model({"kind": "lstm"}), 64)
    check_lower("", Witness("state-machine", oracle_of("parity", {"length": 3}), 1))


def attention(**changed: Any) -> dict[str, Any]:
    mask = {"kind": "all"}
    return {"kind": "attention", "scores": "softmax", "mask": mask, "heads": 2, "key_width": 4, "value_width": 1, "scaled": False,
            "bias": False, "rotary": False, **changed}  # fmt: skip


def model(*mixers: dict[str, Any] | None, residual: bool = False, norm: str = "none", readout: str = "none") -> dict[str, Any]:
    hidden = {"hidden": 8, "activation": "relu", "bias": True}
    layers = [{"mixer": mixer, "feedforward": hidden, "residual": residual, "norm": norm} for mixer in mixers]
    return {"width": 13, "layers": layers, "readout": {"targets": 2, "norm": readout, "bias": True}}


def test_the_shape_of_a_model_counts_everything_that_the_statements_speak_of() -> None:
    plain = model(attention(), attention(heads=1, scores="uniform"))
    assert shape_of(plain, 64) == Shape(MIXED, 2, 2, 13, 8, 64, 2, ends=True)
    assert shape_of(model(attention(), residual=True), 64).heads == 3
    assert shape_of(model(attention(key_width=40)), 64).width == 40
    assert shape_of(model(attention(value_width=41)), 64).width == 41
    assert shape_of(model(None, attention()), 32).layers == 2
    assert shape_of({**plain, "layers": [{**plain["layers"][0], "feedforward": None}]}, 64).hidden == 0
    assert shape_of({**plain, "layers": []}, 64) == Shape(frozenset(), 0, 0, 13, 0, 64)


@pytest.mark.parametrize(
    ("foreign", "part"),
    [
        (model(attention(scores="hard")), "hard attention"),
        (model(attention(rotary=True)), "rotary positions"),
        (model(attention(mask={"kind": "window", "size": 4})), "window mask"),
        (model(attention(), {"kind": "linear-rnn", "state": 3}), "linear-rnn"),
        (model({"kind": "register-file", "registers": 3}), "register-file"),
        (model(attention(), norm="layer"), "layer norm"),
        (model(attention(), readout="rms"), "rms norm"),
    ],
)
def test_parts_that_the_paper_does_not_have_are_named(foreign: dict[str, Any], part: str) -> None:
    assert part in shape_of(foreign, 64).parts
    task = oracle_of("equality", {"length": 12})
    assert f"found {part}" in why_not("bhattamishra2024 Theorem 6", task, shape_of(foreign, 64))
    assert "window mask" not in shape_of(model(attention(mask={"kind": "causal"})), 64).parts
    with pytest.raises(Refused, match=r"^cites: bhattamishra2024 Theorem 6 is about softmax attention"):
        check_statement("bhattamishra2024 Theorem 6", task, foreign, 64)
    check_statement("bhattamishra2024 Theorem 6", task, model(attention(), attention(heads=1, scores="uniform")), 64)


HALVES, ODD = tuple(range(3)), (0, 2, 4)
EQUALITY, LOOKUP, RECALL = {"length": 6}, {"length": 3, "symbols": 2}, {"length": 2, "symbols": 2}
NEAREST = {"length": 3, "dimension": 3, "gamma": 0.7}
WITNESSES: list[tuple[str, str, dict[str, Any], str, int, tuple[int, ...]]] = [  # statement, task, kind, least bits, alice
    ("Fact 4", "table", {}, "fooling-set", 0, (0,)),
    ("Fact 1", "intersects", {"length": 6}, "fooling-set", 3, HALVES),
    ("Fact 2", "equality", EQUALITY, "fooling-set", 3, HALVES),
    ("Lemma 1", "dyck", {"length": 6}, "fooling-set", 5, ODD),
    ("Lemma 1", "dyck", {"length": 6}, "fooling-set", 5, (1, 3, 5)),
    ("Theorem 2", "parity", {"length": 3}, "state-profile", 0, ()),
    ("Theorem 2", "parity", {"length": 3}, "state-collision", 0, ()),
    ("Theorem 3", "index-lookup", LOOKUP, "state-profile", 3, ()),
    ("Theorem 8", "nearest-neighbor", NEAREST, "state-profile", 2, ()),
    ("Theorem 11", "equality", EQUALITY, "state-profile", 3, ()),
    ("Proposition 9", "associative-recall", RECALL, "state-profile", 2, ()),
    ("Theorem 4", "equality", EQUALITY, "transcript-collision", 0, HALVES),
    ("yang2024 Theorem 4.4", "reverse-sum", {"length": 3, "symbols": 3}, "chain-count", 5, ()),  # 27 chains
    ("yang2024 Proposition 5.2", "arithmetic", {"length": 2, "prime": 3}, "chain-count", 6, ()),  # 33
    ("yang2024 Proposition 5.5", "edit-distance-local", {"length": 2, "second": 1, "symbols": 2}, "chain-count", 3, ()),  # 8
]


def whole(key: str) -> str:
    """The key of a statement with its paper."""
    return key if key.startswith("yang2024") else f"bhattamishra2024 {key}"


def witness_of(name: str, chosen: dict[str, Any], kind: str, bits: int, alice: tuple[int, ...]) -> Witness:
    from separatrix.checker.specs import spec_of

    task = spec_of("table", {"sizes": [2, 2], "answers": [0, 1, 1, 0]}) if name == "table" else oracle_of(name, chosen)
    return Witness(kind, task, bits, alice)


@pytest.mark.parametrize(("key", "name", "chosen", "kind", "least", "alice"), WITNESSES)
def test_a_witness_cites_a_lower_bound_that_it_reaches(
    key: str, name: str, chosen: dict[str, Any], kind: str, least: int, alice: tuple[int, ...]
) -> None:
    cites, witness = whole(key), witness_of(name, chosen, kind, least, alice)
    check_lower(cites, witness)
    if least:
        with pytest.raises(Refused, match=rf"cites: {cites} says: .* bits.* Found {least - 1} bits for {witness.task.title[:5]}"):
            check_lower(cites, replace(witness, bits=least - 1))
    if least and alice:
        with pytest.raises(Refused, match=f"cites: {cites} says: "):
            check_lower(cites, replace(witness, alice=(0, 1, 4)))
    with pytest.raises(Refused, match=f"cites: {cites} is shown by a .*, found a state-machine"):
        check_lower(cites, replace(witness, kind="state-machine"))
    if LOWER[cites].task:
        with pytest.raises(Refused, match=f"cites: {cites} is about {name}, found parity"):
            check_lower(cites, replace(witness, task=oracle_of("parity", {"length": 3})))


def test_lemma_1_is_about_two_types_and_depth_two() -> None:
    for chosen in ({"length": 6, "types": 3}, {"length": 6, "depth": 3}):
        with pytest.raises(Refused, match="Lemma 1 says: N - 1 bits for Dyck-"):
            check_lower("bhattamishra2024 Lemma 1", witness_of("dyck", chosen, "fooling-set", 9, ODD))


def test_every_lower_bound_was_met_and_every_statement_is_one_of_the_paper() -> None:
    assert {whole(key) for key, *_ in WITNESSES} == set(LOWER)
    assert not set(LOWER) & set(UPPER)
    for key in (*LOWER, *UPPER):
        assert statement(key).key == key


def test_a_witness_cites_no_upper_bound_and_nothing_unknown() -> None:
    witness = witness_of("equality", EQUALITY, "fooling-set", 4, HALVES)
    with pytest.raises(Refused, match=r"'bhattamishra2024 Theorem 6' is an upper bound, which no witness shows"):
        check_lower("bhattamishra2024 Theorem 6", witness)
    with pytest.raises(Refused, match="'proof checked in Lean' is not a statement that a witness may cite"):
        check_lower("proof checked in Lean", witness)
