"""Thresholds of features given by tables: `1,3:0110; 2,4:0001`, the places of each and its values for 00, 01, 10, 11; or drawn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

from separatrix.checker.fields import within
from separatrix.checker.oracles.forms.features import Features, Holds, Row
from separatrix.checker.seal import Refused

FEATURE = re.compile(r"\s*([0-9]{1,7}(?:\s*,\s*[0-9]{1,7}){0,11})\s*:\s*([01]{2,4096})\s*")


class Oracle(Features):
    """N drawn features unless a text lists them; the bound defaults to half their number."""

    name = "sparse-threshold"
    fields: ClassVar[dict[str, Any]] = {"features": str, "threshold": (int, type(None))}

    def read(self) -> int:
        text, entries = self.parameters["features"], self.parameters["threshold"]
        if text.strip():
            for entry in text.split(";"):
                match = FEATURE.fullmatch(entry)
                if match is None:
                    raise Refused(f"features: expected places and values such as 1,3:0110, found {entry.strip()!r:.80}")
                self._add([int(place) for place in match[1].split(",")], [int(value) for value in match[2]])
        else:
            for places, words in self.drawn(self.N):
                self._add(places, words.many_below(self.N, 2 ** len(places), 2).tolist())
        return len(self.features) // 2 if entries is None else within(entries, -(1 << 62), 1 << 62, "threshold")

    def worded(self) -> str:
        return f"more than {self.b} of {len(self.features)} features of at most {self.k} bits, N = {self.N}"

    def _add(self, places: Sequence[int], values: Sequence[int]) -> None:
        if len(values) != 2 ** len(places) or len({*places}) < len(places):
            raise Refused(f"features: expected different places and 2^{len(places)} values, found {list(places)}")
        self.add(places, tabled(places, values))


def tabled(places: Sequence[int], values: Sequence[int]) -> Holds:
    """The entry indexed by the bits at these places, the first being the most significant."""

    def holds(row: Row) -> int:
        spelled = 0
        for place in places:
            spelled = 2 * spelled + row[place]
        return values[spelled]

    return holds
