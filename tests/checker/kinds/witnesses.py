"""True witnesses of every kind that is about a function."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from separatrix.bounds.communication.matrix import communication_matrix
from separatrix.bounds.languages.depth_reduction import DepthReduction
from separatrix.bounds.programs.chains import ChainCount, first_handles
from separatrix.bounds.question import question_of_function, question_of_task
from separatrix.bounds.reach import BlindPair
from separatrix.bounds.states.automaton import layered_automaton
from separatrix.bounds.witnesses import certify_fooling_set, certify_profile, certify_state_collision, certify_state_machine
from separatrix.certificates.period import MonotoneStack, period_certificate
from separatrix.tasks import make_task
from separatrix.tasks.languages.regular_expression import automaton
from tests.checker.kinds.shift_register import shift_register

Document = dict[str, Any]
HALVES = list(product((0, 1), repeat=3))


def at_least(x: tuple[int, ...]) -> bool:
    """Whether the number at the even places is no smaller than the one at the odd places."""
    return x[0] * 2 + x[2] >= x[1] * 2 + x[3]


def fooling_set() -> Document:
    """Equality of two halves of three bits: all eight equal pairs, nine rectangles, four bits."""
    return certify_fooling_set(question_of_task(make_task("equality", length=6)), range(3), [(x, x) for x in HALVES], 1)


def largest_fooling_set() -> Document:
    """A user's function, with a largest fooling set that the solver found and a cover that proves it."""
    matrix = communication_matrix(at_least, [0, 1], 4, [0, 2])
    fooling = matrix.fooling_set(True)
    return certify_fooling_set(question_of_function(at_least, [0, 1], 4), [0, 2], fooling.pairs, 1, matrix.cover(fooling))


def promise_fooling_set() -> Document:
    """Recall of one of two labels: Alice has both pairs, Bob asks. Where he asks for no key there is no answer."""
    question = question_of_task(make_task("associative-recall", length=2, symbols=3))
    alice = [0, 1, 2, 3]
    return certify_fooling_set(question, alice, [((0, 3, 1, 4), (0,)), ((0, 4, 1, 3), (1,))], 0)


def profile() -> Document:
    return certify_profile(question_of_task(make_task("equality", length=6)))


def promise_profile() -> Document:
    return certify_profile(question_of_task(make_task("associative-recall", length=2, symbols=2)))


def machine() -> Document:
    """The smallest machine with a clock for equality of two halves of two bits."""
    question = question_of_task(make_task("equality", length=4))
    return certify_state_machine(question, layered_automaton(question.answer, question.alphabets, 4))


def promise_machine() -> Document:
    question = question_of_task(make_task("associative-recall", length=2, symbols=2))
    return certify_state_machine(question, layered_automaton(question.answer, question.alphabets, 5))


def collision() -> Document:
    """A shift register of two bits, on index lookup at three: 000 and 100 lead to one state, and differ at place 1."""
    question = question_of_task(make_task("index-lookup", length=3, symbols=2))
    return certify_state_collision(question, shift_register(question), ((0, 0, 0), (1, 0, 0)), (2,))


def chain_count() -> Document:
    """The reversed sum of two numbers out of three: nine chains."""
    return ChainCount(make_task("reverse-sum", length=2, symbols=3), cites="yang2024 Theorem 4.4").certificate()


def chains_alike() -> Document:
    """The longest increasing subsequence of three bits has fewer chains than inputs."""
    return ChainCount(make_task("lis", length=3, symbols=2)).certificate()


def chains_listed() -> Document:
    """Expressions of two operators modulo 2, whose second lines are all those without brackets: fourteen chains."""
    task = make_task("arithmetic", length=2, prime=2)
    return ChainCount(task, first_handles(task), "yang2024 Proposition 5.2").certificate()


def period() -> Document:
    """An even number of a between two b."""
    return period_certificate(automaton("b(aa)*b"), ((1,), (0,), (1,)), 2, expression="b(aa)*b")


def period_of_a_stack() -> Document:
    """The same as an automaton, and where three layers of four numbers stand still, two of them with windows."""
    return period_certificate(automaton("b(aa)*b"), ((1,), (0,), (1,)), 2, MonotoneStack(3, 4, (1, 4, 2)))


def languages() -> Document:
    """Words that end with a, and words that do not, by one set of weights of Mamba."""
    from separatrix.certificates.languages import languages_certificate
    from separatrix.constructions.languages.mamba import recogniser

    last, sets = automaton("(a|b)*a"), [frozenset({1}), frozenset({0})]
    return languages_certificate(recogniser(last, sets), last, sets, "regular/mamba")


def receptive_field() -> Document:
    """PARITY of eight bits: two layers that see three tokens each reach four back from the end; the first bit lies eight back."""
    bits = [0, 1, 1, 0, 1, 0, 0, 1]
    return BlindPair(make_task("parity", length=8), (3, 3), ((*bits, 2), (1, *bits[1:], 2)), 8, (1, 0)).certificate()


def depth_reduction() -> Document:
    """Two layers with one head fail on PARITY."""
    return DepthReduction(2, 1).certificate()


def deeper_reduction() -> Document:
    """Three layers, whose second list has 2^1,748 places or so."""
    return DepthReduction(3, 1).certificate()


WITNESSES = {
    make.__name__: make
    for make in (
        fooling_set,
        largest_fooling_set,
        promise_fooling_set,
        profile,
        promise_profile,
        machine,
        promise_machine,
        collision,
        chain_count,
        chains_alike,
        chains_listed,
        period,
        period_of_a_stack,
        languages,
        receptive_field,
        depth_reduction,
        deeper_reduction,
    )
}


@cache
def fresh(name: str) -> Document:
    """A witness by name, made once."""
    return WITNESSES[name]()
