"""Automata as circles and arrows."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from separatrix.atlas.drawn.automaton import dead, states_and_moves
from separatrix.tasks.regular import read_language


def test_every_state_but_the_sink_is_a_circle_and_accepting_ones_have_two() -> None:
    picture = str(states_and_moves(read_language("(ab)*"), "a <label>"))
    assert len(re.findall(r'class="ring ', picture)) == 3  # states 0 (accepting) and 1; state 2 is the sink
    assert re.findall(r">(\w)</text>", picture) == ["a", "b", "0", "1"]
    assert ElementTree.fromstring(picture).get("aria-label") == "a <label>"


def test_moves_with_the_same_ends_share_one_arrow() -> None:
    picture = str(states_and_moves(read_language("((0|1)(0|1))*"), ""))
    assert picture.count('class="arc"') == 2
    assert picture.count(">0 1</text>") == 2


def test_a_sink_that_accepts_is_drawn() -> None:
    automaton = read_language("(a|b)*ab(a|b)*")
    assert dead(automaton) == set()
    assert dead(read_language("a*b*")) == {2}
