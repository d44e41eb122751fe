"""Words that the pages use, each in one or two sentences."""

from __future__ import annotations

GLOSSARY = {
    "architecture": "A kind of model, such as Mamba or a Transformer of two layers. Bounds hold for every model of a kind.",
    "attention, hard": "Each head reads exactly one token, the one with the highest score. Softmax attention reads a weighted mean.",
    "certificate": "A JSON file with a claim, the weights or the witness, and what is needed to check it. `separatrix check` judges it "
    "with independent code.",
    "chain of thought": "Tokens that a model writes before its answer, and reads again.",
    "cut": "The point between two tokens of an input. What a model knows after it, of what came before, has to cross it.",
    "DA": "A class of regular languages inside the star-free ones, with little memory of order: `a` somewhere before the last `b` is in "
    "it, strict alternation of `a` and `b` is not. Outside it two parties may have to exchange bits in proportion to N, which limits one "
    "layer of attention.",
    "exhaustive": "Every input of that size was run and compared with the definition of the task.",
    "fooling set": "Pairs of half-inputs with one answer, such that any two of them, mixed, have another. Its size bounds the bits that "
    "two parties must exchange.",
    "induction head": "Two layers of attention that find the last place where the present token stood and read what followed it.",
    "KV cache": "The keys and values of all tokens so far: the state of a Transformer. It grows with every token.",
    "margin": "By how much the score of the right answer exceeds all others.",
    "N": "The length of an input, in the units that the page of a task names.",
    "precision": "The bits of each number inside a model.",
    "proven": "For every input at once: the checker replays a proof about the weights.",
    "residual function": "What the answer will be after each possible rest of the input. Prefixes with different residual functions need "
    "different states.",
    "restriction": "A few tokens, fixed so that a model of hard attention ignores most of the others.",
    "separatrix": "In dynamics, the curve between two kinds of behaviour. Here: the size at which a task becomes possible.",
    "solvable group": "A group that is built from commutative ones, as the symmetries of a triangle are and those of five points are not. "
    "Products in a group that is not solvable are as hard as any formula to evaluate.",
    "star-free": "A regular language that counts nothing modulo a number: (ab)* is star-free, (aa)* is not. In float64 Mamba recognises "
    "exactly the star-free ones at all lengths.",
    "state": "All that a recurrent model remembers of what it has read, in bits.",
    "strength": "How a claim is backed: proven, exhaustive, tested or, weakest, the author's word.",
    "syntactic monoid": "The finite algebra of a regular language: words that can replace each other everywhere count as one element.",
    "tested": "Random and adversarial inputs were run, as many as stated.",
}  # fmt: skip


def glossary_page() -> str:
    """The page docs/glossary.md, from the data file."""
    lines = ["# Glossary", "", "Words of the pages and of the command line.", ""]
    return "\n".join([*lines, *(f"- **{word}**: {says}" for word, says in GLOSSARY.items())]) + "\n"
