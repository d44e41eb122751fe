"""The report of `separatrix probe` as one page, which needs nothing else to be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def probe_page(report: Mapping[str, Any]) -> bytes:
    """The page; every name in it is shown as text, whatever it contains."""
    environment = Environment(loader=PackageLoader("separatrix.atlas"), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    return environment.get_template("probe.html").render(report=report).encode()
