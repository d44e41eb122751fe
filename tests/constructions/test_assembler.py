"""The assembler: what it refuses, how it composes errors, and that slots keep their names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from separatrix.certificates.built import Built
from separatrix.certificates.claim import Bound
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import column, constant_form, row, stack
from separatrix.constructions.gadgets import constant, identity, indicator, product, sign, step
from separatrix.constructions.recurrences import delay, history, running_sum, window_sum
from separatrix.errors import BadInput
from separatrix.tasks.parity import Parity

SIGNS = column(-1.0, 1.0)
PAIR = column(0.0, 1.0)
NONE = np.zeros(2)


def net(**chosen: Any) -> Assembler:
    return Assembler(plain=2, targets=2, length=8, **chosen)


def compiled(program: Assembler) -> Built:
    return program.compile(Parity(7), "a program", "none", {}, {})


def compiled_only_if(fits: bool, program: Assembler, refusal: str) -> None:
    """Compile a program, or see it refused."""
    if fits:
        compiled(program)
    else:
        with pytest.raises(BadInput, match=refusal):
            compiled(program)


def one_layer(**chosen: Any) -> Built:
    """Every token reads the average bit, then whether it exceeds a half."""
    program = net(**chosen)
    bit = program.token("bit", PAIR)
    layer = program.layer("uniform")
    mean = layer.attend("mean", value=bit, into="mean")
    flag = layer.write("flag", step(mean))
    program.read_out(PAIR, flag, NONE)
    return compiled(program)


# -- refusals ---------------------------------------------------------------------------------------------------------------------


def too_blunt() -> None:
    program = net()
    s = program.token("s", SIGNS)
    layer = program.layer()
    z = layer.attend("blunt", query=s, key=s, value=s, into="z", share=0.7)
    layer.write("t", sign(z))


def constant_in_attention() -> None:
    program = net()
    s = program.token("s", SIGNS)
    program.layer().attend("h", query=s + 1, key=s, value=s, into="z")


def unknown_slot() -> None:
    program = net()
    s = program.token("s", SIGNS)
    layer = program.layer()
    z = layer.attend("h", query=s, key=s, value=s, into="z")
    layer.write("t", sign(s + z))  # without a residual connection s is gone


def two_widths() -> None:
    program = net()
    program.token("s", SIGNS)
    program.token("s", np.zeros((2, 3)))


def two_row_counts() -> None:
    program = net()
    s = program.token("s", SIGNS)
    program.layer().attend("h", query=stack(s, s), key=s, value=s, into="z")


def too_many_rows() -> None:
    net().token("s", np.zeros((3, 1)))


def product_without_gates() -> None:
    program = net()
    s = program.token("s", SIGNS)
    layer = program.layer()
    z = layer.attend("h", query=s, key=s, value=s, into="z")
    layer.write("t", product(z, z))


def no_layer() -> None:
    program = net()
    s = program.token("s", SIGNS)
    program.read_out(SIGNS, s, NONE)
    compiled(program)


def read_out_of_nothing() -> None:
    program = net()
    s = program.token("s", SIGNS)
    program.layer().attend("h", query=s, key=s, value=s, into="z")
    program.read_out(SIGNS, s, NONE)


def read_out_too_blurred() -> None:
    program = net()
    s = program.token("s", SIGNS)
    z = program.layer().attend("h", query=s, key=s, value=s, into="z", share=0.75)
    program.read_out(SIGNS, z, NONE, margin=1.0)  # each logit may be off by 1/4 * 2


def uniform_with_a_query() -> None:
    program = net()
    s = program.token("s", SIGNS)
    program.layer("uniform").attend("h", query=s, key=s, value=s, into="z")


def softmax_without_a_query() -> None:
    program = net()
    s = program.token("s", SIGNS)
    program.layer().attend("h", key=s, value=s, into="z")


def out_of_another_shape() -> None:
    program = net()
    s = program.token("s", SIGNS)
    program.layer("uniform").attend("h", value=stack(s, s), out=np.ones((1, 3)), into="z")


def two_gates() -> None:
    program = net()
    program.place("a", AddressWeights("quadratic", 2), gate=row(1.0, 2.0))
    program.place("b", AddressWeights("quadratic", 2))


def a_gate_too_long() -> None:
    net().place("a", AddressWeights("quadratic", 2), gate=row(1.0, 2.0, 3.0))


def a_matrix_for_an_address_that_has_none() -> None:
    net().place("a", AddressWeights("one-hot", 8, projected=False), np.eye(8))


def a_slot_beside_the_whole_stream() -> None:
    program = net()
    place = program.place("place", AddressWeights("one-hot", 8, projected=False))
    s = program.token("s", SIGNS)
    z = program.layer("uniform").attend("h", value=stack(place, s), into="z")
    program.read_out(np.zeros((2, 9)), z, NONE)
    compiled(program)


def off_the_grid() -> None:
    program = net(arithmetic="fixed:6,2")
    s = program.token("s", SIGNS / 3)
    z = program.layer().attend("h", query=s, key=s, value=s, into="z")
    program.read_out(SIGNS, z, NONE)
    compiled(program)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (too_blunt, r"layer 1: sign into 't' tolerates an error of 0.5, its inputs may be off by 0.6"),
        (constant_in_attention, "head 'h': attention has no bias, so its query cannot hold a constant"),
        (unknown_slot, "gadget 'sign': there is no slot 's'; expected one of z"),
        (two_widths, "slot 's' has width 1, found 3 numbers written into it"),
        (two_row_counts, "head 'h': query has 2 rows and key 1"),
        (too_many_rows, "slot 's': expected a table of 2 token rows, found 3"),
        (product_without_gates, "gadget 'product' multiplies two forms: it needs activation='reglu'"),
        (no_layer, "a program: a program needs at least one layer and a read-out"),
        (read_out_of_nothing, "read-out: there is no slot 's'; expected one of z"),
        (read_out_too_blurred, "read-out: logits lie 1.0 apart and may each be off by 0.5"),
        (uniform_with_a_query, "layer 1 attends uniformly: head 'h' takes no query and no key"),
        (softmax_without_a_query, "head 'h': softmax attention needs a query and a key; only uniform attention works without"),
        (out_of_another_shape, "head 'h': value has 2 rows, but out takes 3"),
        (two_gates, "slot 'b': all places of a model share one gate, found a different one than for 'a'"),
        (a_gate_too_long, "slot 'a': expected a gate of 2 token rows, found 3"),
        (a_matrix_for_an_address_that_has_none, "slot 'a': an unprojected address takes no matrix"),
        (a_slot_beside_the_whole_stream, "slot 'place': an unprojected address needs the whole stream as its slot"),
        (off_the_grid, "a program: weight -0.333.* of embedding.table is not representable in fixed:6,2"),
    ],
)
def test_a_program_that_cannot_work_is_refused_with_the_reason(write: Callable[[], None], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        write()


@pytest.mark.parametrize(("bits", "fits"), [(53, True), (54, False)])
def test_an_embedding_that_float64_would_round_is_refused(bits: int, fits: bool) -> None:
    # the slot holds 2^(bits - 5) - 1 of a token and 1 of a sign: sums below 2^(bits - 4) with 4 fractional bits
    program = net(arithmetic="fixed:64,4")
    s = program.token("s", column(0.0, 2.0 ** (bits - 5) - 1))
    program.place("s", AddressWeights("sign", 1, np.ones((1, 4), dtype=np.uint8)))
    program.read_out(column(1.0, 0.0), program.layer("uniform").attend("h", value=s, into="z"), NONE)
    compiled_only_if(fits, program, r"^a program: embeddings up to .* with 4 fractional bits are not exact in float64$")


@pytest.mark.parametrize(("gate", "fits"), [(0.5, True), (0.25, False)])
def test_a_fractional_gate_takes_bits_of_the_embedding(gate: float, fits: bool) -> None:
    program = net(arithmetic="fixed:64,4")
    s = program.token("s", column(0.0, 2.0**47))
    program.place("s", AddressWeights("sign", 1, np.ones((1, 4), dtype=np.uint8)), gate=row(1.0, gate))
    program.read_out(column(1.0, 0.0), program.layer("uniform").attend("h", value=s, into="z"), NONE)
    compiled_only_if(fits, program, "with 6 fractional bits are not exact in float64")


@pytest.mark.parametrize(("bits", "fits"), [(51, True), (52, False)])
def test_a_lone_address_times_its_gate_must_be_exact_in_float64(bits: int, fits: bool) -> None:
    # 3 is two bits wide: the product has two more than the table; but a power of two of any size has one bit
    stored = np.full((8, 1), 2.0**200)
    stored[0] = (2.0**bits - 1) * 2.0**100
    program = net(arithmetic="fixed:400,4")
    s = program.place("s", AddressWeights("table", 1, stored, projected=False), gate=row(1.0, 3.0))
    program.read_out(column(1.0, 0.0), program.layer("uniform").attend("h", value=s, into="z"), NONE)
    compiled_only_if(fits, program, "are not exact in float64")


# -- error composition ------------------------------------------------------------------------------------------------------------


def test_errors_compose_as_by_hand() -> None:
    program = net()
    s = program.token("s", SIGNS)  # in [-1, 1], exact
    first = program.layer()
    a = first.attend("a", query=s, key=s, value=s, into="a", share=0.875)  # off by 1/8 of a range of 2: 1/4
    copy = first.write("kept", identity(a))  # nothing is swallowed: 1/4
    second = program.layer()
    b = second.attend("b", query=copy, key=copy, value=copy * 0.5, into="b", share=0.9375)  # 1/8 + 1/16 (1 + 2/8)
    second.write("t", sign(2 * b))  # and twice that
    results = {(bound.part, bound.what): bound for bound in program.bounds}
    assert results["layer 1, head a", "weight off the intended place"].value == 0.125
    assert results["layer 2, head b", "weight off the intended place"].value == 0.0625
    # both vectors have magnitude up to 1 + 1/4 and are off by 1/4
    assert results["layer 2, head b", "error of a logit"].value == 2 * 1.25 * 0.25
    assert results["layer 2, sign into t", "error of its inputs"].value == 2 * (1 / 8 + 1 / 16 * 1.25)


def test_an_error_that_exceeds_a_tolerance_later_on_is_found() -> None:
    program = net()
    s = program.token("s", SIGNS)
    first = program.layer()
    copy = first.write("kept", identity(first.attend("a", query=s, key=s, value=s, into="a", share=0.875)))
    second = program.layer()
    b = second.attend("b", query=copy, key=copy, value=copy, into="b", share=0.875)  # 1/4 + 1/8 (2 + 2/4) = 0.5625
    with pytest.raises(BadInput, match=r"layer 2: sign into 't' tolerates an error of 0.5, its inputs may be off by 0.5625"):
        second.write("t", sign(b))


def test_the_claim_carries_the_composed_bound() -> None:
    program = net()
    s = program.token("s", SIGNS)
    layer = program.layer()
    z = layer.attend("sharp", query=s, key=s, value=s, into="z", share=0.75)
    program.read_out(SIGNS, layer.write("t", sign(z)), NONE)
    assert compiled(program).claim.bounds == (
        Bound("layer 1, head sharp", "weight off the intended place", 0.25, None),
        Bound("layer 1, sign into t", "error of its inputs", 0.5, 0.5),
    )


def test_a_read_out_says_how_much_of_its_margin_errors_may_take() -> None:
    program = net()
    s = program.token("s", SIGNS)
    z = program.layer().attend("h", query=s, key=s, value=s, into="z", share=0.875)
    program.read_out(SIGNS, z, NONE, margin=1.0)  # off by 1/4, and half of the margin is 1/2
    assert program.bounds[-1] == Bound("read-out", "error of a logit", 0.25, 0.5)
    program.read_out(SIGNS, z, NONE)
    assert program.bounds[-1] == Bound("read-out", "error of a logit", 0.25, None)


def test_what_a_head_mixes_may_be_off_by_the_sum() -> None:
    program = net()
    s = program.token("s", SIGNS)
    layer = program.layer()
    z = layer.attend("h", query=s, key=s, value=stack(s, s), out=row(1.0, -2.0)[None], into="z", share=0.875)
    layer.write("t", replace(identity(z), tolerance=1.0))
    assert program.bounds[-1] == Bound("layer 1, identity into t", "error of its inputs", 0.75, 1.0)  # 1/4 + 2/4
    assert (layer.known_between["z"].low.tolist(), layer.known_between["z"].high.tolist()) == ([-3.0], [3.0])


def test_every_coordinate_has_an_error_of_its_own() -> None:
    program = net()
    small, large = program.token("small", PAIR), program.token("large", 100 * PAIR)
    layer = program.layer()
    both = layer.attend("h", query=small, key=small, value=stack(small, large), into="both", share=0.875)
    layer.write("t", step(both[0]))
    assert program.bounds[-1] == Bound("layer 1, step into t", "error of its inputs", 0.125, 0.25)  # 1/8 of a range of 1
    with pytest.raises(BadInput, match=r"tolerates an error of 0.25, its inputs may be off by 12.5"):
        layer.write("u", step(both[1]))  # 1/8 of a range of 100


@pytest.mark.parametrize("residual", [False, True])
def test_errors_of_what_is_written_into_one_slot_add_up(residual: bool) -> None:
    program = net(residual=residual)
    s = program.token("s", SIGNS)
    layer = program.layer()
    for name in ("one", "two"):
        z = layer.attend(name, query=s, key=s, value=s * 0.5, into="z", share=0.75)  # each off by 1/4 of a range of 1
    t = layer.write("t", sign(z))  # 1/2 in all
    u = layer.attend("three", query=s, key=s, value=s * 0.5, into="z", share=0.9375)
    with pytest.raises(BadInput, match=r"tolerates an error of 0.5, its inputs may be off by 0.5625"):
        layer.write("u", sign(u))
    assert t.rows == 1


# -- what comes out ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("residual", [False, True])
def test_slots_keep_their_names(residual: bool) -> None:
    built = one_layer(residual=residual)
    trace = built.trace([1, 1, 0, 1])
    assert trace.slot(0, "bit")[:, 0].tolist() == [1, 1, 0, 1]
    assert trace.slot(1, "flag").tolist() == [[1.0]]
    assert ("mean" in [slot.name for slot in built.layouts[1].slots]) == residual
    with pytest.raises(BadInput, match="no slot 'nothing' at this stage: expected one of bit"):
        trace.slot(0, "nothing")


def test_without_a_residual_slots_are_packed_and_the_widest_stage_counts() -> None:
    program = net()
    a, b = program.token("a", np.zeros((2, 5))), program.token("b", SIGNS)
    layer = program.layer()
    layer.attend("h", query=b, key=b, value=stack(a[0:2], b), into="z")
    program.read_out(SIGNS, layer.write("t", constant(1.0)), NONE)
    assert compiled(program).sizes()["width"] == 6
    assert one_layer(residual=True).sizes()["width"] == 3  # bit, mean, flag side by side


def test_a_layer_without_feed_forward_part_hands_on_what_was_read() -> None:
    program = net()
    s = program.token("s", SIGNS)
    z = program.layer("uniform").attend("h", value=s, into="z")
    program.read_out(SIGNS, z, NONE)
    built = compiled(program)
    assert built.model.each_layer()[0].feedforward is None
    assert built.trace([1, 1, 0, 1]).slot(1, "z").tolist() == [[0.5]]


def test_what_is_written_into_one_slot_adds_up() -> None:
    program = net()
    bit = program.token("bit", PAIR)
    layer = program.layer("uniform")
    for name in ("one", "two"):
        z = layer.attend(name, value=bit, into="z")
    layer.write("t", identity(z))
    t = layer.write("t", constant(3.0))
    program.read_out(PAIR, t, NONE)
    assert compiled(program).trace([1, 0]).slot(1, "t").tolist() == [[2 * 0.5 + 3]]


def gated_place(gate: list[float] | None) -> Built:
    program = net()
    program.token("s", SIGNS)
    place = program.place("place", AddressWeights("quadratic", 2), gate=None if gate is None else row(*gate))
    z = program.layer("uniform").attend("h", value=place, into="z")
    program.read_out(np.zeros((2, 2)), z, NONE)
    return compiled(program)


def test_a_gate_multiplies_the_address_of_a_token() -> None:
    assert gated_place([1.0, 0.0]).trace([0, 1, 0]).slot(0, "place").tolist() == [[1, 1], [0, 0], [3, 9]]
    assert gated_place([1.0, -2.0]).trace([0, 1, 0]).slot(0, "place").tolist() == [[1, 1], [-4, -8], [3, 9]]
    assert gated_place(None).trace([0, 1, 0]).slot(0, "place").tolist() == [[1, 1], [2, 4], [3, 9]]


def test_what_is_known_of_a_place_contains_the_tokens_that_lack_it() -> None:
    for gate, low, high in ((None, [1, 1], [8, 64]), (row(1.0, 0.0), [0, 0], [8, 64]), (row(1.0, -0.5), [-4, -32], [8, 64])):
        program = net()
        program.place("place", AddressWeights("quadratic", 2), gate=gate)
        known = program.embedded()["place"]
        assert (known.low.tolist(), known.high.tolist()) == (low, high)


def test_plain_tokens_have_no_number() -> None:
    program = Assembler(plain=2, numbers=5, targets=2, length=8)
    program.number("index", AddressWeights("quadratic", 2))
    known = program.embedded()["index"]
    assert (known.low.tolist(), known.high.tolist()) == ([0, 0], [5, 25])


def test_an_address_may_be_the_whole_stream() -> None:
    program = net()
    place = program.place("place", AddressWeights("one-hot", 8, projected=False), gate=row(1.0, 3.0))
    z = program.layer("uniform").attend("sum", value=place, out=np.ones((1, 8)), into="z")
    program.read_out(SIGNS, z, NONE)
    built = compiled(program)
    assert built.sizes()["width"] == 8
    assert "embedding.places.0.weight" not in built.model.state_dict()
    assert built.trace([1, 0, 1]).slot(0, "place")[:, :4].tolist() == [[3, 0, 0, 0], [0, 1, 0, 0], [0, 0, 3, 0]]
    assert built.trace([1, 0, 1, 0]).slot(1, "z").tolist() == [[2.0]]  # (3 + 1 + 3 + 1) / 4


def test_a_model_without_gates_stores_none() -> None:
    assert gated_place(None).model.embedding.gate is None
    assert gated_place([1.0, 0.0]).model.embedding.gate is not None


def test_gated_products_come_out_as_weights() -> None:
    program = net(activation="reglu", residual=True)
    s, n = program.token("s", SIGNS), program.token("n", column(3.0, 0.5))
    layer = program.layer()
    t = layer.write("t", product(s, n))
    program.read_out(SIGNS, t, NONE)
    assert [float(compiled(program).trace([token]).slot(1, "t")) for token in (0, 1)] == [-3.0, 0.5]


# -- linear units -----------------------------------------------------------------------------------------------------------------

BITS = [1, 0, 1, 1, 0, 1, 1, 0]


@dataclass(frozen=True)
class Unit:
    write: Callable[..., Any]
    expected: list[list[float]]  # at every token
    registers: int


UNITS = {
    "delay 1": Unit(lambda x: delay(x, 1), [[0], [1], [0], [1], [1], [0], [1], [1]], 2),
    "delay 3": Unit(lambda x: delay(x, 3), [[0], [0], [0], [1], [0], [1], [1], [0]], 4),
    "history 2": Unit(lambda x: history(x, 2), [[0, 0], [1, 0], [0, 1], [1, 0], [1, 1], [0, 1], [1, 0], [1, 1]], 3),
    "running sum": Unit(running_sum, [[1], [1], [2], [3], [3], [4], [5], [5]], 1),
    "window sum 1": Unit(lambda x: window_sum(x, 1), [[bit] for bit in BITS], 2),
    "window sum 3": Unit(lambda x: window_sum(x, 3), [[1], [1], [2], [2], [2], [2], [2], [2]], 4),
}


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:8,2"])
@pytest.mark.parametrize("name", UNITS)
def test_linear_units_remember(name: str, arithmetic: str) -> None:
    unit = UNITS[name]
    program = net(target="linear-rnn", arithmetic=arithmetic)
    bit = program.token("bit", PAIR)
    m = program.linear_unit().remember("m", unit.write(bit))
    program.read_out(np.zeros((2, m.rows)), m, NONE)
    built = compiled(program)
    assert built.model.config.layers[0].mixer.state == unit.registers
    assert built.model.state_numbers(8) == unit.registers
    assert [built.trace(BITS[: t + 1]).slot(1, "m")[0].tolist() for t in range(8)] == unit.expected


def test_units_stand_side_by_side_and_take_in_forms() -> None:
    program = net(target="linear-rnn", residual=True)
    s, n = program.token("s", SIGNS), program.token("n", column(2.0, 5.0))
    layer = program.linear_unit()
    total, last = layer.remember("total", running_sum(stack(s - n, n))), layer.remember("last", delay(n, 1))
    program.read_out(np.zeros((2, 3)), stack(total, last), NONE)
    trace = compiled(program).trace([1, 0, 0])
    assert trace.slot(1, "total")[0].tolist() == [(1 - 5) + 2 * (-1 - 2), 5 + 2 + 2]
    assert trace.slot(1, "last")[0].tolist() == [2.0]
    assert trace.attention[0].shape == (0, 1, 3)


def test_sums_over_time_multiply_errors() -> None:
    program = net(target="hybrid")
    s = program.token("s", SIGNS)
    copy = program.layer().attend("h", query=s, key=s, value=s, into="kept", share=1 - 1 / 64)  # off by 1/32
    layer = program.linear_unit()
    total = layer.remember("total", running_sum(copy))
    with pytest.raises(BadInput, match=r"tolerates an error of 0.2, its inputs may be off by 0.25"):  # eight tokens
        layer.write("t", replace(identity(total), tolerance=0.2))


def unit_in_a_transformer() -> None:
    net().linear_unit()


def attention_in_a_linear_rnn() -> None:
    net(target="linear-rnn").layer()


def head_in_a_unit() -> None:
    program = net(target="hybrid")
    s = program.token("s", SIGNS)
    program.linear_unit().attend("h", query=s, key=s, value=s, into="z")


def unit_in_a_head() -> None:
    program = net(target="hybrid")
    s = program.token("s", SIGNS)
    program.layer().remember("z", running_sum(s))


def constant_in_a_unit() -> None:
    program = net(target="linear-rnn")
    s = program.token("s", SIGNS)
    program.linear_unit().remember("z", running_sum(s + 1))


def hybrid_of_one_kind() -> None:
    program = net(target="hybrid")
    s = program.token("s", SIGNS)
    z = program.linear_unit().remember("z", running_sum(s))
    program.read_out(SIGNS, z, NONE)
    compiled(program)


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (unit_in_a_transformer, "a Transformer has no linear unit"),
        (attention_in_a_linear_rnn, "a linear recurrent network has no attention"),
        (head_in_a_unit, "layer 1 is a linear unit: it has no head 'h'"),
        (unit_in_a_head, "layer 1 is attention: a running sum needs a linear unit"),
        (constant_in_a_unit, "running sum: a linear unit has no bias, so its input cannot contain a constant"),
        (hybrid_of_one_kind, "a program: the program is a linear-rnn, its target a hybrid"),
        (lambda: delay(constant_form(0.0), 0), "a delay must be at least 1, found 0"),
        (lambda: window_sum(constant_form(0.0), 0), "a window must hold at least 1 value, found 0"),
    ],
)
def test_a_program_that_its_target_cannot_run_is_refused(write: Callable[[], None], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        write()


def test_a_hybrid_counts_with_its_unit_and_reads_with_its_head() -> None:
    program = net(target="hybrid", causal=True)
    bit, one = program.token("bit", PAIR), program.token("one", np.ones((2, 1)))
    count = program.linear_unit()
    t = count.remember("t", running_sum(one))  # the position, counted by the unit
    b = count.remember("bit", delay(bit, 1))
    first, before = count.write("first", indicator(t, 2)), count.write("before", identity(b))
    sees = program.layer()
    z = sees.attend("second", query=64 * first.through(np.ones((1, 1))), key=first, value=before, into="z")
    program.read_out(PAIR, z, NONE)
    assert program.kind() == "hybrid"
    built = compiled(program)
    assert built.trace([1, 0]).slot(2, "z").tolist() == [[1.0]]  # token 2 reads itself: the bit before it
    assert built.trace([0, 1]).slot(2, "z").tolist() == [[0.0]]
