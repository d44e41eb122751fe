"""The browser that the pages are opened in, where the machine has one."""

from __future__ import annotations

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
REQUIRED = "SEPARATRIX_REQUIRE_BROWSER"
NOTICE = f"The browser tests of the atlas did not run: none of {', '.join(NAMES)} was found. Set {REQUIRED}=1 to make that a failure."


def find_browser() -> str | None:
    """The path of the first browser there is."""
    return next((result for name in NAMES if (result := shutil.which(name))), None)


def left_out() -> bool:
    """Whether the browser tests are not even collected: no browser, and nobody requires one."""
    return find_browser() is None and not os.environ.get(REQUIRED)


class Notice:
    """Says on the terminal, once, that the browser tests did not run."""

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.write_line(NOTICE)


def say_when_left_out(config: pytest.Config) -> None:
    """Register the notice, whichever conftest comes first."""
    if left_out() and not config.pluginmanager.hasplugin("browser-notice"):
        config.pluginmanager.register(Notice(), "browser-notice")
