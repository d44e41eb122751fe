"""Chains with searches: what is retrieved, and what happens if a pattern cannot be run."""

from __future__ import annotations

import re

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, ReadoutConfig
from separatrix.models.decoders.decoder import CannotContinue
from separatrix.models.decoders.retrieval import Retrieval, ShortRetrieval
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.model import Model

WORDS = ("<", ">", "FAILED", "#", "a", "b", "(", "(b)", "(?=x)", "(ab)")
ID = {word: token for token, word in enumerate(WORDS)}


def scripted(*script: str) -> Model:
    """Says the script's words in order, whatever it reads: the clock is a running sum, and the logits have a peak for each time."""
    T = len(script) + 1
    config = ModelConfig(
        EmbeddingConfig(len(WORDS)), (LayerConfig(LinearRnnConfig(T), residual=False),), ReadoutConfig(len(WORDS)), T, "float64", 99
    )
    model = Model(config).double()
    with torch.no_grad():
        model.embedding.table[:, 0] = 0.0
        model.embedding.table[ID["#"], 0] = 1.0  # the prompt ends with #
        mixer = model.layers[0].mixer
        mixer.drive[0, 0] = 1.0  # type: ignore[union-attr]
        for t in range(1, T):
            mixer.transition[t, t - 1] = 1.0  # type: ignore[union-attr]
        mixer.out.copy_(torch.eye(T))  # type: ignore[union-attr]
        for t, word in enumerate(script):
            model.readout.weight[ID[word], t] = 1.0
    return model


def chain(prompt: str, *script: str, limit: int = 20) -> tuple[str, bool, str]:
    decoder = Retrieval(ID["<"], ID[">"], ID["FAILED"], limit, WORDS)
    (written,) = decoder.chains(scripted(*script), [[ID[word] for word in prompt.split()]])
    return " ".join(WORDS[t] for t in written.tokens if isinstance(t, int)), written.ended, written.why


def test_what_is_found_follows_the_search_and_is_not_the_models_word() -> None:
    # the fifth word of the script is said at `>`, where the result is given instead
    assert chain("a b #", "<", "(b)", ">", "a", "a", "FAILED") == ("< (b) > b a FAILED", True, "")


def test_nothing_found_is_failed_and_does_not_end_the_chain() -> None:
    assert chain("a #", "<", "(b)", ">", "a", "FAILED") == ("< (b) > FAILED FAILED", True, "")


def test_the_text_ends_before_the_last_search_begins() -> None:
    assert chain("a #", "b", "<", "(b)", ">", "a", "<", "(b)", ">", "a", "FAILED")[0].split()[-2] == "b"
    assert chain("a #", "<", "(b)", ">", "a", "FAILED")[0].split()[-2] == "FAILED"  # `(b)` of the search itself is no text


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (("<", "(", ">"), "the pattern '(' does not compile: missing )"),
        (("<", "(?=x)", "a", ">"), ""),
        (("<", "b", "a", ">"), ""),
        (("a", ">"), "> ends a search that has not begun: expected < before it"),
    ],
)
def test_a_pattern_that_cannot_be_run_ends_the_chain_with_the_reason(script: tuple[str, ...], why: str) -> None:
    said, ended, reason = chain("a b #", *script, "FAILED", "FAILED")
    if not why:  # it runs, and finds nothing
        assert said.split()[len(script)] == "FAILED"
        return
    assert (ended, reason[: len(why)]) == (False, why)
    assert said.split() == list(script)


def test_a_pattern_without_a_group_or_with_a_result_that_is_no_word_is_reported() -> None:
    assert chain("a b #", "<", "a", ">")[2] == "the pattern 'a' has no group: expected one around what is retrieved"
    assert chain("(ab) #", "<", "(ab)", ">")[2] == "the pattern '(ab)' retrieves 'ab', which is not a word"


def test_a_pattern_that_runs_away_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("separatrix.models.decoders.retrieval.SECONDS", 0.01)
    decoder = Retrieval(0, 1, 2, 9, ("<", ">", "FAILED", "a" * 4000, "(?:a|aa|aaa)+(b)$"))
    with pytest.raises(CannotContinue, match=r"^the pattern '\(\?:a\|aa\|aaa\)\+\(b\)\$' has not matched 4000 characters within 0.01 s$"):
        decoder.given([3], [0, 4, 1])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"words": WORDS[:-1]}, "expected a different word for each of"),
        ({"words": (*WORDS[:-1], "a")}, "expected a different word for each of"),
        ({"words": ("<", ">", "nothing", *WORDS[3:])}, "expected FAILED among the words"),
        ({"words": (*WORDS[:-1], "a b")}, "words are separated by spaces and contain none"),
        ({"end": ID["<"]}, "expected two tokens 0..9 around a search"),
        ({"stop": 99}, "a chain needs a stop token among the targets"),
        ({"limit": 0}, "the limit of a chain must be at least 1"),
    ],
)
def test_a_decoder_that_does_not_fit_the_model_is_refused(changed: dict[str, object], message: str) -> None:
    fields = {"start": ID["<"], "end": ID[">"], "stop": ID["FAILED"], "limit": 9, "words": WORDS, **changed}
    with pytest.raises(BadInput, match=message):
        Retrieval(**fields).refuse(scripted("a").config)  # type: ignore[arg-type]


SHORT = ShortRetrieval(ID["<"], ID[">"], ID["#"], 9, WORDS, (("a", (0, r"\s(\S)")), ("b", (1, r"\s", 0, r"\s(\S)"))))


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("b a b", "a a", "b"),
        ("a b a a", "b a b", "a"),  # b, then a, then what follows
        ("a b a a", "b b a", "a"),
        ("a b", "a #", "FAILED"),
    ],
)
def test_a_short_query_finds_what_its_expression_finds(text: str, query: str, found: str) -> None:
    read = [ID[word] for word in f"{text} < {query} >".split()]
    assert SHORT.given(read[:2], read[2:]) == ID[found]
    assert SHORT.given(read[:2], read[2:-1]) is None  # before the end of the query the model writes


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("", "'' is not a query: expected one of a, b first"),
        ("# a", "'# a' is not a query: expected one of a, b first"),
        ("a", "the query 'a': expected 1 words after a, found 0"),
        ("b a", "the query 'b a': expected 2 words after b, found 1"),
        ("a a b", "the query 'a a b': expected 1 words after a, found 2"),
    ],
)
def test_what_is_no_short_query_ends_the_chain_with_the_reason(query: str, why: str) -> None:
    with pytest.raises(CannotContinue, match=f"^{re.escape(why)}$"):
        SHORT.given([ID["a"]], [ID[word] for word in f"< {query} >".split()])
