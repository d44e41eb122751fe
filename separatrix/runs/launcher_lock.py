"""Whether a launcher is alive: it holds a lock on a file beside the store, which the system releases however the process dies.

All launchers of a store run on one machine, since a write-ahead log cannot be shared over a network, so all of them see the lock.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from separatrix.errors import BadInput


def folder_of(store: Path) -> Path:
    """The folder of the locks of a store's launchers."""
    return store.with_name(f"{store.name}-launchers")


def new_name() -> str:
    """A name for this process as a launcher."""
    return f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(4)}"


@contextmanager
def alive(store: Path, name: str) -> Iterator[None]:
    """Hold the lock of a launcher with this name."""
    handle = _locked(folder_of(store) / name)
    try:
        yield
    finally:
        forget(store, name)
        os.close(handle)


def is_alive(store: Path, name: str) -> bool:
    """Whether some process holds the lock of this name; False without a file."""
    try:
        handle = os.open(folder_of(store) / name, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def forget(store: Path, name: str) -> None:
    """Remove the file of a launcher that is gone, and the folder after the last one."""
    (folder_of(store) / name).unlink(missing_ok=True)
    try:
        folder_of(store).rmdir()
    except OSError:
        return  # other launchers are alive


def forget_the_dead(store: Path) -> None:
    """Remove the files of launchers that were killed."""
    if folder_of(store).is_dir():
        for path in list(folder_of(store).iterdir()):
            if not is_alive(store, path.name):
                forget(store, path.name)


def _locked(path: Path) -> int:
    """Our own file with a lock on it; child processes do not inherit it."""
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:
            continue  # the last launcher removed the folder when it ended
        except OSError as error:
            raise BadInput(f"cannot write {str(path)!r}: {error.strerror or error}") from error
        fcntl.flock(handle, fcntl.LOCK_EX)
        if _is_at(handle, path):
            return handle
        os.close(handle)  # another launcher took it for a dead one's before it was locked


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False
