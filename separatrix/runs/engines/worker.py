"""A process that runs one trial: `python -m separatrix.runs.engines.worker FD`.

The job arrives as one line on stdin, the outcome goes to the file descriptor FD, so that a trial may print freely.
stdin stays open as a lifeline: when it closes, the parent process is gone, and nothing waits for the outcome.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import resource
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from separatrix.checker.seal import canonical, digest
from separatrix.errors import BadInput
from separatrix.runs.engines.engine import Job, read_job
from separatrix.runs.kinds import find_kind
from separatrix.runs.outcome import Outcome
from separatrix.runs.trial import make_trial

PR_SET_PDEATHSIG = 1  # of Linux's prctl.h
LOCK = ".lock"


def main(arguments: list[str]) -> None:
    """Run the job from stdin and exit."""
    answer, lifeline = int(arguments[0]), os.dup(0)
    os.set_inheritable(answer, False)
    job = read_job(_line(lifeline))
    _die_with(lifeline)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # a trial that reads stdin finds it empty
    os.close(nothing)
    outcome = attempt(job)
    sys.stdout.flush()
    sys.stderr.flush()
    with os.fdopen(answer, "wb") as file:
        file.write(outcome.to_json().encode())
    os._exit(0)  # do not wait for threads that a trial left behind


def attempt(job: Job) -> Outcome:
    """Run the trial; any exception becomes an outcome."""
    start = time.process_time()
    try:
        if job.memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (job.memory, job.memory))
        result = _result(job)
    except BadInput as error:
        return _outcome(job, start, "refused", " ".join(str(error).split()))
    except MemoryError as error:
        traceback.print_exc()
        limit = f" with {job.memory / 2**20:.0f} MiB allowed" if job.memory is not None else ""
        return _outcome(job, start, "failed", f"out of memory{limit}: MemoryError{_place(error)}")
    except BaseException as error:  # SystemExit too: a trial must not end the worker
        traceback.print_exc()
        return _outcome(job, start, "failed", f"{type(error).__name__}: {' '.join(str(error).split())[:500]}{_place(error)}")
    return result if result.end != "done" else _timed(result, start)


def _result(job: Job) -> Outcome:
    configuration = json.loads(job.text)
    here = make_trial(configuration, job.places).code
    if here != job.code:
        raise BadInput(f"{socket.gethostname()} has a different version of the code: {here[:12]} here, {job.code[:12]} at the launcher")
    with _own(Path(job.folder)):
        result = find_kind(configuration["kind"], job.places).run(configuration, Path(job.folder), job.places)
    for number, row in enumerate(result.rows):
        if not isinstance(row, dict):
            raise TypeError(f"row {number} is not a JSON object but {type(row).__name__}")
        try:
            canonical(row).encode()
        except (TypeError, ValueError) as error:
            raise TypeError(f"row {number} is not plain JSON: {error}") from error
    for document in result.certificates:
        if document.get("digest") != digest(document):
            raise ValueError("a certificate's digest is not the hash of its content")
    return Outcome(job.key, "done", rows=tuple(result.rows), certificates=tuple(result.certificates))


def _outcome(job: Job, start: float, end: str, reason: str) -> Outcome:
    return _timed(Outcome(job.key, end, reason=reason), start)


def _timed(outcome: Outcome, start: float) -> Outcome:
    return replace(outcome, seconds=time.process_time() - start, machine=socket.gethostname())


def _place(error: BaseException) -> str:
    """The line of code that raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""


@contextlib.contextmanager
def _own(folder: Path) -> Iterator[None]:
    """Lock the folder for this worker. A worker whose launcher died may still hold it; the trial's time limit ends the wait."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        while not _locked(handle):
            time.sleep(0.05)
        yield
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks: rely on the claim in the store
    return True


def _line(lifeline: int) -> bytes:
    """One line, and nothing after it."""
    parts: list[bytes] = []
    while not (parts and parts[-1].endswith(b"\n")):
        part = os.read(lifeline, 65536)
        if not part:
            os._exit(1)  # the parent died before it sent the job
        parts.append(part)
    return b"".join(parts)


def _die_with(lifeline: int) -> None:
    """End this process and its children when the lifeline closes; on Linux even while Python cannot run, as in a long C loop."""
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()


def _watch(lifeline: int) -> None:
    while os.read(lifeline, 1):
        pass
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)  # together with the trial's own children
    os._exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
