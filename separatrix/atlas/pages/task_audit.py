"""The audit of a task's data on its page: labels, repeats, a second solver, shortcuts, and the known leaks in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separatrix.atlas.page import Section
from separatrix.records.task_choices import audited_task, command_of, settings_of

SHOWN_LABELS = 6
LEAKS_FROM = 0.1  # so far above the majority a shortcut needs a word

SHORTCUTS = {  # what each shortcut looks at
    "majority": "nothing: the most frequent label",
    "length": "the number of tokens",
    "first-symbols": "the first three tokens",
    "last-symbols": "the last three tokens",
    "distinct-symbols": "how many different symbols occur",
    "odd-counts": "how many symbols occur an odd number of times",
    "open-count": "how many brackets open",
    "symbol-count": "how often one symbol occurs, the best one",
    "bag-of-symbols": "counts of all symbols and their products, least squares",
}


@dataclass(frozen=True)
class Leak:
    """A way to be right more often than one should be, and the shortcuts that show it."""

    says: str
    shown_by: tuple[str, ...]


ENDS = "Most badly ordered words show it at their ends: they begin with a closing bracket, or end with an open one."
HALVES = Leak(
    "Equal halves use every symbol an even number of times; over two symbols a string that is not repeated does so half of the time.",
    ("odd-counts", "symbol-count"),
)
LEAKS: dict[str, tuple[Leak, ...]] = {
    "dyck": (
        Leak(
            "The number of opening brackets alone rejects 57 % (N = 20) to 84 % (N = 400) of the non-members, and counts "
            "of each type about 91 % at N = 20.",
            ("open-count", "odd-counts", "bag-of-symbols"),
        ),
    ),
    "equality": (HALVES,),
    "eq-random": (HALVES,),
    "eq-one": (
        Leak(
            "One changed symbol leaves two symbols with an odd number of occurrences, and equal halves leave none: counts decide every "
            "example, without any order.",
            ("odd-counts", "distinct-symbols", "bag-of-symbols"),
        ),
    ),
    "partition-equality": (
        HALVES,
        Leak(
            "Where both places of a pair lie at one end, that end alone shows some of the differences.", ("first-symbols", "last-symbols")
        ),
    ),
    "intersects": (Leak("Sets that meet have one element more on average, so they hold more 1s.", ("symbol-count", "bag-of-symbols")),),
    "k-cnf": (Leak("Of a formula that was drawn once, a clause may look at the last bits only.", ("last-symbols",)),),
    "parity": (
        Leak(
            "At one length a table from the number of 1s to the label solves the task, as it does for any function of counts. "
            "Only other lengths tell whether a model has learned to count modulo two.",
            ("symbol-count", "odd-counts"),
        ),
    ),
    "dyck-1": (
        Leak(ENDS, ("first-symbols", "last-symbols")),
        Leak(
            "Half of the non-members have a flipped bracket, which counting the opening ones shows.",
            ("open-count", "odd-counts", "symbol-count", "bag-of-symbols"),
        ),
    ),
    "dyck-2": (
        Leak(ENDS, ("first-symbols",)),
        Leak(
            "A third of the non-members have a flipped bracket, which counting the opening ones shows.",
            ("open-count", "odd-counts", "bag-of-symbols"),
        ),
    ),
    "parity-next": (
        Leak(
            "The number of 1s tells the state, and nobody who knows the state is right more often than half of the time: the law of "
            "the next symbol is what is asked, and cross-entropy is the measure.",
            ("symbol-count", "odd-counts"),
        ),
    ),
    "dyck-2-next": (
        Leak("After an opening bracket the last symbol tells all there is to know.", ("last-symbols",)),
        Leak("Counts tell whether everything is closed.", ("open-count", "bag-of-symbols", "odd-counts")),
    ),
    "ones": (
        Leak("The language has one word of each length, so half of the examples are that word and samples share it.", ()),
        Leak(
            "Any 0 shows in the counts, as the language itself says.", ("distinct-symbols", "symbol-count", "bag-of-symbols", "odd-counts")
        ),
    ),
    "an-bn": (
        Leak("The language has one word of each even length, so half of the examples are that word and samples share it.", ()),
        Leak("Half of the non-members have another number of a.", ("symbol-count", "bag-of-symbols", "odd-counts", "first-symbols")),
    ),
    "regular": (
        Leak("The language (ab)* has one word of each even length, so half of the examples are that word and samples share it.", ()),
        Leak(
            "Its non-members are uniform, so that few symbols anywhere give them away; `negatives=near` takes one symbol's change.",
            ("first-symbols", "last-symbols", "symbol-count", "bag-of-symbols", "odd-counts"),
        ),
    ),
    "function": (Leak("Examples are uniform over all words, so a rare answer is rare: always saying the other is nearly right.", ()),),
}


def audit_section(name: str, record: dict[str, Any]) -> Section:
    """The audit at a modest length."""
    task, report = audited_task(name), record["report"]
    shares = list(report["balance"].items())
    content = {
        "settings": settings_of(task),
        "audit": report,
        "shares": shares[:SHOWN_LABELS],
        "other_labels": len(shares) - SHOWN_LABELS,
        "shortcuts": shortcut_rows(report["shortcuts"]),
        "leaks": LEAKS.get(name, ()),
        "command": command_of("audit", task),
    }
    return Section("audit", "Audit of the data", "task_audit.html", content, short="Audit")


def shortcut_rows(accuracies: dict[str, float]) -> list[dict[str, Any]]:
    """Every shortcut, what it looks at, its accuracy, and whether that is a leak."""
    floor = accuracies["majority"]
    return [
        {"name": key, "looks": SHORTCUTS[key], "accuracy": value, "leaks": value - floor > LEAKS_FROM} for key, value in accuracies.items()
    ]
