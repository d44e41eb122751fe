"""Unknown names are answered with the nearest one that exists."""

from separatrix.errors import did_you_mean


def test_the_nearest_name_is_proposed_and_nothing_where_none_is_near() -> None:
    assert did_you_mean("simbols", ["length", "symbols", "labels"]) == "; did you mean 'symbols'?"
    assert did_you_mean("colour", ["length", "symbols"]) == ""
    assert did_you_mean("x", ()) == ""
