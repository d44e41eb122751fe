"""The checker accepts what is true, and refuses every edit and every false claim, whoever sealed it."""

from __future__ import annotations

import base64
import copy
import json
import random
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from separatrix.certificates.verify import certify, verify
from separatrix.checker import check_document, check_file, check_text, sealed
from separatrix.constructions import build

Document = dict[str, Any]


@cache
def fresh(address: str = "binary") -> Document:
    return verify(build("index-lookup", length=16, symbols=4, address=address), cases=20).document


@pytest.mark.parametrize("address", ["binary", "quadratic", "code", "one-hot"])
def test_a_fresh_certificate_is_accepted(address: str) -> None:
    verdict = check_document(fresh(address))
    assert verdict.holds, verdict.reason


@pytest.mark.parametrize("arithmetic", ["float32", "bfloat16", "fixed:9,3", "nearest:27", "float:5,10"])
def test_a_fresh_certificate_is_accepted_in_every_arithmetic(arithmetic: str) -> None:
    certificate = verify(build("index-lookup", length=16, symbols=4, arithmetic=arithmetic), cases=20)
    verdict = check_text(certificate.to_json())
    assert verdict.holds, verdict.reason


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every number, text and truth value of a document."""
    if isinstance(value, dict):
        return [leaf for key in value for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list):
        return [leaf for index in range(len(value)) for leaf in leaves(value[index], (*path, index))]
    return [path]


def edited(document: Document, path: tuple[Any, ...], change: Callable[[Any], Any]) -> Document:
    result = copy.deepcopy(document)
    holder: Any = result
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = change(holder[path[-1]])
    return result


def other(value: Any) -> Any:
    """A different value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return "x" + value if isinstance(value, str) else 1


def test_every_edit_that_is_not_resealed_is_refused() -> None:
    document = fresh()
    paths = [path for path in leaves(document) if path != ("digest",)]
    assert len(paths) > 40
    for path in paths:
        verdict = check_document(edited(document, path, other))
        assert not verdict.holds, path


FREE = {  # fields whose change states another claim, which may be true: they are not derived from anything
    ("cases", 0, "seed"), ("cases", 1, "seed"),
    ("model", "config", "causal"),  # read at the last token, the causal model says the same
}  # fmt: skip


def test_every_derived_field_is_recomputed() -> None:
    document = fresh()
    refused = 0
    for path in leaves(document):
        if path == ("digest",) or path in FREE:
            continue
        verdict = check_document(sealed(edited(document, path, other)))
        assert not verdict.holds, path
        refused += 1
    assert refused > 40


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("sizes", "width"), 7, "sizes.width"),
        (("sizes", "parameter_bits"), 1, "sizes.parameter_bits"),
        (("result", "errors"), 3, "result.errors"),
        (("result", "margin"), 5.0, "result.margin"),
        (("result", "margin"), 1.5, "result.margin"),
        (("result", "cases"), 10**6, "result.cases"),
        (("cases", 0, "count"), 21, "result.cases"),
        (("evidence", 0, "value"), 0.99, "evidence"),
        (("evidence", 0, "tag"), "exhaustive", "evidence"),
        (("statement", "cites"), "bhattamishra2024 Theorem 7", "statement"),
        (("statement", "construction"), "equality", "construction|statement"),
        (("parameters", "address"), "code", "address|generator|evidence"),
        (("task_parameters", "length"), 17, "vocabulary"),
        (("task_parameters", "symbols"), 5, "vocabulary|targets"),
        (("arithmetic",), "float32", "arithmetic"),
        (("model", "config", "causal"), "yes", "config.causal"),
        (("model", "config", "residual"), True, "result"),
        (("weights", "sha256"), "0" * 64, "hash"),
        (("kind",), "fooling", "kind"),
        (("holds",), False, "holds"),
    ],
)
def test_a_resealed_false_claim_is_refused_with_its_reason(path: tuple[Any, ...], value: Any, reason: str) -> None:
    verdict = check_document(sealed(edited(fresh(), path, lambda _: value)))
    assert not verdict.holds
    assert any(word in verdict.reason for word in reason.split("|")), verdict.reason


