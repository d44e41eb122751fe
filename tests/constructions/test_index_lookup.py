"""Index lookup: it reads every place exactly, and one step less of anything breaks it."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
import torch

from separatrix.arithmetic import parse_format
from separatrix.certificates.built import Built
from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.verify import trial
from separatrix.constructions import build
from separatrix.constructions.parts.addresses import lookup
from separatrix.errors import BadInput
from separatrix.models.model import Model
from separatrix.tasks import Batch

ADDRESSES = ("binary", "quadratic", "code", "random", "one-hot")


def wrong(built: Built, batch: Batch) -> int:
    """How many rows are answered wrongly."""
    return int((logits_of(built.model, batch).argmax(axis=1) != batch.targets[batch.mask]).sum())


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("N", [16, 100, 128])
def test_every_place_is_read_when_all_other_symbols_are_complements(address: str, N: int) -> None:
    built = build("index-lookup", length=N, address=address)
    batch = built.task.cases("complement", seed=0, count=N)
    assert sorted(batch.tokens[:, -1] - 63) == list(range(1, N + 1))  # every p once
    assert wrong(built, batch) == 0


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_input_of_a_small_size_is_right(address: str) -> None:
    built = build("index-lookup", length=4, symbols=3, address=address)
    certificate = trial(built, [{"kind": "all", "seed": 0, "count": 3**4 * 4}])
    assert certificate.holds
    assert certificate.cases == certificate.distinct == 324


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_shorter_input_is_right_too(address: str) -> None:
    # Theorem 1 speaks of all lengths up to N; a certificate at length N has inputs of that length only
    built = build("index-lookup", length=5, symbols=2, address=address)
    for n in range(1, 5):
        for symbols in itertools.product((0, 1), repeat=n):
            tokens = torch.tensor([[*symbols, 2 + p] for p in range(n)])  # token 2 + p asks for place p + 1
            assert built.model(tokens, at=-1).argmax(dim=-1).tolist() == list(symbols), (symbols, address)


@pytest.mark.parametrize(("address", "least"), [("binary", 0.75), ("quadratic", 0.909), ("code", 0.98)])
def test_a_million_symbols_are_streamed_without_error(address: str, least: float) -> None:
    built = build("index-lookup", length=10**6, address=address)
    assert built.claim.facts["share"] >= least  # .7500, .909 and .98 are the values of the corrected theorem
    batch = built.task.cases("complement", seed=1, count=2)
    assert wrong(built, batch) == 0


def test_the_width_at_a_million_symbols_is_46() -> None:
    # b + 2 L = 6 + 2 * 20 with the binary digits as address
    assert build("index-lookup", length=10**6).sizes()["width"] == 46


def test_the_code_has_the_dimensions_of_the_table() -> None:
    # 16, 32, 64, 128 and 128 coordinates at N = 10^2 .. 10^6, against the paper's 679 .. 1858
    assert [lookup("code", 10**e, parse_format("float64")).dims for e in range(2, 7)] == [16, 32, 64, 128, 128]


def test_the_least_weight_is_attained_when_N_is_a_power_of_two() -> None:
    built = build("index-lookup", length=64)
    batch = built.task.cases("complement", seed=0, count=64)
    with torch.no_grad():
        x = built.model.embedding(torch.from_numpy(batch.tokens))
        weights = built.heads().inside(x, torch.full((64,), 64))["attention"][:, 0, 0]
    on_p = weights[torch.arange(64), torch.from_numpy(batch.tokens[:, -1] - 64)]
    assert float(on_p.min()) == pytest.approx(built.claim.facts["share"], abs=1e-9)
    eta = built.claim.facts["eta"]
    assert float(on_p.min()) == pytest.approx(1 / ((1 + math.exp(-2 * eta)) ** 6 + math.exp(-6 * eta)), abs=1e-12)


def scaled(built: Built, factor: float) -> Built:
    """The same model with its inverse temperature multiplied."""
    with torch.no_grad():
        built.model.each_layer()[0].mixer.query *= factor
    return built


def test_an_inverse_temperature_one_percent_below_the_threshold_is_not_exact() -> None:
    batch = build("index-lookup", length=64).task.cases("complement", seed=0, count=64)
    exact = logits_of(build("index-lookup", length=64).model, batch)
    blurred = logits_of(scaled(build("index-lookup", length=64), 0.99).model, batch)
    assert (exact == exact.round()).all()
    assert (blurred != exact).any()


@pytest.mark.parametrize("address", ["binary", "code"])
def test_an_attention_share_below_one_half_gives_wrong_answers(address: str) -> None:
    built = build("index-lookup", length=1024, address=address)
    c, k, N = built.claim.facts["eta"], built.model.config.layers[0].mixer.key_width, 1024
    assert wrong(scaled(built, 0.2 / c if address == "binary" else math.log(N) / (2 * c * k)), built.task.cases("complement", 0, 64)) == 64


@pytest.mark.parametrize("name", ["query", "key", "value", "out"])
def test_any_flipped_weight_of_the_head_is_noticed(name: str) -> None:
    built = build("index-lookup", length=16, symbols=4)
    weight = getattr(built.model.each_layer()[0].mixer, name)
    for index in weight.detach().nonzero():
        with torch.no_grad():
            weight[tuple(index)] *= -1
        assert wrong(built, built.task.cases("complement", 0, 16)) > 0, index
        with torch.no_grad():
            weight[tuple(index)] *= -1
    assert wrong(built, built.task.cases("complement", 0, 16)) == 0


@pytest.mark.parametrize(
    ("address", "arithmetic"),
    [("binary", "fixed:9,3"), ("quadratic", "fixed:19,3"), ("code", "fixed:12,4"), ("binary", "nearest:27"), ("binary", "float:5,10"),
     ("binary", "float32"), ("binary", "bfloat16"), ("binary", "float16")],
)  # fmt: skip
def test_it_holds_in_every_kind_of_arithmetic(address: str, arithmetic: str) -> None:
    built = build("index-lookup", length=64, address=address, arithmetic=arithmetic)
    batch = built.task.cases("complement", seed=0, count=64)
    logits = logits_of(built.model, batch)
    assert wrong(built, batch) == 0
    assert (logits == logits.round()).all()  # b - 2 hamming, exactly


@pytest.mark.parametrize("N", [10**3, 10**5])
def test_three_fractional_bits_suffice_with_the_papers_temperature(N: int) -> None:
    # eta = 2 ln 3N over k coordinates, floor rounding, f = 3
    built = build("index-lookup", length=N, address="code", arithmetic="fixed:14,3")
    assert wrong(built, built.task.cases("complement", seed=0, count=2)) == 0


def test_the_quadratic_address_needs_the_integer_bits_of_its_largest_logit() -> None:
    # eta N^2 = 3 * 64^2 = 12288 needs 14 integer bits: fixed:16,1 has them and fixed:15,1 has one less
    assert build("index-lookup", length=64, address="quadratic", arithmetic="fixed:16,1").claim.facts["magnitude"] == 12288
    with pytest.raises(BadInput, match=r"logits need integers up to 1\.229e\+04"):
        build("index-lookup", length=64, address="quadratic", arithmetic="fixed:15,1")


def test_an_overflowing_logit_gives_wrong_answers() -> None:
    small = build("index-lookup", length=64, address="quadratic", arithmetic="fixed:16,1")
    model = Model(replace(small.model.config, arithmetic="fixed:15,1")).double()
    model.load_state_dict(small.model.state_dict())
    overflowing = replace(small, program=replace(small.program, model=model))
    assert wrong(overflowing, small.task.cases("complement", 0, 64)) > 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"length": 0}, "length N must be at least 1, found 0"),
        ({"length": 2000, "address": "quadratic", "arithmetic": "float32"}, "logits need integers up to"),
        ({"length": 64, "arithmetic": "fixed:4,2"}, "no inverse temperature of fixed:4,2"),
        ({"length": 64, "address": "zip"}, "expected one of binary, quadratic, code, one-hot, random"),
        ({"length": 5000, "address": "random"}, "N is at most 4096"),
    ],
)
def test_what_cannot_work_is_refused_with_the_reason(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        build("index-lookup", **parameters)


def test_the_steps_of_the_proof_tell_what_happened() -> None:
    built = build("index-lookup", length=4, symbols=4)
    steps = built.explain([0, 1, 2, 3, 4 + 2])
    assert [step.title for step in steps] == ["embed", "attend", "threshold", "decode"]
    assert steps[0].values["p"] == 3
    assert steps[3].values["says"] == "s2"
