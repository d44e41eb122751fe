"""Runs a page as its reader would: from top to bottom, in one folder that holds the examples."""

from __future__ import annotations

import contextlib
import io
import shlex
from glob import glob
from pathlib import Path
from typing import Any

from separatrix.cli import main
from tests.docs.reading import ROOT, Part


class Reader:
    """Somebody who types what a page says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.printed = ""
        (folder / "examples").symlink_to(ROOT / "examples")

    def follow(self, part: Part) -> None:
        """Do what a part says; an AssertionError names the place."""
        if "file" in part.marks:
            (self.folder / part.marks["file"]).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / part.marks["file"]).write_text(part.text, encoding="utf-8")
        elif "prints" in part.marks:
            assert self.printed == part.text, f"{part.where}: the block above prints\n{self.printed}"
        elif "begins" in part.marks:
            shown = self.printed.splitlines()[: len(part.text.splitlines())]
            assert [line.rstrip() for line in shown] == part.text.splitlines(), f"{part.where}: the block above prints\n{self.printed}"
        elif part.language == "python":
            self.printed = self._python(part)
        else:
            self.printed = "".join(self._command(line, part) for line in part.text.replace("\\\n", " ").splitlines() if line.strip())

    def _python(self, part: Part) -> str:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(part.text, part.where, "exec"), self.names)
        return out.getvalue()

    def _command(self, line: str, part: Part) -> str:
        words = shlex.split(line, comments=True)
        assert words[:1] == ["separatrix"], f"{part.where}: {line!r} is not a command of separatrix; mark the block as what it is"
        words = [place for word in words for place in (sorted(glob(word)) if "*" in word else []) or [word]]  # as a shell does
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            code = main(words[1:])
        assert code == int(part.marks.get("exit", 0)), f"{part.where}: {line!r} ends with {code}: {errors.getvalue()[-2000:]}"
        return out.getvalue()
