"""One trial in its own process: started, read from, timed, and ended together with its own children."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from typing import IO

from separatrix.runs.engines.engine import Job
from separatrix.runs.outcome import Outcome, read_outcome

TAIL = 4000  # bytes of a trial's output that are stored
ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


class Child:
    """A running attempt. Nothing here blocks: `read` takes what is available, `outcome` is None until the process has ended."""

    def __init__(self, job: Job) -> None:
        self.job, self.began, self.timed_out = job, time.monotonic(), False
        self._printed, self._answer = b"", b""
        reading, writing = os.pipe()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "separatrix.runs.engines.worker", str(writing)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, pass_fds=(writing,), start_new_session=True,
                env={**os.environ, **dict.fromkeys(ONE_THREAD, "1"), "PYTHONUNBUFFERED": "1"},
            )  # fmt: skip
        except BaseException:
            os.close(reading)
            raise
        finally:
            os.close(writing)
        self.answers = os.fdopen(reading, "rb", buffering=0)
        os.set_blocking(reading, False)
        os.set_blocking(self.prints.fileno(), False)
        self.speaking = [self.answers, self.prints]  # the pipes that are still open
        with contextlib.suppress(BrokenPipeError):  # it died at once, which `outcome` will report
            self.lifeline.write(f"{job.to_json()}\n".encode())
            self.lifeline.flush()

    @property
    def lifeline(self) -> IO[bytes]:
        """The child lives as long as this pipe is open."""
        assert self.process.stdin is not None
        return self.process.stdin

    @property
    def prints(self) -> IO[bytes]:
        """The pipe that the trial prints to."""
        assert self.process.stdout is not None
        return self.process.stdout

    def read(self) -> None:
        """Read what has been printed and answered so far."""
        for pipe in list(self.speaking):
            part, over = _available(pipe.fileno(), TAIL if pipe is self.prints else None)
            if pipe is self.prints:
                self._printed = (self._printed + part)[-TAIL:]
            else:
                self._answer += part
            if over:
                self.speaking.remove(pipe)

    def outcome(self) -> Outcome | None:
        """How the attempt ended, once it has."""
        if self.job.timeout is not None and time.monotonic() - self.began > self.job.timeout:
            self.timed_out = True
            self._kill()
            self.process.wait()
        if self.process.poll() is None:
            return None
        self._kill()  # processes that the trial left behind
        self.read()
        self._close()
        return self._judged(self.process.returncode)

    def end(self) -> None:
        """Kill it; its outcome is no longer needed."""
        self._kill()
        self.process.wait()
        self._close()

    def _judged(self, code: int) -> Outcome:
        output = self._printed.decode(errors="replace").strip() or None
        if not self.timed_out:
            with contextlib.suppress(ValueError, TypeError):
                outcome = read_outcome(self._answer)
                return outcome if outcome.end == "done" else Outcome(**{**vars(outcome), "log": output})
        if self.timed_out:
            reason = f"no result after {self.job.timeout:g} s, the time limit"
        elif code < 0:
            reason = f"killed by signal {-code} ({signal.strsignal(-code)})"
        else:
            reason = f"ended with exit code {code} and no result" + (f"; last output: {output.splitlines()[-1][:200]!r}" if output else "")
        return Outcome(self.job.key, "failed", reason=reason, log=output, seconds=time.monotonic() - self.began)

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def _close(self) -> None:
        for file in (self.lifeline, self.prints, self.answers):
            with contextlib.suppress(BrokenPipeError):
                file.close()


def _available(handle: int, tail: int | None) -> tuple[bytes, bool]:
    """What a pipe holds now, and whether it was closed; of an endless stream only the last bytes, for a limited time."""
    taken, deadline = b"", time.monotonic() + 0.05
    while tail is None or time.monotonic() < deadline:
        try:
            part = os.read(handle, 1 << 16)
        except BlockingIOError:
            return taken, False
        if not part:
            return taken, True
        taken = taken + part if tail is None else (taken + part)[-tail:]
    return taken, False


def run_job(job: Job) -> Outcome:
    """Run a job to its end in a child of this process; engines for other machines call this there."""
    child = Child(job)
    try:
        while True:
            child.read()
            outcome = child.outcome()
            if outcome is not None:
                return outcome
            time.sleep(0.02)
    except BaseException:
        child.end()
        raise
