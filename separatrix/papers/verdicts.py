"""Which results of a paper stand as stated, which with another proof or constant, and which need a changed statement."""

from __future__ import annotations

from collections import Counter

from separatrix.papers.statement import ERRATA, Entry, Kind, Paper, Severity, Statement, Survives

RESULTS: tuple[Kind, ...] = ("theorem", "lemma", "proposition", "corollary", "fact")
WORST_LAST: tuple[Survives, ...] = ("as stated", "with another proof or constant", "needs a changed statement")

TITLES: dict[Survives, str] = {
    "as stated": "Stand as stated",
    "with another proof or constant": "Stand with another proof or constant",
    "needs a changed statement": "Need a changed statement",
}


def verdicts(paper: Paper) -> dict[Survives, list[Statement]]:
    """The theorems, lemmas, propositions, corollaries and facts of a paper, each under the worst that any entry says of it."""
    worst: dict[str, int] = {}
    for s in paper.statements:
        for entry in s.errata:
            for key in entry.bears_on or (s.key,):
                if entry.survives in WORST_LAST:
                    worst[key] = max(worst.get(key, 0), WORST_LAST.index(entry.survives))
    results = [s for s in paper.statements if s.kind in RESULTS]
    return {verdict: [s for s in results if worst.get(s.key, 0) == rank] for rank, verdict in enumerate(WORST_LAST)}


def by_severity(paper: Paper, severity: Severity) -> list[tuple[Statement, Entry]]:
    """The entries of one severity, each with its statement, in the order of the text."""
    return [(s, entry) for s in paper.statements for entry in s.entries if entry.severity == severity]


def counts(paper: Paper) -> dict[Severity, int]:
    """How many entries there are of each severity, each point once."""
    counted = Counter(entry.severity for s in paper.statements for entry in s.entries if not entry.repeats)
    return {severity: counted[severity] for severity in (*ERRATA, "note", "code")}


def tally(one: Paper) -> str:
    """`10 errors, 19 gaps, 27 misprints`."""
    number = counts(one)
    return ", ".join(f"{number[severity]} {severity}{'' if number[severity] == 1 else 's'}" for severity in ERRATA)


def verdict(statement: Statement, entry: Entry) -> str:
    """Whether what an entry is about survives: `Lemma 5 stands with another proof or constant`; empty where nothing has to stand."""
    if entry.survives not in WORST_LAST:
        return ""
    names = [key.partition(" ")[2] for key in entry.bears_on] or [statement.name]
    several, subject = len(names) > 1, " and ".join(_by_word(names))
    if entry.survives == "needs a changed statement":
        return f"{subject} {'need' if several else 'needs'} a changed statement"
    return f"{subject} {'stand' if several else 'stands'} {entry.survives}"


def grouped(results: list[Statement]) -> str:
    """`Theorems 1, 2 and 3; Lemma 1`."""
    return "; ".join(_by_word([s.name for s in results]))


def _by_word(names: list[str]) -> list[str]:
    """`Theorems 1, 2 and 3`, `Lemma 1`."""
    numbers: dict[str, list[str]] = {}
    for name in names:
        word, _, number = name.partition(" ")
        numbers.setdefault(word, []).append(number)
    plurals = {"Corollary": "Corollaries"}
    groups = []
    for word, several in numbers.items():
        *rest, last = several
        groups.append(f"{plurals.get(word, word + 's')} {', '.join(rest)} and {last}" if rest else f"{word} {last}")
    return groups
