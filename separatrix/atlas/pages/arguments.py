"""Arguments drawn from real runs: a restriction layer by layer, dialogues of two parties, and two prefixes that leave one state."""

from __future__ import annotations

import gzip
import shlex
from dataclasses import dataclass
from typing import Any

from separatrix.atlas.drawn.collision import collision_picture
from separatrix.atlas.drawn.restriction import restriction_picture
from separatrix.atlas.page import ARGUMENTS, Page, Section
from separatrix.atlas.pages import hierarchy
from separatrix.atlas.pages.cards import Card, title_of
from separatrix.atlas.pages.demonstration import explain_line
from separatrix.atlas.pages.theorems import theorem_path
from separatrix.atlas.reading.material import Records
from separatrix.checker import Verdict, canonical, check_document
from separatrix.records.argument_records import RESTRICTED

RESTRICTION, DIALOGUES, COLLISION = "restriction.html", "dialogues.html", "collision.html"
TITLES = {
    RESTRICTION: "A restriction, layer by layer",
    DIALOGUES: "Models as dialogues",
    COLLISION: "Two prefixes, one state",
}
DRAWN = {  # the page on which the argument of a statement is drawn
    **dict.fromkeys(hierarchy.CITES, (hierarchy.PATH, hierarchy.TITLE)),
    **dict.fromkeys(("hahn2020 Theorem 1", "hahn2020 Lemma 4", "hahn2020 Corollary 2"), (RESTRICTION, TITLES[RESTRICTION])),
    **dict.fromkeys(("bhattamishra2024 Theorem 4", "bhattamishra2024 Theorem 5"), (DIALOGUES, TITLES[DIALOGUES])),
    **dict.fromkeys(("bhattamishra2024 Theorem 2", "bhattamishra2024 Theorem 3"), (COLLISION, TITLES[COLLISION])),
}
RESTRICTION_LEAD = (
    "A model of hard attention reads one place with each head. Fix a few tokens, and every head is forced to look where they are; layer "
    "after layer the model depends on less, until it says the same whatever the other places hold."
)
DIALOGUE_LEAD = (
    "Two parties share an input: Alice holds the odd places, Bob the even ones. To compute what a one-layer Transformer says they need few "
    "bits, since a head only adds up over its keys. So a task that needs many bits needs a large model."
)
COLLISION_LEAD = (
    "All a recurrent model remembers of what it has read is its state. If two prefixes leave it in one state, it says "
    "the same after every continuation, even where the right answers differ."
)


def argument_pages(cards: list[Card], records: Records) -> list[Page]:
    """The pages of the three arguments: collision, dialogues, restriction."""
    return [
        _page(RESTRICTION, RESTRICTION_LEAD, restriction_section(records.content("argument", "restriction"))),
        _page(DIALOGUES, DIALOGUE_LEAD, *dialogue_sections(records.content("argument", "dialogues"), cards)),
        _page(COLLISION, COLLISION_LEAD, collision_section(records.content("argument", "collision"))),
    ]


def restriction_section(record: dict[str, Any]) -> Section:
    """The restriction that the refuter found, with its certificate."""
    found = certified(record)
    content = {"drawn": restriction_picture(record), "found": found, "model": {**RESTRICTED, "seed": record["seed"]}}
    title = f"{RESTRICTED['task'].upper()} of {RESTRICTED['length']} bits, a model of {RESTRICTED['layers']} layers"
    return Section("layers", title, "restriction.html", content, found.files)


def dialogue_sections(records: list[dict[str, Any]], cards: list[Card]) -> list[Section]:
    """A section for each recorded dialogue of Alice and Bob."""
    pages: dict[str, str] = {}
    for card in cards:
        pages.setdefault(card.entries[0].certificate.subject, theorem_path(card))
    return [_dialogue(record, pages.get(record["construction"])) for record in records]


def _dialogue(record: dict[str, Any], card: str | None) -> Section:
    line = explain_line(record["construction"], record["settings"]).replace("explain", "protocol", 1)
    messages, sent = [], 0
    for one in record["messages"]:
        sent += len(one["bits"])
        messages.append({**one, "sent": sent})
    content = {
        "record": record,
        "messages": messages,
        "captions": [
            f"{one['sender']} sends {len(one['bits'])} bit{'' if len(one['bits']) == 1 else 's'}: {one['says']}" for one in messages
        ],
        "tokens": [(word, "Alice" if place in record["alice"] else "Bob") for place, word in enumerate(record["words"])],
        "built": card,
        "command": f"{line} --input {shlex.quote(' '.join(record['words']))}",
    }
    name = title_of(record["construction"])
    return Section(record["construction"].replace("/", "-"), f"{name}: {record['sent']} bits", "dialogue.html", content, short=name)


def collision_section(record: dict[str, Any]) -> Section:
    """Two prefixes, the state after both, and the suffix after which two answers are due."""
    found = certified(record)
    content = {"record": record, "drawn": collision_picture(record), "found": found}
    title = f"{record['task'].capitalize()} with {record['state_bits']} bit{'' if record['state_bits'] == 1 else 's'} of state"
    return Section("state", title, "collision.html", content, found.files)


def _page(path: str, lead: str, *sections: Section) -> Page:
    return Page(path, TITLES[path], TITLES[path], ARGUMENTS, lead, sections)


@dataclass(frozen=True)
class Certified:
    """The certificate of an argument, judged, and the packed file of the atlas that holds it."""

    document: dict[str, Any]
    verdict: Verdict

    @property
    def place(self) -> str:
        """Its path inside the atlas."""
        return f"certificates/{self.document['kind']}-{self.document['digest'][:8]}.json.gz"

    @property
    def check(self) -> str:
        """The command that checks it in the folder of the atlas."""
        return shlex.join(["separatrix", "check", self.place])

    @property
    def files(self) -> dict[str, bytes]:
        """The certificate of the argument, by its path in the atlas."""
        return {self.place: gzip.compress(canonical(self.document).encode(), mtime=0)}


def certified(record: dict[str, Any]) -> Certified:
    """The certificate in a record, judged now."""
    return Certified(record["certificate"], check_document(record["certificate"]))
