"""What a task says about itself, for lists, pages and laws. Every fact but the name and the formula has a default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

Settings = Mapping[str, Any]  # parameters of a task by name


@dataclass(frozen=True)
class Leak:
    """A way to be right without solving the task, and the audit's shortcuts that show it."""

    says: str
    shown_by: tuple[str, ...] = ()


def sized(**settings: Any) -> Settings:
    """A field for the parameters at which a task is drawn, counted or tested."""
    return MappingProxyType(settings)


class Facts:
    """Class attributes; none of them is a parameter."""

    name: ClassVar[str]
    tokens: ClassVar[str]  # the number of tokens as a readable formula: "N + 1"
    title: ClassVar[str] = ""  # the name as a heading
    cites: ClassVar[str] = ""  # the statement it comes from, such as "bhattamishra2024 Theorem 1"; empty outside the four papers
    about: ClassVar[str] = "other"  # the kind of question, for lists: retrieval, comparison, languages, ..
    source: ClassVar[str] = ""  # its source in words, if it has no statement in the papers
    length_means: ClassVar[str] = "symbols"  # what N counts
    least_length: ClassVar[int] = 1
    even_because: ClassVar[str] = ""  # why N must be even; empty if any N will do
    total: ClassVar[bool] = False  # whether every string over the alphabets has an answer
    families: ClassVar[tuple[str, ...]] = ()  # adversarial families of verification cases
    position_kinds: ClassVar[tuple[str, ...]] = ()  # those of them that, at count = N, ask about every position once
    known_leaks: ClassVar[tuple[Leak, ...]] = ()
    extensions: ClassVar[tuple[str, ...]] = ()  # parameters that are not written at their default: keys and claims stay as they were

    stand_ins: ClassVar[Settings] = sized()  # for parameters that have no default, where a page or a law needs some
    drawn_at: ClassVar[Settings] = sized(length=8)  # small enough to read an example
    counted_at: ClassVar[Settings] = sized(length=12)  # where the states of a recurrent model are counted
    audited_at: ClassVar[Settings] = sized(length=20)  # where the data are audited
    bounded_at: ClassVar[Settings] = sized(length=1000)  # where bounds are evaluated
    bounded_up_to: ClassVar[int] = 1 << 20  # the longest N whose bounds take seconds: states are counted as exact integers
    enumerated_at: ClassVar[Settings] = sized(length=4)  # where every string over the vocabulary is tested
    sampled_at: ClassVar[tuple[Settings, ...]] = ()  # further settings at which samples are compared with the oracle
