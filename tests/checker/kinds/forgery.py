"""Documents made false and sealed again, as a liar would."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from separatrix.checker import check_document, sealed

Document = dict[str, Any]
Path = tuple[Any, ...]


def reason(document: Document, **changed: Any) -> str:
    """Why the checker refuses a document with some fields changed; it must."""
    verdict = check_document(sealed({**document, **changed}))
    assert not verdict.holds, "the forgery was accepted"
    assert (verdict.claim, verdict.strength, verdict.evidence) == ("", "", ())
    return verdict.reason


def edited(document: Document, path: Path, value: Any) -> Document:
    """A copy with one value replaced."""
    result = copy.deepcopy(document)
    holder: Any = result
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return result


def at(document: Any, path: Path) -> Any:
    """The value at a path."""
    for key in path:
        document = document[key]
    return document


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of everything that is neither an object nor a list."""
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from leaves(value[index], (*path, index))
    else:
        yield path


def objects(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all objects."""
    if isinstance(value, dict):
        yield path
        for key in value:
            yield from objects(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from objects(value[index], (*path, index))


def fuzzed(text: str, seed: str, count: int) -> Iterator[str]:
    """The text with one to four letters replaced at random; what still parses to the same document is left out."""
    document, rng = json.loads(text), random.Random(seed)
    for _ in range(count):
        letters = list(text)
        for _ in range(rng.randint(1, 4)):
            letters[rng.randrange(len(letters))] = chr(rng.randrange(32, 127))
        changed = "".join(letters)
        try:
            if json.loads(changed) == document:
                continue
        except ValueError:
            pass
        yield changed
