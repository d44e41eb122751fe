"""The page about state tracking."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from separatrix.atlas.drawn.nested import nested_picture
from separatrix.atlas.pages.state_tracking import PATH, areas, counts, state_tracking_page, verdicts_on
from separatrix.atlas.render import render
from separatrix.ledger.state_tracking import state_tracking
from tests.atlas.markup import parse


def test_the_page_opens_with_the_sentence_of_the_checker() -> None:
    text = " ".join(parse(render([state_tracking_page()])[PATH].decode()).text.split())
    assert state_tracking().claim[3:60] in text
    for one in (*state_tracking().shown, *state_tracking().groups):
        assert one.name in text


def test_areas_are_in_proportion_to_the_languages() -> None:
    shown = areas(state_tracking())
    frames = list(ElementTree.fromstring(str(nested_picture(shown))).iter("rect"))[::-1]
    sizes = [float(frame.attrib["width"]) * float(frame.attrib["height"]) for frame in frames]
    for one, size in zip(shown, sizes, strict=True):
        assert size / sizes[-1] == pytest.approx(one.size / shown[-1].size, rel=0.01)


def test_what_one_symmetric_layer_does_cannot_do_and_may_do_are_all_languages() -> None:
    found = {name: count for name, count, _ in counts(state_tracking())}
    parts = [count for name, count in found.items() if re.search(r"^one symmetric layer.*, no convolution: ", name)]
    assert len(parts) == 3
    assert sum(parts) == state_tracking().checked["languages"]


def test_a_cell_says_yes_no_or_whose_theorem_it_is() -> None:
    table = state_tracking_page().sections[1].content
    names = [name for name, *_ in table["columns"]]
    rows = {name: dict(zip(names, cells, strict=True)) for name, _, _, cells in table["rows"]}
    assert rows["Mamba"]["parity"] == ("no", "no", "")
    assert rows["Mamba"]["flip-flop"] == ("yes", "yes", "1 layer")
    assert rows["Transformer, fixed precision, no positions"]["alternating"][1] == "cited: no"
    assert rows["Transformer, fixed precision, no positions"]["first-is-1"][1] == "cited: yes"
    assert rows["Transformer, logarithmic precision"]["a5"] == ("", "no, unless TC0 = NC1", "")  # not in the colour of what is proven
    assert rows["RetNet"]["parity"] == ("", "no, argued", "")
    assert ("Mamba", "yes", "yes, by its cascade", "8 layers") in verdicts_on("dyck-2-3")
