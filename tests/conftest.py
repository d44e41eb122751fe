"""Said at the end of a run where no browser was found."""

from __future__ import annotations

import pytest

from tests.atlas.browser import say_when_left_out


def pytest_configure(config: pytest.Config) -> None:
    say_when_left_out(config)
