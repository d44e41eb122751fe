"""The longest increasing subsequence with one value for each number: exact chains, and what they rest on."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from separatrix.certificates.verify import verify
from separatrix.checker import check_document, sealed
from separatrix.constructions import build, construction
from separatrix.errors import BadInput
from separatrix.tasks import make_task
from tests.constructions.yang2024.test_dynamic_programs import wrong


@pytest.mark.parametrize(
    ("n", "symbols", "arithmetic"), [(1, 2, "float64"), (10, 24, "float64"), (12, 5, "float32"), (6, 4, "fixed:60,24")]
)
def test_every_token_is_that_of_the_public_chain(n: int, symbols: int, arithmetic: str) -> None:
    """Few symbols make many ties."""
    assert wrong(build("lis/standard", length=n, symbols=symbols, compact=True, arithmetic=arithmetic), rows=6) == 0


def test_a_chain_of_223_tokens_over_150_numbers() -> None:
    built = build("lis/standard", length=110, symbols=150, compact=True)
    assert built.model.config.length == 223
    assert wrong(built, rows=3) == 0


def test_the_width_depends_on_the_numbers_and_not_on_their_count() -> None:
    for n in (3, 40, 250):
        sizes = construction("lis/standard").sizes({"length": n, "symbols": 50, "compact": True})
        assert sizes is not None
        assert (sizes.width, sizes.layers, sizes.heads) == (2 * 50 + 18, 2, 2)


def test_the_chain_is_the_public_line() -> None:
    """2 n + 3 words: the numbers, a separator, a value for each, a separator, the answer."""
    task = make_task("lis", length=5, symbols=9, compact=True)
    tokens = task.read("3 7 1 4 8 |")
    chain = task.as_vectors(np.array([tokens]))[1][0].tolist()  # type: ignore[index]
    assert [vector[2] for vector in chain[:5]] == [1, 2, 1, 2, 3]
    assert chain[5:] == [[0, 1, 0, 0], [0, 3, 0, 3], [0, 0, 0, 0]]
    line = task.benchmark_line(tokens)
    assert line == "9 13 7 10 14 <sep> 1 2 1 2 3 <sep> 3"
    assert line == make_task("lis", length=5, symbols=9).benchmark_line(tokens)
    assert task.read_benchmark(line) == tokens


def test_a_head_that_takes_the_smallest_value_is_wrong() -> None:
    """The last row of the query weighs values; turned around, the smallest of the matching values is read."""
    built = build("lis/standard", length=6, compact=True)
    with torch.no_grad():
        built.model.layers[1].mixer.query[-1] *= -1  # type: ignore[union-attr, index, operator]
    assert wrong(built, rows=5) == 5


@pytest.mark.parametrize("attention", ["linear", "sparse"])
def test_other_attention_refuses_a_chain_of_unbounded_dependence(attention: str) -> None:
    with pytest.raises(BadInput, match="every value of the compact chain needs all values before it"):
        build(f"lis/{attention}", length=5, compact=True)


def test_a_certificate_says_which_chain_is_meant_and_cites_no_theorem() -> None:
    document = verify(build("lis/standard", length=3, symbols=3, compact=True)).document
    result = check_document(document)
    assert result.strength == "exhaustive"
    assert document["cites"] == ""
    for change in (
        {"claim": {"task": "lis", "parameters": {"length": 3, "symbols": 3, "compact": False}}},
        {"cites": "yang2024 Theorem 4.1"},
    ):
        lie = {**document, **change}
        lie.pop("digest")
        assert not check_document(sealed(lie)).holds
