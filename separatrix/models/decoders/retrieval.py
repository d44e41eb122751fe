"""Chains with searches: greedy, and after the token `end` comes what the regular expression since the last `start` finds.

[wen2024 Definition A.5; corrected: the pattern lies strictly between the search tokens, and its tokens are concatenated]

The text is what comes before `start`, one space between tokens; the result is the first group of the first match, or FAILED.
Short queries stand for such expressions, in which they fill the places of a template.
Patterns come from a model, so they run with a time limit. A pattern that runs away or does not compile ends the chain, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

from separatrix.errors import BadInput
from separatrix.models.decoders.decoder import CannotContinue, Chain, Token
from separatrix.models.decoders.greedy import Greedy, TokenChain

if TYPE_CHECKING:
    from separatrix.models.config import ModelConfig
    from separatrix.models.fast.sparse_chain import Writer

FAILED = "FAILED"
SECONDS = 1.0  # for one search
Template = tuple[str | int, ...]  # parts of an expression, and the places, from 0, of a query's words after the first


@dataclass(frozen=True)
class Retrieval(TokenChain):
    """`words` is the text of each token; FAILED is one of them."""

    start: int
    end: int
    stop: int
    limit: int
    words: tuple[str, ...]
    kind: ClassVar[str] = "retrieval"

    def refuse(self, config: ModelConfig) -> None:
        Greedy(self.stop, self.limit).refuse(config)
        vocabulary = config.embedding.vocabulary
        if len(self.words) != vocabulary or len({*self.words}) != vocabulary:
            raise BadInput(f"retrieval: expected a different word for each of {vocabulary} tokens, found {len({*self.words})} words")
        if FAILED not in self.words:
            raise BadInput(f"retrieval: expected {FAILED} among the words, for a search that finds nothing")
        if any(len(word.split()) != 1 for word in self.words):
            raise BadInput("retrieval: words are separated by spaces and contain none")
        if not (0 <= self.start < vocabulary and 0 <= self.end < vocabulary and self.start != self.end):
            raise BadInput(f"retrieval: expected two tokens 0..{vocabulary - 1} around a search, found {self.start} and {self.end}")

    def written(self, fast: Writer, prompt: Sequence[Any]) -> Chain | None:
        return fast.search(prompt, self.stop, self.end, self.limit, partial(self._after, prompt))

    def _after(self, prompt: Sequence[Any], chain: Sequence[int]) -> int | None:
        found = self.given(prompt, chain)
        return found if isinstance(found, int) else None

    def given(self, prompt: Sequence[Any], chain: Sequence[Token]) -> Token | None:
        if not chain or chain[-1] != self.end:
            return None
        read = [*prompt, *chain]
        if self.start not in read:
            raise CannotContinue(f"{self.words[self.end]} ends a search that has not begun: expected {self.words[self.start]} before it")
        begin = len(read) - 1 - read[::-1].index(self.start)
        return self._found(self._pattern([self.words[t] for t in read[begin + 1 : -1]]), " ".join(self.words[t] for t in read[:begin]))

    def _pattern(self, query: Sequence[str]) -> str:
        """The regular expression that a query is."""
        return "".join(query)

    def _found(self, pattern: str, text: str) -> int:
        import regex

        try:
            match = regex.search(pattern, text, timeout=SECONDS)
        except regex.error as error:
            raise CannotContinue(f"the pattern {pattern!r:.80} does not compile: {error}") from error
        except TimeoutError as error:
            raise CannotContinue(f"the pattern {pattern!r:.80} has not matched {len(text)} characters within {SECONDS:g} s") from error
        if match is not None and not match.re.groups:
            raise CannotContinue(f"the pattern {pattern!r:.80} has no group: expected one around what is retrieved")
        word = FAILED if match is None or match[1] is None else match[1]
        if word not in self._ids:
            raise CannotContinue(f"the pattern {pattern!r:.80} retrieves {word!r:.80}, which is not a word")
        return self._ids[word]

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {word: token for token, word in enumerate(self.words)}


@dataclass(frozen=True)
class ShortRetrieval(Retrieval):
    """Queries leave out what is fixed in their expression: the first word names a template, which the others fill.

    [wen2024 Experiment 3] For trained models: no certificate has it.
    """

    templates: tuple[tuple[str, Template], ...]
    kind: ClassVar[str] = "short retrieval"

    def _pattern(self, query: Sequence[str]) -> str:
        template = dict(self.templates).get(query[0]) if query else None
        if template is None:
            raise CannotContinue(f"{' '.join(query)!r:.80} is not a query: expected one of {', '.join(dict(self.templates))} first")
        words, places = query[1:], {part for part in template if isinstance(part, int)}
        if len(words) != len(places):
            raise CannotContinue(f"the query {' '.join(query)!r:.80}: expected {len(places)} words after {query[0]}, found {len(words)}")
        return "".join(words[part] if isinstance(part, int) else part for part in template)
