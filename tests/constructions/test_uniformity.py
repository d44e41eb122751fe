"""Which weights depend on the length, by building twice."""

from __future__ import annotations

from separatrix.constructions.uniformity import dependence


def test_addresses_of_binary_digits_grow_with_the_length() -> None:
    """Index lookup at 16 and 64 places: 4 and 6 digits, so every tensor over the stream has another shape."""
    difference = dependence("index-lookup", 16, 64)
    assert not difference.uniform
    assert difference.lengths == (16, 64)
    assert difference.tensors["embedding.table"] == "shape"
    assert difference.tensors["readout.bias"] == "same"  # one number for each of 64 symbols


def test_the_quadratic_address_is_the_same_at_every_length() -> None:
    """(i, i^2) has two coordinates, and eta = 3 keeps neighbours apart: one set of weights serves both lengths."""
    difference = dependence("index-lookup", 16, 64, address="quadratic")
    assert difference.uniform
    assert difference.depends == ()


def test_a_single_weight_that_follows_the_length_is_seen() -> None:
    """Equality with quadratic addresses: the last part multiplies an average over N tokens by N, everything else stays."""
    difference = dependence("equality", 16, 64, address="quadratic")
    assert not difference.uniform
    assert difference.depends == ("layers.1.feedforward.inner",)
    assert difference.tensors["layers.1.feedforward.inner"] == "values"


def test_registers_are_as_many_as_the_length_asks_for() -> None:
    assert dependence("equality/recurrent", 8, 10).tensors["layers.0.mixer.gates"] == "shape"
