"""Fields of a config: spellings, defaults that say so, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.state.fields import ClassFields, Fields

CLASS = ClassFields(
    defaults={"n_embd": 768, "n_layer": 12, "window": 4096, "heads": None, "taps": 4},
    spellings={"hidden_size": "n_embd", "num_hidden_layers": "n_layer"},
    never_null=frozenset({"taps"}),
)


def fields(**raw: Any) -> Fields:
    return Fields("toy", raw, CLASS)


@pytest.mark.parametrize("name", ["n_embd", "hidden_size"])
def test_a_field_is_read_under_both_spellings_and_named_as_the_config_names_it(name: str) -> None:
    number = fields(**{name: 64}).whole("hidden_size")
    assert (number.value, number.text, number.notes) == (64, name, ())


def test_two_spellings_that_disagree_are_refused() -> None:
    with pytest.raises(BadInput, match="n_embd = 64 and hidden_size = 32 are two spellings of one field and disagree"):
        fields(n_embd=64, hidden_size=32).whole("hidden_size")


def test_a_default_of_the_class_is_used_and_said() -> None:
    number = fields().whole("window")
    assert (number.value, number.notes) == (4096, ("window = 4096 is the class default: the config does not set it",))


def test_the_sizes_that_make_a_model_are_not_filled_in() -> None:
    with pytest.raises(BadInput, match="toy config: n_layer is missing, and its state cannot be counted without it"):
        fields(n_embd=64).layers()


def test_a_section_of_a_larger_config_leaves_out_what_equals_the_default() -> None:
    assert Fields("toy", {}, CLASS, nested=True).layers() == 12


def test_null_is_none_unless_the_class_does_not_accept_it() -> None:
    assert fields(window=None).optional("window") is None
    with pytest.raises(BadInput, match="window is null, and its state cannot be counted without it"):
        fields(window=None).whole("window")
    with pytest.raises(BadInput, match="taps is null, and its class does not accept that"):
        fields(taps=None).optional("taps")


@pytest.mark.parametrize("value", [True, 2.5, "8", -1, 0, [8], {}])
def test_a_number_must_be_a_positive_integer(value: object) -> None:
    with pytest.raises(BadInput, match="toy config: window must be an integer of at least 1, found"):
        fields(window=value).whole("window")


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        (lambda f: f.flag("field"), "true or false"),
        (lambda f: f.names("field"), "a list of strings"),
        (lambda f: f.numbers("field"), "a list of integers"),
        (lambda f: f.section("field"), "an object"),
    ],
)
def test_a_field_of_another_kind_is_refused(ask: Any, expected: str) -> None:
    with pytest.raises(BadInput, match=f"toy config: field must be {expected}, found 7"):
        ask(fields(field=7))


def test_an_absurd_number_of_layers_is_refused() -> None:
    with pytest.raises(BadInput, match="n_layer = 1000000000, expected at most 10000"):
        fields(n_layer=10**9).layers()
