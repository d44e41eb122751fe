"""Progress on stderr: rewritten in place on a terminal; elsewhere a line now and then, so that a log says what is going on.

Nothing is printed in the first two seconds of work. A command that says nothing by itself is spoken for then on a terminal, where the
line is wiped off again; in a pipe after a few seconds more, since a refusal must be the only line there.
Work is time of the processor and not of the clock: on a busy machine a refusal that comes late is still one line.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import final

SOON = 2.0  # seconds of work before the first line
PAUSE = 20.0  # seconds between lines where there is no terminal
SILENT = 5.0  # seconds of computing after which a silent command is spoken for where there is no terminal


@final
@dataclass
class Progress:
    """Prints messages, not too often."""

    began: float = 0.0  # by the processor
    due: float = 0.0  # by the clock: when the next line may be printed where there is no terminal
    spoke: bool = False

    def start(self) -> None:
        """Reset the clocks: a command begins."""
        self.began, self.due, self.spoke = time.process_time(), 0.0, False

    def __call__(self, message: str) -> None:
        """One line; an empty one clears the terminal."""
        self.spoke = True
        if sys.stderr.isatty():
            print(f"\r\033[K{message}", end="", file=sys.stderr, flush=True)
        elif message and time.process_time() >= self.began + SOON and time.monotonic() >= self.due:
            self.due = time.monotonic() + PAUSE
            print(message, file=sys.stderr, flush=True)

    @property
    def patience(self) -> float:
        """Seconds of computing after which a silent command is spoken for."""
        return SOON if sys.stderr.isatty() else SILENT

    def done(self, message: str) -> None:
        """Print a line that stays on the terminal."""
        self.spoke, self.due = True, time.monotonic() + PAUSE
        start = "\r\033[K" if sys.stderr.isatty() else ""
        print(f"{start}{message}", file=sys.stderr, flush=True)

    @contextmanager
    def spoken_for(self, command: str) -> Iterator[None]:
        """While the block runs, say that it does if it says nothing itself."""
        self.start()
        over, wall = Event(), time.monotonic()

        def watch() -> None:
            while not over.wait(1.0):
                if not self.spoke and time.process_time() - self.began >= self.patience:
                    seconds = time.monotonic() - wall
                    shown = f"separatrix {command}: working for {seconds:.0f} s"
                    if sys.stderr.isatty():
                        print(f"\r\033[K{shown}", end="", file=sys.stderr, flush=True)
                    elif time.monotonic() >= self.due:
                        self.due = time.monotonic() + PAUSE
                        print(shown, file=sys.stderr, flush=True)

        watcher = Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            if sys.stderr.isatty() and time.process_time() - self.began >= self.patience:
                print("\r\033[K", end="", file=sys.stderr, flush=True)


progress = Progress()
done = progress.done
