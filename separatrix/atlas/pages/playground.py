"""The playground: the weights of a certificate, run in the page on what the reader types."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

from separatrix.atlas.page import Page, Section
from separatrix.atlas.pages.cards import Card
from separatrix.atlas.reading.certificates import CertificateFile
from separatrix.atlas.reading.material import Records
from separatrix.atlas.typography import title
from separatrix.constructions import CONSTRUCTIONS
from separatrix.tasks import TASKS, task_class


def playground_section(card: Card, records: Records) -> Section | None:
    """The section of a card, if one of its certificates has the weights that a record spells."""
    subject = card.entries[0].certificate.subject
    record = records.content("playground", subject) if subject in CONSTRUCTIONS else None
    if record is None:
        return None
    found = [entry.certificate for entry in card.entries if entry.certificate.part("weights").get("sha256") == record["weights"]]
    if not found or "base64" not in found[0].part("weights"):
        return None
    script = f"playground/{card.anchor}.js"
    content = {
        "place": found[0].place,
        "digest": found[0].digest,
        "settings": list(record["settings"].items()),
        "script": script,
        "task": found[0].document["claim"]["task"],
        "model": _model(subject, found[0]),
    }
    run = {key: found[0].document[key] for key in ("program", "weights")}  # the page runs it; proof and tests are in the certificate itself
    packed = packed_text(run)
    material = {"certificate": packed, **{key: record[key] for key in ("words", "targets", "inputs", "vectors", "shape")}}
    material["strength"] = found[0].verdict.strength
    return Section("play", "Try it", "playground.html", content, {script: script_of("PLAYGROUND", material)})


def _model(subject: str, certificate: CertificateFile) -> str:
    """What is run, in a word or two: what the construction adds to the name of its task, or the architecture that the checker derives."""
    return title(subject.partition("/")[2]) or title(certificate.verdict.architecture or "").replace("Transformer ", "Transformer, ")


def script_of(name: str, value: Any) -> bytes:
    """A script that only defines data: every text is that of a JSON string, whatever it contains."""
    text = json.dumps(value, ensure_ascii=True).replace("<", "\\u003c")  # a string that says </script> ends nothing
    return f"window.{name} = {text};\n".encode()


def packed_script(name: str, value: Any) -> bytes:
    """A script that defines a large value: compressed, and unpacked by the page."""
    return f'window.unpack("{name}", "{packed_text(value)}");\n'.encode()


def packed_text(value: Any) -> str:
    """A value as JSON, compressed, in base64."""
    return base64.b64encode(gzip.compress(json.dumps(value).encode(), mtime=0)).decode()


def playground_page(pages: list[Page]) -> Page:
    """A page that lists what can be tried, by the family of the task and by task."""
    played = [(page, section.content) for page in pages for section in page.sections if section.anchor == "play"]
    families: dict[str, dict[str, list[tuple[str, str, list[tuple[str, Any]]]]]] = {}
    for page, content in sorted(played, key=lambda one: list(TASKS).index(one[1]["task"])):
        task = task_class(content["task"])
        families.setdefault(task.about, {}).setdefault(task.title, []).append((page.path, content["model"], content["settings"]))
    lead = "Type an input and watch certified weights compute the answer; then change a weight, or blunt its arithmetic, until it fails."
    listed = Section("playgrounds", f"{len(played)} models to try", "playgrounds.html", {"families": families})
    return Page("playground.html", "Playground", "Playground", "Playground", lead, (listed,))
