"""Settings of every test: no time limits, and a line at the end of a run for what was left out."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.atlas.browser import say_when_left_out
from tests.runs.optional import say_what_is_left_out

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    say_when_left_out(config)
    say_what_is_left_out(config)
