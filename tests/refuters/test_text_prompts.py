"""Lookup, recall and copying in words: a reader who knows the rules is right, one who does not is at chance, whatever the tokenizer."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from separatrix.atlas.render import probe_page
from separatrix.errors import BadInput
from separatrix.refuters import probe as suite
from separatrix.refuters.probe import probe
from separatrix.refuters.text_prompts import SKILLS, WORDS, first_tokens, prompt_ids, text_report
from tests.cli.calling import answer, refusal

tokenizers = pytest.importorskip("tokenizers")
EXTRA = "The word is Number , . " + " ".join(map(str, range(20)))


def by_word() -> Any:
    """A token for each word, a special one before and behind every text, as some models have it."""
    names = ["<unk>", "<s>", "</s>", *WORDS, *EXTRA.split()]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel({name: i for i, name in enumerate(names)}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)])
    tokenizer.add_special_tokens(["<s>", "</s>"])
    return tokenizer


def by_pieces() -> Any:
    """Pieces of bytes, as in GPT-2; most words are cut into several."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=900, initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator([" ".join(WORDS), EXTRA] * 3, trainer)
    return tokenizer


def solved(text: str) -> str:
    """The answer to a prompt, by reading its text."""
    if asked := re.fullmatch(r"(.*) Number (\d+) is", text):
        return re.findall(r"\d+\. (\w+)", asked[1])[int(asked[2]) - 1]
    if text.endswith(" is"):
        *pairs, last = text.split(", ")
        return dict(pair.split(" is ") for pair in pairs)[last.removesuffix(" is")]
    said, again = text.split(", ")
    return said.split()[len(again.split())]


def reader(tokenizer: Any, answers: Callable[[str], str]) -> Callable[[Sequence[int]], Any]:
    """Logits that prefer the first token of an answer."""
    first = first_tokens(tokenizer)

    def following(ids: Sequence[int]) -> Any:
        text = tokenizer.decode(list(ids)).strip()
        text = re.sub(r" ([,.])", r"\1", text)  # a tokenizer of whole words forgets where spaces were
        return {**dict.fromkeys(first.values(), 0.0), first[answers(text)]: 1.0}

    return following


@pytest.mark.parametrize("make", [by_word, by_pieces])
def test_a_reader_who_knows_the_rules_is_always_right(make: Callable[[], Any]) -> None:
    tokenizer = make()
    report = text_report(reader(tokenizer, solved), tokenizer, 10, 0)
    assert report["words"] >= 32
    assert [(row["skill"], row["length"]) for row in report["rows"]] == [(skill, n) for skill in SKILLS for n in (4, 8, 16)]
    assert [row["accuracy"] for row in report["rows"]] == [1.0] * 9
    assert all(row["failure"] is None for row in report["rows"])


def test_a_reader_who_always_says_a_word_of_its_own_is_at_chance_and_its_failure_is_shown() -> None:
    tokenizer = by_word()
    report = text_report(reader(tokenizer, lambda text: min(word for word in WORDS if word in text.split())), tokenizer, 200, 0)
    lookup = report["rows"][0]
    assert abs(lookup["accuracy"] - lookup["chance"]) < 0.12  # four deviations of 200 draws at 1/4
    assert lookup["failure"]["said"] != lookup["failure"]["expected"] == solved(lookup["failure"]["prompt"])


def test_needed_bits_tell_every_order_of_the_words_apart() -> None:
    tokenizer = by_word()
    rows = {(row["skill"], row["length"]): row for row in text_report(reader(tokenizer, solved), tokenizer, 1, 0)["rows"]}
    assert 2 ** (rows["lookup", 4]["needed_bits"] - 1) < factorial(4) <= 2 ** rows["lookup", 4]["needed_bits"]
    assert rows["recall", 8]["needed_bits"] == rows["lookup", 8]["needed_bits"] == 16
    assert rows["copying", 4]["needed_bits"] == 3  # three words in any order


def test_prompts_are_drawn_alike_for_every_model_and_their_answers_follow_from_the_text() -> None:
    for skill, drawn in SKILLS.items():
        one, two = (drawn(random.Random(3), WORDS, 8) for _ in range(2))
        assert one == two
        assert solved(one.text) == one.answer in one.choices, skill


def test_what_a_tokenizer_puts_behind_a_text_is_not_read_and_what_it_puts_before_is() -> None:
    tokenizer = by_word()
    assert prompt_ids(tokenizer, "apple river") == [1, *(tokenizer.token_to_id(word) for word in ("apple", "river"))]


def test_a_tokenizer_that_does_not_know_the_words_is_refused() -> None:
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel({"<unk>": 0, "apple": 1, "The": 2, "is": 3, "word": 4}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    with pytest.raises(BadInput, match=r"tells 1 of \d+ words apart by their first token; expected 8 or more"):
        text_report(lambda ids: ids, tokenizer, 1, 0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny pretrained model of text, which has learned nothing, and few prompts."""
    monkeypatch.setattr(suite, "PROMPTS", {"quick": 12})
    transformers = pytest.importorskip("transformers")
    tokenizer = by_pieces()
    config = transformers.GPT2Config(n_layer=1, n_embd=16, n_head=2, n_positions=512, vocab_size=tokenizer.get_vocab_size())
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def test_a_pretrained_folder_with_a_tokenizer_is_asked_in_words(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = folder / "page.html"
    report = answer(capsys, "probe", str(folder), "--out", str(page))
    assert report["trained"] is False
    assert {row["skipped"] for row in report["tasks"]} == {"its ids are pieces of text: it is asked in words"}
    rows = report["text"]["rows"]
    assert len(rows) == 9
    assert all(row["accuracy"] < 0.75 for row in rows)  # it has learned nothing
    assert rows[0]["state_bits"] == 2 * 16 * 32 * rows[0]["tokens"]  # a key and a value of 16 numbers for each token
    assert "Asked in words" in page.read_text()


def test_a_damaged_tokenizer_is_refused_in_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tokenizer.json").write_text('{"version": "1.0"}')
    assert "tokenizer.json' is not a tokenizer" in refusal(capsys, "probe", str(folder))


def test_words_of_a_model_are_shown_as_text(folder: Path) -> None:
    report = probe(str(folder))
    report["text"]["rows"][0]["failure"] = {"prompt": "<script>x</script>", "said": "<b>", "expected": "y"}
    assert b"<script>" not in probe_page(report)
