"""`python -m tests.vectors.write`: write the conformance vectors again, after a change of the format.

What is expected comes from what the documents were made to be: a lie is refused, or shows the sentence that its author states for it; an
honest document has the strength that its producer wrote, and is tried by code other than the checker before it is kept.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any

from separatrix.certificates.verify import verify
from separatrix.checker import KINDS, check_text, sealed
from separatrix.constructions import build
from tests.fuzz.corpus import corpus
from tests.fuzz.triage import objection
from tests.laws.liars import lies
from tests.vectors.conform import DOCUMENTS, HERE
from tests.vectors.files import broken_files

Document = dict[str, Any]
MORE: tuple[tuple[str, dict[str, Any]], ...] = (  # besides the corpus of the fuzzer: every rule, decoder, mask and kind of format
    ("copy", {"length": 2, "symbols": 2}),
    ("copy/recurrent", {"length": 2, "symbols": 2}),
    ("mqar", {"length": 4}),
    ("associative-recall", {"length": 2}),
    ("associative-recall/recurrent", {"length": 2}),
    ("dyck/one-layer", {"length": 4}),
    ("sparse-threshold", {"length": 10}),
    ("k-cnf", {"length": 6}),
    ("intersects", {"length": 4}),
    ("index-lookup", {"length": 3, "symbols": 2, "arithmetic": "nearest:25"}),
    ("index-lookup", {"length": 3, "symbols": 2, "arithmetic": "float:8,7"}),
)


def honest_documents() -> Iterator[tuple[str, Document]]:
    """What each is about, and the document."""
    for name, document in corpus().items():
        yield f"honest: {name}", document
    for name, chosen in MORE:
        settings = ", ".join(f"{key} {value}" for key, value in chosen.items())
        yield f"honest: {name}, {settings}", verify(build(name, **chosen)).document
    for kind in KINDS:
        for lie in lies(kind):
            yield f'honest: what the lie "{lie.says}" was made from', lie.honest()


def entries() -> Iterator[tuple[dict[str, Any], bytes]]:
    """An entry of the index without its file, and the bytes of that file."""
    known: dict[str, Document] = {}
    for about, document in honest_documents():
        if document["digest"] in known:
            continue
        verdict = check_text(json.dumps(document))
        assert verdict.holds, f"{about}: {verdict.reason}"
        assert not objection(document, verdict), f"{about}: {objection(document, verdict)}"
        assert verdict.strength == document.get("strength", "proven"), about
        known[document["digest"]] = document
        expected = {"holds": True, "strength": verdict.strength, "claim": verdict.claim}
        yield {"kind": document["kind"], "about": about, **expected}, json.dumps(document).encode()
    for kind in KINDS:
        for lie in lies(kind):
            told = sealed(lie.told())
            verdict = check_text(json.dumps(told))
            assert verdict.holds == bool(lie.shows), f"{lie.says}: {verdict.reason}"
            expected = {"holds": True, "strength": verdict.strength, "claim": lie.shows} if lie.shows else {"holds": False}
            yield {"kind": kind, "about": lie.says, **expected}, json.dumps(told).encode()
    for about, content in broken_files(corpus()["lookup"]):
        yield {"kind": "program", "about": about, "holds": False}, content


def main() -> int:
    """Write all documents and the index; those of before go."""
    DOCUMENTS.mkdir(exist_ok=True)
    written: dict[str, bytes] = {}
    index = []
    for entry, content in entries():
        words = re.sub(r"[^a-z0-9]+", "-", entry["about"].lower()).strip("-")
        stem = f"{entry['kind']}-{words[:60].rstrip('-')}"
        name = next(file for file in (f"{stem}{'' if i < 2 else f'-{i}'}.json" for i in count(1)) if file not in written)
        written[name] = content
        index.append({"file": name, **entry})
    for old in DOCUMENTS.iterdir():
        old.unlink()
    for name, content in written.items():
        (DOCUMENTS / name).write_bytes(content)
    rows = ",\n".join(json.dumps(entry, ensure_ascii=True) for entry in index)
    (HERE / "index.json").write_text(f'{{"vectors": [\n{rows}\n]}}\n')
    print(f"{len(index)} vectors, {sum(map(len, written.values())) / 1e3:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
