"""A regular language as people hand it over: an expression, `@name`, an automaton in JSON or AT&T text, or a group as permutations.

    (ab)*    @parity    automaton.json    automaton.att    group:s5    group:[[2, 3, 1], [2, 1, 3]]

Nothing is guessed: an automaton in JSON has a move for every state and symbol. In AT&T text a missing arc rejects, as it does elsewhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput, did_you_mean
from separatrix.tasks.languages import automata
from separatrix.tasks.languages.automata import Automaton, minimal, numbered
from separatrix.tasks.languages.named_groups import GROUPS
from separatrix.tasks.languages.permutation_groups import PermutationGroup, from_images
from separatrix.tasks.languages.transitive_groups import TRANSITIVE
from separatrix.tasks.regular import is_automaton, read_language

GROUP = "group:"
ATT = ".att"
BYTES = 1 << 22
MOST_LETTERS = 1000


@dataclass(frozen=True)
class GivenLanguage:
    """The minimal automaton, the expression if there is one, and the group if it is one."""

    text: str
    automaton: Automaton
    expression: str | None = None
    group: PermutationGroup | None = None


def given_language(text: str, alphabet: str | None = None) -> GivenLanguage:
    """The language of a text, or one line that says what is wrong with it."""
    if text.startswith(GROUP):
        group = _group(text[len(GROUP) :].strip())
        return GivenLanguage(text, group.automaton(), group=group)
    if text.endswith(ATT):
        return GivenLanguage(text, from_att(_file(Path(text)), text))
    if text.endswith(".json") or text.lstrip().startswith("{"):
        where = text if text.endswith(".json") else "in the text"
        document = _document(_file(Path(text)) if text.endswith(".json") else text, where)
        _need_all_moves(document, where)
        return GivenLanguage(text, automata.from_document(document, where))
    if alphabet is not None and len(alphabet) > MOST_LETTERS:
        raise BadInput(f"expected an alphabet of at most {MOST_LETTERS} symbols, found {len(alphabet)}")
    automaton = read_language(text, alphabet)
    return GivenLanguage(text, automaton, None if is_automaton(text) else text)


def from_att(text: str, where: str) -> Automaton:
    """AT&T text: `source target symbol [symbol]` for each arc, one field for an accepting state; the first line's source is the start."""
    arcs: dict[tuple[str, str], str] = {}
    accepting: set[str] = set()
    symbols: dict[str, int] = {}
    states: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) not in (1, 2, 3, 4, 5):
            raise BadInput(f"automaton {where}, line {number}: expected an arc or an accepting state, found {line[:60]!r}")
        states.setdefault(fields[0], len(states))
        if len(fields) < 3:  # a second field is a weight
            accepting.add(fields[0])
            continue
        source, target, symbol = fields[:3]
        if len(fields) > 3 and fields[3] != symbol:
            raise BadInput(f"automaton {where}, line {number}: expected an automaton, found a transducer that writes {fields[3]!r}")
        states.setdefault(target, len(states))
        symbols.setdefault(symbol, len(symbols))
        if arcs.setdefault((source, symbol), target) != target:
            raise BadInput(f"automaton {where}, line {number}: state {source} has two arcs with {symbol!r}: expected a deterministic one")
    if not symbols:
        raise BadInput(f"automaton {where}: expected at least one arc")
    letters = tuple(sorted(symbols))
    _need_few(len(letters), where)
    sink = len(states)
    rows = {q: tuple(states.get(arcs.get((name, a), ""), sink) for a in letters) for name, q in states.items()}
    rows[sink] = (sink,) * len(letters)
    return minimal(numbered(letters, rows, 0, {states[q] for q in accepting}))


def _group(text: str) -> PermutationGroup:
    named = {**GROUPS, **TRANSITIVE}
    if text in named:
        return named[text]()
    try:
        images = json.loads(text)
    except (ValueError, RecursionError) as error:
        hint = did_you_mean(text, named)
        raise BadInput(
            f"no group {text[:60]!r}{hint}: expected a name such as s5 or 8T5, or lists of images [[2, 3, 1], [2, 1, 3]]"
        ) from error
    if not isinstance(images, list) or not all(isinstance(image, list) for image in images):
        raise BadInput(f"group: expected lists of images such as [[2, 3, 1], [2, 1, 3]], found {text[:60]!r}")
    return from_images(images)


def _file(path: Path) -> str:
    try:
        if path.stat().st_size > BYTES:
            raise BadInput(f"automaton {path}: expected a file of at most {BYTES:,} bytes, found {path.stat().st_size:,}")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"automaton {path}: cannot read the file ({type(error).__name__})") from error


def _document(text: str, where: str) -> Any:
    if len(text) > BYTES:
        raise BadInput(f"automaton {where}: expected at most {BYTES:,} characters, found {len(text):,}")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"automaton {where}: not JSON: {' '.join(str(error).split())}") from error


def _need_all_moves(document: Any, where: str) -> None:
    """Refuse an automaton with a missing move: a verdict about all words must not hang on what was meant."""
    if not isinstance(document, dict) or not isinstance(document.get("alphabet"), list) or not isinstance(document.get("moves"), dict):
        return  # refused with its own reason
    _need_few(len(document["alphabet"]), where)
    for q, row in document["moves"].items():
        for a in document["alphabet"]:
            if isinstance(row, dict) and a not in row:
                raise BadInput(f"automaton {where}: state {q!r} has no move on {a!r}: expected one for every symbol")


def _need_few(letters: int, where: str) -> None:
    if letters > MOST_LETTERS:
        raise BadInput(f"automaton {where}: expected an alphabet of at most {MOST_LETTERS} symbols, found {letters}")