def test_weights_that_compute_something_else_are_refused() -> None:
    built = build("index-lookup", length=16, symbols=4)
    honest = verify(built, cases=20).document
    built.model.readout.weight.data *= -1
    dishonest = certify(built, honest["cases"]).document
    assert not dishonest["holds"]
    assert dishonest["result"]["counterexample"]["expected"] != dishonest["result"]["counterexample"]["said"]
    claimed = sealed({**honest, "weights": dishonest["weights"]})
    assert "result" in check_document(claimed).reason
    assert "records a failure" in check_document(dishonest).reason


def test_unknown_and_missing_and_repeated_keys_are_refused() -> None:
    document = fresh()
    assert "unknown field" in check_document(sealed({**document, "note": "true"})).reason
    assert "missing field" in check_document(sealed({k: v for k, v in document.items() if k != "sizes"})).reason
    text = json.dumps(document)
    verdict = check_text(text[:-1] + ', "holds": true}')
    assert not verdict.holds
    assert "repeated" in verdict.reason


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", "null", '{"schema": "other"}', '{"schema": "separatrix/certificate", "version": 99}', "\x00"]
)
def test_what_is_no_certificate_is_unreadable(text: str) -> None:
    verdict = check_text(text)
    assert not verdict.holds
    assert not verdict.readable


def test_a_truncated_certificate_is_unreadable() -> None:
    text = json.dumps(fresh())
    for cut in random.Random(0).sample(range(len(text)), 30):
        assert not check_text(text[:cut]).readable


def test_fuzzed_files_neither_crash_nor_pass() -> None:
    rng, text = random.Random(1), json.dumps(fresh())
    for _ in range(1500):
        letters = list(text)
        for _ in range(rng.randint(1, 4)):
            letters[rng.randrange(len(letters))] = chr(rng.randrange(32, 127))
        mutated = "".join(letters)
        if mutated != text:
            assert not check_text(mutated).holds


def test_resealed_documents_with_garbage_in_them_neither_crash_nor_pass() -> None:
    rng, document = random.Random(2), fresh()
    junk: list[Any] = [None, -1, 0, 10**30, 1.5, "", "x", [], {}, [[]], {"a": 1}, True, -(10**18), "\ud800"]
    paths = [path for path in leaves(document) if path != ("digest",) and path not in FREE]
    for path in paths:
        value = rng.choice(junk)
        try:
            forged = sealed(edited(document, path, lambda _, value=value: value))
        except UnicodeEncodeError:
            continue
        assert not check_document(forged).holds, (path, value)


def test_larger_weights_lie_beside_the_certificate(tmp_path: Path) -> None:
    certificate = verify(build("index-lookup", length=64, address="random"), cases=5)
    certificate.write(tmp_path / "c.json")
    assert check_file(tmp_path / "c.json").holds
    beside = tmp_path / certificate.document["weights"]["file"]
    raw = bytearray(beside.read_bytes())
    raw[-1] ^= 1
    beside.write_bytes(raw)
    assert "hash" in check_file(tmp_path / "c.json").reason
    beside.unlink()
    assert not check_file(tmp_path / "c.json").readable


def test_paths_that_leave_the_folder_are_refused() -> None:
    forged = sealed({**fresh(), "weights": {"file": "../../etc/passwd", "sha256": "0" * 64}})
    assert "beside the certificate" in check_document(forged, Path(".")).reason


def test_embedded_weights_must_be_base64_of_safetensors() -> None:
    raw = base64.b64encode(b"not a safetensors file").decode()
    forged = sealed({**fresh(), "weights": {"base64": raw, "sha256": fresh()["weights"]["sha256"]}})
    assert not check_document(forged).holds


def test_the_checker_runs_with_torch_blocked(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps(fresh()))
    program = (
        "import sys\n"
        "for name in ('torch', 'safetensors', 'numba', 'rich', 'jinja2'): sys.modules[name] = None\n"
        "from separatrix.cli import main\n"
        "code = main(['check', sys.argv[1]])\n"
        "rooms = sorted({m.split('.')[1] for m in sys.modules if m.startswith('separatrix.')})\n"
        "print(rooms)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "['checker', 'cli', 'errors']"
