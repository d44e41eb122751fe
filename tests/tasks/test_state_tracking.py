"""State tracking: the state after every symbol, and words that stay out of traps for a while."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task


def test_the_state_after_every_symbol_is_asked() -> None:
    parity = make_task("state-tracking", length=5, language="@parity")
    assert parity.answer((0, 1, 1, 0, 1)) == (0, 1, 0, 0, 1)
    assert parity.answer((0, 2, 1)) is None
    assert (parity.vocabulary, parity.targets) == (2, 2)
    counted = make_task("state-tracking", length=3, language="@mod-5")
    assert counted.answer((1, 1, 1)) == (1, 2, 3)


def test_a_word_of_a_group_is_uniform_and_one_of_a_language_with_a_trap_enters_it_late_or_never() -> None:
    group = make_task("state-tracking", length=40, language="@s3").sample(0, 4000)
    assert abs(group.tokens.mean() - 0.5) < 0.01
    task = make_task("state-tracking", length=40, language="(ab)*")
    states = task.sample(0, 4000).targets
    trapped = (states == 2).any(axis=1)  # an even chance, once in N times: about 1 - e^-1/2 of the words
    assert abs(trapped.mean() - (1 - np.exp(-0.5))) < 0.03
    first = (states[trapped] == 2).argmax(axis=1)
    assert abs(first.mean() - 19.5 + 1.7) < 1.5  # anywhere in the word; a little earlier than the middle, as who falls once is counted once


def test_a_language_is_given_as_elsewhere_and_a_wrong_one_is_refused() -> None:
    task = make_task("state-tracking", length=4, language="@s3")
    assert task.parameters["language"].startswith('{"alphabet":["s","r"]')
    assert task.text((0, 1)) == "s r"
    with pytest.raises(BadInput, match=r"^state-tracking: length N must be at least 1, found 0$"):
        make_task("state-tracking", length=0, language="@s3")
