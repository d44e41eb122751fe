"""Work and memory of a case: the formula is the one that docs/certificates.md prints, and no part of a model is left out of it."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.checker.models.description import read_description
from separatrix.checker.models.mixers import MIXERS
from separatrix.checker.models.model import bytes_of, work_of
from separatrix.checker.numbers.formats import numbers
from tests.checker.models.small import ATTENTION, document, layer, place

Document = dict[str, Any]
OTHERS: dict[str, Document] = {
    "linear-attention": {"heads": 2, "key_width": 2, "value_width": 3, "bias": False},
    "linear-rnn": {"state": 4},
    "relu-rnn": {"state": 4, "hidden": 5},
    "selective-rnn": {"state": 4, "gates": "positive"},
    "lstm": {},
    "gru": {},
    "elman": {},
    "deltanet": {"heads": 2, "key_width": 2, "value_width": 3, "convolution": 4, "negative": False},
    "gated-deltanet": {"heads": 2, "key_width": 2, "value_width": 3, "convolution": 4, "negative": True},
    "mamba": {"inner": 5, "state": 2, "convolution": 4, "rank": 1},
    "mamba2": {"heads": 4, "head_width": 3, "groups": 2, "state": 2, "convolution": 4},
    "retnet": {"heads": 2, "key_width": 2, "value_width": 3},
    "deltaproduct": {"heads": 2, "key_width": 3, "value_width": 2, "factors": 2},
    "rank-one": {"state": 4, "factors": 3},
    "pd": {"state": 4, "tables": 3},
    "register-file": {"registers": 1, "scratch": 2, "writes": 3, "rows": 2, "numbers": 1, "length": 40},
}


def delta_weights(mixer: Document, d: int) -> tuple[int, int]:
    """Weights and memory of DeltaNet: W, filters, shares, a norm and O."""
    H, m, u = mixer["heads"], mixer["key_width"], mixer["value_width"]
    channels = H * (2 * m + u)
    return channels * (d + mixer["convolution"]) + H * d + u + d * H * u, H * m * u


def gated_weights(mixer: Document, d: int) -> tuple[int, int]:
    """Those and the fading: f, b and a for each head, and a gate."""
    weights, memory = delta_weights(mixer, d)
    return weights + mixer["heads"] * (d + 2 + mixer["value_width"] * d), memory


def mamba_weights(mixer: Document, d: int) -> tuple[int, int]:
    """W, filters with a bias, S, R and its bias, decays, skips and O."""
    E, s, r = mixer["inner"], mixer["state"], mixer["rank"]
    return 2 * E * d + E * (mixer["convolution"] + 1) + (r + 2 * s) * E + E * (r + 1) + E * s + E + d * E, E * s


def mamba2_weights(mixer: Document, d: int) -> tuple[int, int]:
    """W, filters with a bias, three numbers for each head, a norm and O."""
    H, E, both = mixer["heads"], mixer["heads"] * mixer["head_width"], 2 * mixer["groups"] * mixer["state"]
    return (2 * E + both + H) * d + (E + both) * (mixer["convolution"] + 1) + 3 * H + E + d * E, E * mixer["state"]


def retnet_weights(mixer: Document, d: int) -> tuple[int, int]:
    """Five matrices."""
    H, m, u = mixer["heads"], mixer["key_width"], mixer["value_width"]
    return d * H * (2 * m + 3 * u), H * m * u


MEMORIES = {
    "deltanet": delta_weights, "gated-deltanet": gated_weights, "mamba": mamba_weights, "mamba2": mamba2_weights, "retnet": retnet_weights,
}  # fmt: skip


def product_cost(arithmetic: str, k: int) -> int:
    """c(k) of the page."""
    if arithmetic.startswith("float"):
        return 4
    p = int(arithmetic.partition(":")[2].partition(",")[0])
    b = 2 * p + k.bit_length()
    return 4 if b <= 53 else 40 if b < 62 else 100 * (1 + p // 32) ** 2


def mixing(mixer: Document, arithmetic: str, d: int, n: int, R: int) -> int:
    """A mixer's row of the page."""

    def c(k: int) -> int:
        return product_cost(arithmetic, k)

    kind = mixer["kind"]
    if kind in MEMORIES:
        weights, memory = MEMORIES[kind](mixer, d)
        return n * ((weights + 40 * memory) * c(d) + 100_000)
    if kind == "deltaproduct":
        H, m, u, F = mixer["heads"], mixer["key_width"], mixer["value_width"], mixer["factors"]
        weights = H * m * d * (1 + F) + F * H * u * d + F * H * d + u + d * H * u
        return n * ((weights + 40 * F * H * m * u) * c(d) + 100_000 * F)
    if "heads" in mixer:
        H, both = mixer["heads"], mixer["key_width"] + mixer["value_width"]
        pairs = both * c(n) + 40 * c(1) if kind == "attention" else (both + 10) * c(n)
        return (n + R) * H * both * d * c(d) + R * n * H * pairs + 10_000 * H
    if kind == "linear-rnn":
        s = mixer["state"]
        return n * (s * (s + d) * c(s + d) + 4_000) + R * d * s * c(s)
    if kind == "relu-rnn":
        s, m = mixer["state"], mixer["hidden"]
        return n * (m * (s + d) * c(s + d) + s * m * c(m) + 40_000) + R * d * s * c(s)
    if kind == "selective-rnn":
        s = mixer["state"]
        return n * (2 * s * d * c(d) + 60_000) + R * d * s * c(s)
    if kind == "rank-one":
        s, F = mixer["state"], mixer["factors"]
        return n * ((2 * F * s * d + 2 * s * d + s + 40 * F * s) * c(d) + 100_000 * F)
    if kind == "pd":
        s, K = mixer["state"], mixer["tables"]
        return n * ((K * d + K * s * s + 3 * s * d + 2 * s + 40 * s * s) * c(d) + 100_000)
    if kind == "register-file":
        each = 4_000 * (1 + mixer["writes"]) + 10 * mixer["scratch"] + 40 * d
        return n * each + 40 * R * d + 40 * mixer["writes"] * mixer["length"] * mixer["rows"]
    g = {"lstm": 4, "gru": 3, "elman": 1}[kind]
    return n * (2 * g * d * (d + 20) * c(d) + 20_000)


