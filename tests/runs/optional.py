"""Packages that some tests need: where one is not installed, those tests do not run, and a line at the end says so."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import pytest

REQUIRE = "SEPARATRIX_REQUIRE_EXTRAS"  # set it to make a missing package a failure


@dataclass(frozen=True)
class Optional:
    """A package, and what is not tested without it."""

    package: str
    extra: str
    what: str
    slow: str = ""  # the variable of the environment that asks for its tests, where they are too slow for every run

    @property
    def missing(self) -> bool:
        """Whether its tests do not run."""
        return (find_spec(self.package) is None and not os.environ.get(REQUIRE)) or bool(self.slow and not os.environ.get(self.slow))

    @property
    def required(self) -> Any:
        """The mark of a test that needs it."""
        return pytest.mark.skipif(self.missing, reason=self.notice)

    @property
    def notice(self) -> str:
        """The line."""
        if self.slow and not os.environ.get(self.slow):
            return f"{self.what} was not tested: `make test-{self.extra}` does that"
        return f"{self.what} was not tested: {self.package} is not installed (pip install 'separatrix[{self.extra}]')"


PYARROW = Optional("pyarrow", "parquet", "Export to Parquet")
TRACKIO = Optional("trackio", "trackio", "Publishing to trackio")
SUBMITIT = Optional("submitit", "slurm", "The slurm engine")
ONNX = Optional("onnxruntime", "onnx", "Export to ONNX")
RAY = Optional("ray", "ray", "The ray engine", slow="SEPARATRIX_RAY")


class Notices:
    """Says on the terminal, once, what was left out."""

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for package in (PYARROW, TRACKIO, SUBMITIT, ONNX, RAY):
            if package.missing:
                terminalreporter.write_line(package.notice)


def say_what_is_left_out(config: pytest.Config) -> None:
    """Register the notices, once."""
    if not config.pluginmanager.hasplugin("extras-notice"):
        config.pluginmanager.register(Notices(), "extras-notice")
