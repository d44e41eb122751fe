"""Published model types: limits are those of the bounds, states those of the state room, languages those of decide."""

from __future__ import annotations

import pytest

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.limits import bounds_for
from separatrix.errors import BadInput
from separatrix.ledger.decided import decided_facts
from separatrix.ledger.published import LABELS, LENGTHS, at_sizes_of, lookup_bits, published, published_type, recall_bits
from separatrix.runs.state_of import state_bytes
from separatrix.tasks import Task, make_task

SMALL_MAMBA = {"model_type": "mamba", "hidden_size": 4, "num_hidden_layers": 1, "state_size": 2, "conv_kernel": 2, "expand": 2}
SMALL_WINDOWS = {
    "model_type": "mistral", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
    "sliding_window": 16,
}  # fmt: skip


def needed(task: Task) -> int:
    (value,) = [
        bound.value
        for bound in bounds_for(task, 16)
        if (bound.architecture, bound.quantity) == (Architecture.RECURRENT, Quantity.STATE_BITS)
    ]
    return value


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_the_bits_that_limit_a_type_are_those_of_the_bounds(size: int) -> None:
    assert -(-lookup_bits(size) // 1) == needed(make_task("index-lookup", length=size, symbols=LABELS))
    assert -(-lookup_bits(size) // 1) == needed(make_task("copy", length=size, symbols=LABELS))
    assert -(-recall_bits(size) // 1) == needed(make_task("associative-recall", length=size, labels=LABELS))


def test_one_more_than_the_limit_does_not_fit_and_the_limit_does() -> None:
    for one in (at_sizes_of("mamba", SMALL_MAMBA), published_type("rwkv"), published_type("mamba2")):
        assert one.lookup is not None
        assert one.recall is not None
        bits = 8 * one.state[LENGTHS[-1]]  # the same at every length
        assert lookup_bits(one.lookup) <= bits < lookup_bits(one.lookup + 1)
        assert recall_bits(one.recall) <= bits < recall_bits(one.recall + 1)


def test_a_stack_of_windows_looks_up_no_farther_than_it_sees() -> None:
    one = at_sizes_of("mistral", SMALL_WINDOWS)
    assert (one.sees, one.lookup, one.recall) == (31, 30, 15)  # 2 layers of 16 tokens: 30 back, and itself


def test_states_are_those_of_the_state_room_and_what_grows_is_not_limited() -> None:
    llama = published_type("llama")
    assert (llama.lookup, llama.recall, llama.copy, llama.sees) == (None, None, None, None)
    assert llama.grows
    config = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32}
    assert {tokens: state_bytes(config, tokens, "bfloat16").needed for tokens in LENGTHS} == llama.state


def test_what_is_called_untrackable_is_impossible_in_the_ledger_and_only_for_one_kind_of_layer() -> None:
    for name, kind in (("mamba", Architecture.MAMBA), ("mamba2", Architecture.MAMBA2)):
        tracked = published_type(name).cannot_track
        assert {"parity", "s3"} <= {*tracked}
        for language in tracked:
            facts = decided_facts(make_task("regular", length=4, language=f"@{language}"))
            assert kind in {fact.architecture for fact in facts}, language
    assert published_type("jamba").cannot_track == ()  # attention beside Mamba


def test_every_type_with_enough_defaults_is_there_once() -> None:
    names = [one.name for one in published()]
    assert len(names) == len({*names}) >= 150
    with pytest.raises(BadInput, match="layer_types is missing"):
        published_type("lfm2_moe")
    with pytest.raises(BadInput, match="no model type 'lama'; did you mean 'llama'"):
        published_type("lama")
