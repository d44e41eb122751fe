"""IsTree without a chain, on the graphs of a message and a place."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.errors import BadInput
from separatrix.tasks.is_tree import IsTree


def test_every_message_of_four_bits_and_every_place() -> None:
    """The reduction of the paper: a tree iff the bits at k and k + 1 differ."""
    built = build("is-tree/hybrid/no-chain", length=6)
    task = built.task
    for bits in product((0, 1), repeat=4):
        for k in range(1, 4):
            edges = [f"{a} ~ {bit + 5}" for a, bit in enumerate(bits, 1)]
            tokens = task.read(" ".join(["<s>", *edges[:2], f"{k} ~ {k + 1}", *edges[2:], "<sep>"]))
            assert task.target_text(built.program.answer(tokens)) == ("YES" if bits[k - 1] != bits[k] else "NO")  # type: ignore[arg-type]


def test_all_inputs_of_five_vertices_are_certified() -> None:
    verdict = check_text(verify(build("is-tree/hybrid/no-chain", length=5)).to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason
    assert "of a message and a place with 5 vertices and 4 edges: right on all 384 inputs; four layers, two heads" in verdict.claim


@pytest.mark.parametrize("n", [8, 64])
def test_longer_messages(n: int) -> None:
    built = build("is-tree/hybrid/no-chain", length=n)
    assert trial(built, [{"kind": "random", "seed": 1, "count": 60}]).holds


def test_the_size_is_constant_and_one_attention_layer_is_enough() -> None:
    declared = construction("is-tree/hybrid/no-chain")
    sizes = [declared.sizes(declared.task_at(length=n).parameters) for n in (4, 100)]
    assert replace(sizes[0], state_bits=None) == replace(sizes[1], state_bits=None)
    mixers = [layer.mixer.config.kind for layer in build("is-tree/hybrid/no-chain", length=4).model.each_layer()]  # type: ignore[union-attr]
    assert sorted(mixers) == ["attention", "linear-rnn", "linear-rnn", "linear-rnn"]


def test_other_graphs_are_outside_the_promise_and_refused() -> None:
    task = IsTree(5, graphs="message")
    assert task.answer(task.read("<s> 1 ~ 4 2 ~ 5 3 ~ 5 1 ~ 2 <sep>")) is not None
    for text in ("1 ~ 4 2 ~ 5 3 ~ 5 1 ~ 3", "1 ~ 4 2 ~ 5 1 ~ 5 1 ~ 2", "1 ~ 4 2 ~ 5 3 ~ 5 4 ~ 5"):
        assert task.answer(task.read(f"<s> {text} <sep>")) is None
    with pytest.raises(BadInput, match=r"^is-tree: this construction needs graphs=message or graphs=two-star, found graphs=any$"):
        build("is-tree/hybrid/no-chain", length=5, graphs="any")
    with pytest.raises(BadInput, match=r"^is-tree: two stars have n >= 4 vertices"):
        IsTree(3, graphs="message")
