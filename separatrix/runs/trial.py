"""A trial: one configuration as plain data, and the key that identifies it.

A configuration is a JSON object with a `kind`; the kind says which registered function runs it, the other fields are its arguments.
The key is the SHA-256 of the canonical JSON of the configuration and of the version of the code that determines its rows: the same
configuration with different code is a different trial.
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
    """What to run, and with which code."""

    text: str  # canonical JSON of the configuration
    code: str  # version of the code that determines the rows

    @property
    def key(self) -> str:
        """The key of the trial: 64 hexadecimal digits."""
        return trial_key(self.text, self.code)

    @property
    def configuration(self) -> dict[str, Any]:
        """The configuration as an object."""
        configuration: dict[str, Any] = json.loads(self.text)
        return configuration


def trial_key(text: str, code: str) -> str:
    """The SHA-256 of a trial's canonical configuration and of the version of its code."""
    return hashlib.sha256(f"{text}\n{code}".encode()).hexdigest()


def make_trial(configuration: Mapping[str, Any], code: Collection[str] = ()) -> Trial:
    """The trial of a configuration. A user's own code is read only if `code` lists it."""
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
    """Places of a user's own code; refuses one that the user has not allowed."""
    for place in places:
        if place not in code:
            raise BadInput(f"a trial needs to run the code {place}: pass --code {place} to allow it")
    return places
