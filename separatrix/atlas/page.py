"""The parts of a page: sections, each a Python function that gathers its content and a template that shows it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ARGUMENTS = "Arguments"  # the group of pages that draw an argument
BAR = (  # the bar at the top of every page: name, page, and the groups of pages behind it
    ("Map", "index.html", ("Atlas",)),
    ("Tasks", "tasks.html", ("Tasks", "Languages")),
    ("Models", "architectures.html", ("Architectures", "Built and certified")),
    ("Playground", "playground.html", ("Playground",)),
    ("Findings", "studies.html", ("Studies", ARGUMENTS)),
    ("Papers and errata", "papers.html", ("Papers",)),
    ("Docs", "docs.html", ("Docs",)),
)
OVERVIEWS = {"Built and certified": ("All certificates", "built.html")}  # where the page behind a group is not that of the bar


@dataclass(frozen=True)
class Section:
    """A part of a page. `files` are further files that it links to, by their path inside the atlas."""

    anchor: str
    title: str
    template: str  # a file of templates/, which gets `section` and `content`
    content: Mapping[str, Any]
    files: Mapping[str, bytes] = field(default_factory=dict)
    short: str = ""  # its name in the list of sections, if the title is too long
    quiet: bool = False  # whether only readers who listen meet its title


@dataclass(frozen=True)
class Page:
    """One HTML file. Its group says which part of the bar it belongs to."""

    path: str
    title: str
    short: str  # its name in lists
    group: str
    lead: str  # one paragraph under the title, or nothing
    sections: tuple[Section, ...]

    @property
    def over(self) -> tuple[str, str] | None:
        """The name and path of the page that lists this one; None for such a page itself."""
        found = OVERVIEWS.get(self.group) or next(((name, path) for name, path, groups in BAR if self.group in groups), None)
        return None if found is None or found[1] == self.path or any(path == self.path for _, path, _ in BAR) else found


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
