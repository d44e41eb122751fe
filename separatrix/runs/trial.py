"""A trial: one configuration as plain data, and the key that names it.

A configuration is a JSON object with a `kind`; the kind says which registered function runs it, the other fields are its arguments.
The key is the SHA-256 of the canonical JSON of the configuration and of the version of the code that decides its rows: the same
question asked of other code is another trial.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from separatrix.checker.seal import canonical
from separatrix.errors import BadInput
from separatrix.runs.code_version import code_version
from separatrix.runs.kinds import find_kind


@dataclass(frozen=True)
class Trial:
    """What is to be run, and with which code."""

    text: str  # canonical JSON of the configuration
    code: str  # version of the code that decides the rows

    @property
    def key(self) -> str:
        """The name of the trial: 64 hexadecimal digits."""
        return trial_key(self.text, self.code)

    @property
    def configuration(self) -> dict[str, Any]:
        """The configuration as an object."""
        configuration: dict[str, Any] = json.loads(self.text)
        return configuration


def trial_key(text: str, code: str) -> str:
    """The SHA-256 that names a trial, from its canonical configuration and the version of its code."""
    return hashlib.sha256(f"{text}\n{code}".encode()).hexdigest()


def make_trial(configuration: Mapping[str, Any], code: Collection[str] = ()) -> Trial:
    """The trial of a configuration. Code of others is looked at only if `code` names it."""
    name = configuration.get("kind")
    if not isinstance(name, str):
        raise BadInput(f'a trial is a JSON object with a "kind", found {str(configuration)[:80]}')
    try:
        text = canonical(dict(configuration))
        text.encode()
    except (TypeError, ValueError) as error:
        raise BadInput(f"a trial of kind {name} is not plain JSON: {error}") from error
    kind, plain = find_kind(name, code), json.loads(text)
    places = [*([name] if ":" in name else []), *kind.places(plain, code)]
    return Trial(text, code_version(kind.rooms, tuple(named(places, code))))


def named(places: Collection[str], code: Collection[str]) -> Collection[str]:
    """These places of someone else's code, all of which the user has named."""
    for place in places:
        if place not in code:
            raise BadInput(f"a trial runs the code {place}; a file cannot ask for that by itself: name it, as in --code {place}")
    return places