def on_the_page(model: Document, n: int, r: int) -> int:
    """The work of a forward pass, by the table of the page."""
    arithmetic, d, e = model["arithmetic"], model["width"], model["embedding"]
    addresses = [*e["places"], *([e["number_address"]] if e["number_address"] else [])]
    A = sum(address["dims"] for address in addresses)
    B = A + sum(address["extent"] for address in addresses if address["address"] == "sign")
    total = 40_000 + n * d * (B + 10) * product_cost(arithmetic, B)
    total += r * model["readout"]["targets"] * (d * product_cost(arithmetic, d) + 40)
    for i, part in enumerate(model["layers"]):
        R = r if i == len(model["layers"]) - 1 else n
        total += 40 * R * d
        if part["feedforward"] is not None:
            maps = 3 if part["feedforward"]["activation"] in ("reglu", "swiglu") else 2
            total += 10_000 + R * part["feedforward"]["hidden"] * (maps * d * product_cost(arithmetic, d) + 40)
        if part["mixer"] is not None:
            total += mixing(part["mixer"], arithmetic, d, n, R)
    return total


def mixers() -> list[Document]:
    return [ATTENTION, *({"kind": kind, **settings} for kind, settings in OTHERS.items())]


def test_every_mixer_of_the_checker_has_a_row() -> None:
    assert {mixer["kind"] for mixer in mixers()} == set(MIXERS)


@pytest.mark.parametrize("mixer", mixers(), ids=lambda mixer: mixer["kind"])
@pytest.mark.parametrize("arithmetic", ["float64", "float32", "float:8,7", "fixed:12,4", "fixed:30,4", "fixed:101,8", "nearest:27"])
@pytest.mark.parametrize(("n", "r"), [(1, 1), (30, 1), (30, 30)])
def test_the_work_of_a_case_is_the_one_on_the_page(mixer: Document, arithmetic: str, n: int, r: int) -> None:
    plain = {"hidden": 5, "activation": "relu", "bias": True}
    for layers in ([layer(mixer)], [layer(mixer, None)], [layer(mixer, plain), layer(None)]):
        for kind in ("sign", "table", "quadratic"):
            described = document(arithmetic, layers, embedding={"places": [place(kind), place("sign")], "number_address": place(kind)})
            assert work_of(read_description(described), numbers(arithmetic), n, r) == on_the_page(described, n, r)


@pytest.mark.parametrize("arithmetic", ["float64", "float32", "fixed:12,4"])
def test_a_long_input_through_one_layer_costs_what_the_page_says(arithmetic: str) -> None:
    n = 100_000
    described = document(arithmetic, [layer(ATTENTION, None)], length=n, embedding={"places": [place("table", extent=n)]})
    assert work_of(read_description(described), numbers(arithmetic), n, 1) == on_the_page(described, n, 1)


def test_every_address_takes_memory_also_those_of_numbers() -> None:
    """Addresses of all places and of numbers stand beside each other when they are added to the stream."""
    n, dims, one_hot = 1000, 10**4, {"address": "one-hot", "dims": 10**4, "extent": 0}
    few = document("float64", length=n)
    for embedding in (
        {"number_address": place("one-hot", **one_hot)},
        {"places": [place("one-hot", dims=dims // 100, extent=0)] * 100, "number_address": None, "numbers": 0},
    ):
        many = document("float64", length=n, embedding=embedding)
        least = bytes_of(read_description(few), numbers("float64"), n, 1)
        assert bytes_of(read_description(many), numbers("float64"), n, 1) - least > 2 * 8 * n * dims
