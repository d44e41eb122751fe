"""Documents that only this user, on this machine, can have written: each carries a keyed hash of its content.

What is reused without running it again must not be believed on the word of a file that came with somebody else's folder. The key is
drawn once and lies in the user's cache, readable by no one else; where no key can be kept, nothing is reused.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path
from typing import Any

from separatrix.certificates.files import write_file
from separatrix.checker.budget import OverBudget
from separatrix.checker.files import read_regular
from separatrix.checker.seal import Unreadable, canonical

LARGEST = 1 << 22  # bytes of the largest document that is read
Document = dict[str, Any]


def key() -> bytes | None:
    """The key of this user on this machine, drawn at the first call; None where there is no place for it."""
    path = _cache() / "separatrix" / "key"
    try:
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(draft := path.with_name(f"key.{secrets.token_hex(8)}"), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(secrets.token_bytes(32))
            try:
                os.link(draft, path)  # of two processes that draw a key at once, both use the first
            except FileExistsError:
                pass
            finally:
                draft.unlink()
        found = read_regular(path, LARGEST, path.name)
    except (OSError, RuntimeError, Unreadable, OverBudget):
        return None
    return found if len(found) == 32 else None


def write_keyed(path: Path, document: Document) -> bool:
    """Write a document with its keyed hash; False where there is no key."""
    secret = key()
    if secret is None:
        return False
    write_file(path, (json.dumps({**document, "key": _hash(document, secret)}, ensure_ascii=False, allow_nan=False) + "\n").encode())
    return True


def read_keyed(path: Path, largest: int = LARGEST) -> Document | None:
    """A document as it was written here; None for a missing one, an edited one, and one that another user or machine wrote."""
    secret = key()
    try:
        if secret is None:
            return None
        document = json.loads(read_regular(path, largest, path.name))  # a pipe that lies there must not block
        stated = document.pop("key")
        return document if hmac.compare_digest(stated, _hash(document, secret)) else None
    except (OSError, ValueError, OverBudget, RecursionError, AttributeError, KeyError, TypeError):
        return None


def _hash(document: Document, secret: bytes) -> str:
    return hmac.new(secret, canonical(document).encode(), hashlib.sha256).hexdigest()


def _cache() -> Path:
    """The folder for what may be lost."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".cache"
