"""Canonical JSON, its hash, and texts that are no document."""

from __future__ import annotations

import hashlib

import pytest

from separatrix.checker.seal import Refused, Unreadable, canonical, digest, read, sealed


def test_the_digest_is_the_hash_of_the_canonical_text_without_it() -> None:
    document = {"b": [1, 2.5], "a": "é"}
    assert canonical(document) == '{"a":"é","b":[1,2.5]}'
    assert sealed(document)["digest"] == hashlib.sha256('{"a":"é","b":[1,2.5]}'.encode()).hexdigest()
    assert digest({**document, "digest": "anything"}) == digest(document)


def test_what_json_does_not_have_is_not_written() -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="JSON"):
            canonical({"a": value})


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ('{"a": 1, "a": 1}', Refused, "the key 'a' is repeated"),
        ('{"a": {"b": [{"c": 0, "c": 1}]}}', Refused, "the key 'c' is repeated"),
        ('{"a": NaN}', Refused, "NaN is not a number"),
        ('{"a": -Infinity}', Refused, "-Infinity is not a number"),
        ('{"a": 1e400}', Refused, "1e400 is not a number that float64 holds"),
        ('{"a": "\\ud800"}', Unreadable, "half of a surrogate pair"),
        ("[" * 100000, Unreadable, "nested too deeply"),
        ('{"a": ' + "9" * 5001 + "}", Unreadable, "not a JSON document"),
        ("[1]", Unreadable, "expected a JSON object"),
        ('{"a": 1', Unreadable, "not a JSON document"),
        ("", Unreadable, "not a JSON document"),
    ],
    ids=range(11),
)
def test_texts_that_are_no_document(text: str, kind: type[Exception], reason: str) -> None:
    with pytest.raises(kind, match=reason):
        read(text)
