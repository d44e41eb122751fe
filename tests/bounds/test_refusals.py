"""Bad input to this room is refused in one line that says what was expected and what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from separatrix.bounds.communication.prompts import REDUCTIONS
from separatrix.bounds.families.copying import copy_profile
from separatrix.bounds.families.equality import equality_ceiling
from separatrix.bounds.families.index_lookup import index_lookup_ceiling
from separatrix.bounds.families.queries import counting_profile, index_profile
from separatrix.bounds.languages.enumeration import move_tables
from separatrix.bounds.languages.horizon import horizon
from separatrix.bounds.languages.language import language
from separatrix.bounds.limits import bounds_for, task_profile
from separatrix.bounds.programs.chain_facts import locality
from separatrix.bounds.protocols.one_layer import least_width, least_width_times_heads
from separatrix.bounds.states.scored_along import profile_along
from separatrix.bounds.states.time_invariant import minimal_automaton
from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.dyck import Dyck
from separatrix.tasks.parity import Parity

REFUSED: tuple[tuple[str, Callable[[], Any]], ...] = (
    (r"^counting: expected at least 1 bit, found 0$", lambda: REDUCTIONS["counting"].task(0)),
    ("state bits must be a whole number, at least 0, found -1", lambda: index_lookup_ceiling(4, 2, -1)),
    ("equality: length N must be even", lambda: equality_ceiling(5, 2, 1)),
    ("copy: symbols must be at least 2, found 1", lambda: copy_profile(3, 1)),
    ("the profile of copy would list 200,000 numbers of up to 600,000 bits", lambda: copy_profile(10**5)),
    ("index: length must be at least 2, found 1", lambda: index_profile(1)),
    ("counting: length must be at least 2, found 1", lambda: counting_profile(1)),
    ("1 to 5 states", lambda: list(move_tables(6))),
    ("expected a modulus of at least 2, found 1", lambda: horizon(1, "float32")),
    ("expected one of bfloat16, float16, float32, found 'int8'", lambda: horizon(3, "int8")),
    ("language: length N must be at least 1, found 0", lambda: language("ab", length=0)),
    ("not a function of its prompt", lambda: locality([(1, 2, 3), (1, 2, 4)], 2)),
    ("longer than their prompt", lambda: locality([(1, 2)], 2)),
    ("precision p must be at least 1 bit, found 0", lambda: least_width(10, 0, 0, 10, 1, 2)),
    (r"fractional bits f must lie in 0\.\.p-1 with p = 8, found 8", lambda: least_width_times_heads(10, 8, 8, 10, 2)),
    (
        "other tokens than the last are scored, and no closed form is known",
        lambda: task_profile(make_task("dyck-2-next", length=3, distribution="training")),
    ),
    ("every string must occur exactly once", lambda: profile_along([(0, 1), (0, 1)], [[-1, 0], [-1, 0]])),
    (
        "what is due at token 1 must follow from the 1 tokens read, found two answers after the same ones",
        lambda: profile_along([(0, 1), (0, 0)], [[1, -1], [0, -1]]),
    ),
    (
        r"needs an answer for every word of 0..3 symbols, found None on \('0', '0'\)",
        lambda: minimal_automaton(lambda w: None if w == ("0", "0") else 1, "01", 3),
    ),
    ("16,777,215 evaluations of the answer are above the limit of 10,000,000", lambda: minimal_automaton(lambda _: 1, "01", 23)),
    ("symbols of the alphabet of position 0 must differ", lambda: minimal_automaton(lambda _: 1, "00", 3)),
    (r"symbol 1 must be one of \('0', '1'\), found '2'", lambda: minimal_automaton(lambda w: len(w) % 2, "01", 3).run("02")),
    ("precision p must be at least 1 bit, found 0", lambda: bounds_for(Parity(3), 0)),
    (r"fractional bits f must lie in 0\.\.p-1 with p = 8, found 9", lambda: bounds_for(Dyck(4), 8, 9)),
)


@pytest.mark.parametrize(("says", "call"), REFUSED)
def test_bad_input_is_refused_in_words(says: str, call: Callable[[], Any]) -> None:
    with pytest.raises(BadInput, match=says):
        call()
