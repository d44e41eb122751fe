"""The parts of a page: sections, each a Python function that gathers its content and a template that shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ARGUMENTS = "Arguments"  # the group of pages that draw an argument


@dataclass(frozen=True)
class Section:
    """A part of a page. `files` are further files that it links to, by their path inside the atlas."""

    anchor: str
    title: str
    template: str  # a file of templates/, which gets `section` and `content`
    content: Mapping[str, Any]
    files: Mapping[str, bytes] = field(default_factory=dict)
    short: str = ""  # its name in the navigation, if the title is too long


@dataclass(frozen=True)
class Page:
    """One HTML file. The navigation shows pages of the same group together."""

    path: str
    title: str
    short: str  # its name in the navigation
    group: str
    lead: str  # one paragraph under the title, or nothing
    sections: tuple[Section, ...]


def slug(text: str) -> str:
    """A text as an anchor: `Lemma B.14` becomes `lemma-b.14`."""
    return re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-")


def paper_path(paper: str) -> str:
    """The page of a paper."""
    return f"paper-{slug(paper)}.html"


def statement_link(key: str) -> str:
    """The link to a statement: `bhattamishra2024 Theorem 1` on the page of its paper."""
    paper, _, name = key.partition(" ")
    return f"{paper_path(paper)}#{slug(name)}"


def study_path(name: str) -> str:
    """The page of a study."""
    return f"study-{slug(name)}.html"


def task_path(name: str) -> str:
    """The page of a task."""
    return f"task-{slug(name)}.html"


def architecture_path(architecture: str) -> str:
    """The page of an architecture."""
    return f"architecture-{slug(architecture)}.html"


def cell_link(task: str, architecture: str) -> str:
    """The link to what is known of a task on an architecture."""
    return f"{task_path(task)}#on-{slug(architecture)}"
