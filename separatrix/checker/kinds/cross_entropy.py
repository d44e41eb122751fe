"""Certificates of cross-entropy: how close these weights come to the law of a random source, or how far they must stay from it.

    "bound": "at-most"    after every prefix of the claim the cross-entropy is at most `excess` nats above the optimum
    "bound": "at-least"   over prefixes of exactly N symbols, read at the last one, it is at least `excess` nats above the optimum

The second is about softmax attention: one symbol moves the logits at the last place by no more than the norms of the weights allow, but the
law of the next symbol hangs on it. It is a statement about the model in real numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal
from separatrix.checker.kinds.influence import logit_influence
from separatrix.checker.kinds.predicting import largest_excess
from separatrix.checker.kinds.program import check_sizes, hypotheses
from separatrix.checker.models.reading import Program, load, outline
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, at_least, at_most, model_words, rate, written
from separatrix.checker.sources import Dyck2Next, Source, source

FIELDS: dict[str, Any] = {
    "claim": dict, "program": dict, "weights": dict, "sizes": dict, "bound": str, "excess": float, "proof": (dict, type(None))
}  # fmt: skip


def judge(document: dict[str, Any], beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless its bound on the cross-entropy follows from its weights."""
    law, draft = source(document["claim"]), outline(document["program"])
    require_equal(draft.description.embedding.vocabulary, law.symbols, "the model's vocabulary")
    require_equal(draft.description.readout.targets, law.symbols + 1, "the model's targets")
    if draft.decoder.kind not in ("position", "positions"):
        raise Refused(f"decoder: expected logits at positions, found {draft.decoder.kind!r}")
    if draft.description.length < law.N:
        raise Refused(f"model.length: it reads {draft.description.length} symbols, the claim is about {law.N}")
    budget.allow(draft.work(law.N, 1), draft.memory(law.N, 1))
    program = load(draft, document["weights"], beside, budget)
    shape = model_words(check_sizes(document["sizes"], program, None), program.model.ops.name)
    if document["bound"] == "at-most":
        return _at_most(document["excess"], program, law, shape, document["proof"], budget)
    if document["bound"] == "at-least":
        if document["proof"] is not None:
            raise Refused("proof: expected null, because a lower bound follows from norms of the weights")
        return _at_least(document["excess"], program, law, shape)
    raise Refused(f"bound: expected 'at-most' or 'at-least', found {document['bound']!r:.80}")


def _at_most(claimed: float, program: Program, law: Source, shape: str, proof: Any, budget: Budget) -> Shown:
    optimum, share = law.optimum(), law.covered()
    excess, about = largest_excess(program.model, law, proof, budget)
    if not written(claimed) >= excess:
        raise Refused(f"excess: the certificate says at most {claimed!r} nats, recomputation gives {excess!r}")
    sentence = f"{law.title}: at most {at_most(written(claimed))} nats above the optimum after every prefix of 1..{law.N} symbols; {shape}"
    evidence: list[dict[str, Any]] = [{"kind": "proof", "text": f"by the divergence from the law of the next symbol, over {about}"}]
    evidence.append({"kind": "levels", "text": f"after {law.N} symbols the optimum is about {optimum:.6f} nats", "optimum": optimum})
    if share < 1:
        text = f"at most {rate(1 - share)} of the prefixes of {law.N} symbols are deeper, and nothing is said about them"
        evidence.append({"kind": "covered", "text": text, "share": share})
    return Shown(sentence, "proven", (*evidence, *hypotheses(program, "")))


def _at_least(claimed: float, program: Program, law: Source, shape: str) -> Shown:
    if isinstance(law, Dyck2Next) and law.depth is not None:
        raise Refused("depth: a lower bound is about all prefixes: expected null")
    moves = 2 * logit_influence(program.model, law.N)  # a logit and the logarithm of the normaliser
    level, exchanged = law.floor(moves)
    excess = level - law.optimum()
    if not 0 < written(claimed) <= excess:
        raise Refused(f"excess: the certificate says at least {claimed!r} nats, recomputation gives {excess!r}")
    sentence = (
        f"{law.title}, N = {law.N}, read at the last symbol: at least {at_least(written(claimed))} nats above the optimum, "
        f"which is about {law.optimum():.6f}; {shape}"
    )
    best, _ = law.floor(0.0)
    evidence = (
        {"kind": "proof", "text": f"{exchanged} moves the log-probabilities by at most {at_most(moves)}, and decides what may follow"},
        {
            "kind": "levels",
            "text": f"a predictor that it does not move at all has at least {at_least(best)} nats",
            "optimum": law.optimum(),
        },
        {"kind": "hypothesis", "text": "the model computes with real numbers; what rounding adds is not counted"},
    )
    return Shown(sentence, "proven", evidence)
