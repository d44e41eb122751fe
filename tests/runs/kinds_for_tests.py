"""Trials that behave, and trials that do not. A test names them as a user would: `path/to/this/file.py:NUMBERS`."""

# ruff: noqa: ARG001 (every kind has the same arguments)
from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput
from separatrix.runs.kinds import Kind, Result

PLACE = str(Path(__file__).resolve())
DIARY = "SEPARATRIX_TEST_DIARY"  # a file to which every run of NUMBERS adds a line: the trial's number and the process
CELLS = "SEPARATRIX_TEST_CELLS"  # a file with the configurations that `cells` returns


def place(name: str) -> str:
    """How a user names a kind of this file."""
    return f"{PLACE}:{name}"


def cells(scale: str) -> list[dict[str, Any]]:
    """A study of a user's own."""
    configurations: list[dict[str, Any]] = json.loads(Path(os.environ[CELLS]).read_text())
    return configurations


def rows_of(configuration: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What NUMBERS hands back."""
    return [{"number": configuration["number"], "row": row, "square": row * row} for row in range(configuration["rows"])]


def numbers(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    written = configuration.get("diary") or os.environ.get(DIARY)
    if written:
        with Path(written).open("a") as diary:
            diary.write(f"{configuration['number']} {os.getpid()}\n")
    time.sleep(configuration.get("seconds", 0))
    return Result(rows_of(configuration))


def raises(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    raise ZeroDivisionError("one word\nand another")


def refuses(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    raise BadInput("width 65 is not divisible by heads 4")


def leaves(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    sys.exit(3)


def vanishes(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    print("my last words")
    os._exit(7)


def hangs(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    """With a process of its own that would outlive it."""
    companion = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    (folder / "companion").write_text(str(companion.pid))
    while True:
        time.sleep(1)


def prints_garbage(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    """Megabytes of it, to both streams, and something that looks like an outcome."""
    os.write(1, bytes(range(256)) * 10_000)
    print('{"key": "0", "end": "done", "rows": []}')
    os.write(2, b"\xff\x00\n" * 500_000)
    return Result(rows_of(configuration))


def eats_memory(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    eaten = []
    while True:
        eaten.append(bytearray(64 << 20))


def kills_itself(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still alive")


def fails_once(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    """The second attempt sees what the first one left."""
    if not (folder / "before").exists():
        (folder / "before").touch()
        raise RuntimeError("not yet")
    return Result(rows_of(configuration))


def wants_to_be_alone(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    (folder / "busy").touch(exist_ok=False)
    time.sleep(0.7)
    (folder / "busy").unlink()
    return Result(rows_of(configuration))


def hands_back_nonsense(configuration: Mapping[str, Any], folder: Path, code: Collection[str]) -> Result:
    return Result([{"number": 0}, {"accuracy": float("nan")}])


NUMBERS, RAISES, REFUSES, LEAVES, VANISHES = Kind(numbers), Kind(raises), Kind(refuses), Kind(leaves), Kind(vanishes)
HANGS, GARBAGE, MEMORY, KILLED = Kind(hangs), Kind(prints_garbage), Kind(eats_memory), Kind(kills_itself)
FAILS_ONCE, NONSENSE, ALONE = Kind(fails_once), Kind(hands_back_nonsense), Kind(wants_to_be_alone)
EVERY = tuple(place(name) for name, value in list(globals().items()) if isinstance(value, Kind))
