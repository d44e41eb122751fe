"""Every closed form agrees with the count at small sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from math import comb
from typing import Any

import pytest

from separatrix.bounds.families import recall as family
from separatrix.bounds.families.dyck import dyck_profile, dyck_widest
from separatrix.bounds.families.equality import equality_profile, repetition_profile
from separatrix.bounds.families.index_lookup import index_lookup_profile, index_lookup_widest
from separatrix.bounds.families.intersects import intersects_profile
from separatrix.bounds.families.parity import parity_profile
from separatrix.bounds.families.recall import (
    associative_recall_profile,
    associative_recall_widest,
    mqar_profile,
    mqar_widest,
)
from separatrix.bounds.families.state_tracking import tracking_profile
from separatrix.bounds.states.profile import StateProfile, state_profile
from separatrix.bounds.states.scored_along import profile_along
from separatrix.errors import BadInput
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar
from separatrix.tasks.state_tracking import StateTracking
from tests.bounds.functions import bounded_dyck, recall


def equality(x: tuple[Any, ...]) -> bool:
    return x[: len(x) // 2] == x[(len(x) + 1) // 2 :]


def intersects(x: tuple[Any, ...]) -> bool:
    return any(a == b == 1 for a, b in zip(x[: len(x) // 2], x[(len(x) + 1) // 2 :], strict=True))


def halves(N: int, symbols: int, separator: bool) -> list[Any]:
    half = [range(symbols)] * (N // 2)
    return half + [("#",)] * separator + half


def small_cases() -> Iterator[tuple[str, StateProfile, StateProfile]]:
    for N, s in [(1, 2), (3, 1), (4, 3), (6, 2), (2, 7)]:
        yield "index-lookup", index_lookup_profile(N, s), state_profile(lambda x: x[x[-1]], [range(s)] * N + [range(N)], N + 1)
    for N, s, separator in [(2, 2, False), (8, 2, True), (10, 2, False), (4, 3, True), (6, 3, False), (4, 5, False)]:
        yield "equality", equality_profile(N, s, separator), state_profile(equality, halves(N, s, separator), N + separator)
    for N, separator in [(2, False), (4, True), (10, False)]:
        yield "intersects", intersects_profile(N, separator), state_profile(intersects, halves(N, 2, separator), N + separator)
    for N in (1, 2, 5):
        yield "parity", parity_profile(N), state_profile(lambda x: sum(x) % 2, (0, 1), N)
    for N, types, depth in [(2, 2, 2), (5, 2, 2), (8, 2, 2), (6, 2, 1), (8, 2, 3), (6, 3, 2), (8, 1, 3)]:
        yield "dyck", dyck_profile(N, types, depth), state_profile(bounded_dyck(depth), range(2 * types), N)


def test_exact_forms_are_the_count() -> None:
    met: dict[str, int] = {}
    for name, formula, count in small_cases():
        assert formula.classes == formula.classes_upper == count.classes, name
        assert formula.bits == count.bits
        assert formula.method.startswith("closed form")
        met[name] = met.get(name, 0) + 1
    assert met == {"index-lookup": 5, "equality": 6, "intersects": 3, "parity": 3, "dyck": 7}


@pytest.mark.parametrize(("n", "K", "L"), [(1, 2, 2), (2, 2, 2), (2, 3, 2), (2, 2, 3), (3, 3, 2), (3, 4, 2), (4, 4, 2)])
def test_recall_in_any_order_has_the_counted_lower_bound(n: int, K: int, L: int) -> None:
    keys = [f"k{i}" for i in range(K)]
    count = state_profile(recall, [keys, range(L)] * n + [keys], 2 * n + 1)
    assert associative_recall_profile(n, K, L).classes_lower == count.classes_lower


@pytest.mark.parametrize(("n", "K", "L"), [(2, 2, 2), (3, 3, 2), (2, 3, 3), (3, 4, 2), (4, 4, 2)])
def test_the_table_of_labels_is_a_machine_of_the_stated_size(n: int, K: int, L: int) -> None:
    reached: list[set[Any]] = [set() for _ in range(2 * n + 2)]
    for keys in permutations(range(K), n):
        for labels in product(range(L), repeat=n):
            for query in keys:
                state: Any = (None, (0,) * K)
                reached[0].add(state)
                for t, token in enumerate(recall_tokens(keys, labels, query)):
                    state = table_step(state, t, token, n)
                    reached[t + 1].add(state)
                assert state == labels[keys.index(query)]
    assert tuple(len(states) for states in reached) == associative_recall_profile(n, K, L).classes_upper


def recall_tokens(keys: tuple[int, ...], labels: tuple[int, ...], query: int) -> list[int]:
    return [token for pair in zip(keys, labels, strict=True) for token in pair] + [query]


def table_step(state: Any, t: int, token: int, n: int) -> Any:
    pending, table = state
    if t == 2 * n:
        return table[token]
    if t % 2 == 0:
        return token, table
    return None, (*table[:pending], token, *table[pending + 1 :])


@pytest.mark.parametrize(("n", "bits"), [(2, 2), (3, 4), (4, 5), (5, 7)])  # ceil(n - 1 + log2 n)
def test_recall_in_any_order_needs_more_than_one_bit_per_key(n: int, bits: int) -> None:
    profile = associative_recall_profile(n, symbols=n)
    assert profile.bits == profile.bits_upper == bits
    assert profile.classes[2 * n - 1] == n * 2 ** (n - 1)
    assert associative_recall_profile(n).bits == bits  # twice as many symbols for the keys: the lower bound stays
    assert associative_recall_profile(n).bits_upper > bits


def test_large_lengths_cost_nothing() -> None:
    assert index_lookup_profile(1000, 64).bits == 6000
    assert index_lookup_profile(1366, 64).bits == 8196  # past 128 x 64 bits: the paper's remark with its own alphabet
    assert index_lookup_profile(1365, 64).bits <= 128 * 64
    assert equality_profile(400).bits == 200
    assert dyck_profile(400).bits == 3


def test_a_profile_that_would_fill_the_memory_is_refused_and_its_widest_cut_is_not() -> None:
    with pytest.raises(BadInput, match="the profile of index-lookup would list 1,000,000 numbers of up to 6,000,000 bits"):
        index_lookup_profile(10**6, 64)
    assert index_lookup_widest(10**6, 64)[0].bit_length() == 6 * 10**6 + 1
    with pytest.raises(BadInput, match="the profile of equality would list"):
        equality_profile(10**6)
    with pytest.raises(BadInput, match="the profile of associative-recall would list"):
        associative_recall_profile(10**5)


@pytest.mark.parametrize(("h", "s"), [(1, 2), (2, 3), (3, 2)])
def test_whoever_repeats_a_half_tells_all_halves_apart(h: int, s: int) -> None:
    """Two prefixes are apart if some common rest leads both to a place where different symbols are due; the count is the largest clique."""
    halves = list(product(range(s), repeat=h))
    inputs = [(*half, "#", *half) for half in halves]

    def due(prefix: tuple[Any, ...]) -> Any:
        return {x[len(prefix)] for x in inputs if x[: len(prefix)] == prefix} if "#" in prefix and len(prefix) < 2 * h + 1 else set()

    def apart(x: tuple[Any, ...], y: tuple[Any, ...]) -> bool:
        if due(x) and due(y) and due(x) != due(y):
            return True
        following = {z[len(x)] for z in inputs if z[: len(x)] == x and len(x) < len(z)}
        return any(apart((*x, a), (*y, a)) for a in following & {z[len(y)] for z in inputs if z[: len(y)] == y and len(y) < len(z)})

    profile = repetition_profile(2 * h, s)
    for t in range(h, 2 * h + 2):  # from the last symbol of the half on
        prefixes = {x[:t] for x in inputs}
        rest = {x[: t - h - 1] for x in halves} if t > h else {()}
        for fed in rest:  # prefixes that were fed the same words since the separator
            same = [x for x in prefixes if x[h + 1 : t] == fed]
            assert all(apart(x, y) for x, y in combinations(same, 2))
            assert len(same) == profile.classes[t]


def mqar_strings(n: int, K: int, L: int) -> Iterator[tuple[tuple[Any, ...], dict[int, int]]]:
    """Every stream of n pairs and n queries, and the labels due, by the number of tokens read."""
    for keys in permutations(range(K), n):
        for labels in product(range(L), repeat=n):
            pairs = [token for pair in zip(keys, labels, strict=True) for token in pair]
            for queries in permutations(keys):
                answers = [labels[keys.index(query)] for query in queries]
                tail = [token for pair in zip(queries, answers, strict=True) for token in pair][:-1]
                yield (*pairs, *tail), {2 * n + 2 * j + 1: label for j, label in enumerate(answers)}


@pytest.mark.parametrize(("n", "K", "L"), [(1, 2, 2), (2, 2, 2), (2, 3, 2), (2, 2, 3), (3, 3, 2)])
def test_multi_query_recall_keeps_the_labels_not_yet_said(n: int, K: int, L: int) -> None:
    formula = mqar_profile(2 * n, K, L)
    for t in range(4 * n):
        # what is due after each continuation, for prefixes that leave the same keys to be seen or asked
        groups: dict[Any, dict[Any, dict[Any, int]]] = {}
        for string, due in mqar_strings(n, K, L):
            group = groups.setdefault((frozenset(string[:t:2]), frozenset(string[2 * n : t : 2])), {})
            group.setdefault(string[:t], {}).update({string[t:end]: label for end, label in due.items() if end >= t})
        most = 0
        for prefixes in groups.values():
            classes = [dict(items) for items in {frozenset(residual.items()) for residual in prefixes.values()}]
            clash = all(any(u[v] != w[v] for v in u.keys() & w.keys()) for u, w in combinations(classes, 2))
            most = max(most, len(classes)) if clash else most
        assert most == formula.classes_lower[t] <= formula.classes_upper[t]


@pytest.mark.parametrize(("n", "K", "L"), [(1, 2, 2), (2, 2, 2), (2, 3, 2), (3, 3, 2)])
def test_the_table_of_labels_answers_every_query_with_the_stated_states(n: int, K: int, L: int) -> None:
    reached: list[set[Any]] = [set() for _ in range(4 * n)]
    for string, due in mqar_strings(n, K, L):
        state: Any = (None, (0,) * K)
        reached[0].add(state)
        for t, token in enumerate(string):
            pending, table = state
            if t >= 2 * n:  # a query takes its label out of the table; the label that follows is known already
                state = (table[token], (*table[:token], 0, *table[token + 1 :])) if t % 2 == 0 else (None, table)
            elif t % 2 == 0:
                state = (token, (*table[:token], 0, *table[token + 1 :]))
            else:
                state = (None, (*table[:pending], token, *table[pending + 1 :]))
            assert t + 1 not in due or state[0] == due[t + 1]
            reached[t + 1].add(state)
    assert all(len(states) <= upper for states, upper in zip(reached, mqar_profile(2 * n, K, L).classes_upper, strict=True))


@pytest.mark.parametrize(
    ("profile", "arguments", "says"),
    [
        (equality_profile, (5,), "equality: length N must be even and at least 2, found 5"),
        (intersects_profile, (0,), "intersects: length N must be even and at least 2, found 0"),
        (index_lookup_profile, (0,), "index-lookup: length must be at least 1, found 0"),
        (index_lookup_profile, (3, 0), "index-lookup: symbols must be at least 1, found 0"),
        (associative_recall_profile, (3, 2), "associative-recall: symbols must be at least 3, found 2"),
        (mqar_profile, (5,), "mqar: length N must be even and at least 2, found 5"),
        (dyck_profile, (4, 2, 0), "dyck: depth must be at least 1, found 0"),
        (parity_profile, (0,), "parity: length must be at least 1, found 0"),
    ],
)
def test_parameters_out_of_range_are_refused(profile: Callable[..., StateProfile], arguments: tuple[int, ...], says: str) -> None:
    with pytest.raises(BadInput) as caught:
        profile(*arguments)
    assert says in str(caught.value)


def test_odd_lengths_have_no_balanced_word() -> None:
    assert dyck_widest(7) == (1, 1)
    assert {*dyck_profile(7).classes} == {1}


@pytest.mark.parametrize(("n", "K", "L", "filler"), [(2, 3, 2, 0), (2, 4, 2, 0), (2, 3, 3, 0), (2, 3, 2, 1), (1, 3, 2, 2)])
def test_multi_query_recall_with_absent_keys_keeps_which_keys_there_were(n: int, K: int, L: int, filler: int) -> None:
    task = Mqar(2 * n, symbols=K, labels=L, filler=filler, absent=True)
    strings, due = [], []
    for tokens in task.inputs():
        answers = task.answer(tokens)
        strings.append(tokens)
        due.append([-1] * task.context + [y for one in (answers if isinstance(answers, tuple) else (answers,)) for y in (one, -1)][:-1])
    count, formula = profile_along(strings, due), mqar_profile(2 * n, K, L, filler, absent=True)
    assert all(mine <= counted for mine, counted in zip(formula.classes_lower, count.classes_lower, strict=True))
    assert max(formula.classes_lower) == max(count.classes_lower) == comb(K, n) * max(n, L) * L ** (n - 1)
    assert formula.classes_lower[task.context :] == count.classes_lower[task.context :]
    assert (formula.classes_lower[0], formula.classes_upper[0]) == (1, 1)  # nothing was read
    assert mqar_widest(2 * n, K, L, absent=True) == (max(formula.classes_lower), max(formula.classes_upper))


@pytest.mark.parametrize(("n", "K", "L"), [(2, 3, 2), (3, 4, 2), (2, 4, 3)])
def test_a_table_of_pairs_is_a_machine_for_absent_keys_of_the_stated_size(n: int, K: int, L: int) -> None:
    """While an answer is due it stands beside the pairs of other keys, to which keys that were asked for are added to hide them."""
    task = Mqar(2 * n, symbols=K, labels=L, absent=True)
    reached: list[set[Any]] = [set() for _ in range(task.token_count + 1)]
    for tokens in task.inputs():
        table: dict[int, int] = {}
        for t, token in enumerate(tokens):
            due: int | None = None
            if t < 2 * n:
                table = {**table, token: -1} if t % 2 == 0 else {key: token if label == -1 else label for key, label in table.items()}
            elif t % 2 == 0:
                due = table.get(token, L + K)
                left = {key: label for key, label in table.items() if key != token} if due < L + K else table
                reached[t + 1].add((due, None if t == task.token_count - 1 else frozenset(left.items())))
                continue
            reached[t + 1].add(frozenset(table.items()))
    upper = mqar_profile(2 * n, K, L, absent=True).classes_upper
    assert all(len(states) <= most for states, most in zip(reached[1:], upper[1:], strict=True))


def test_filler_lets_a_cut_fall_behind_any_of_the_tokens_within_reach_of_it() -> None:
    task = AssociativeRecall(3, symbols=3, filler=1)
    strings = [*task.inputs()]
    count = profile_along(strings, [[-1] * 7 + [task.answer(tokens)] for tokens in strings])
    formula = associative_recall_profile(3, 3, 2, filler=1)
    assert formula.classes_lower == count.classes_lower == (1, 1, 2, 4, 4, 12, 12, 8, 2)  # 12 before the last label, also one token later


@pytest.mark.parametrize("labels", [2, 3])
def test_the_states_that_are_enough_for_recall_are_a_sum_of_binomials_up_to_a_size_and_never_fewer_beyond(
    labels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs, K = 6, 11
    tables = [sum(comb(keys, w) * (labels - 1) ** w for w in range(most + 1)) for keys, most in ((K - 1, pairs - 1), (K, pairs))]
    summed = associative_recall_widest(pairs, K, labels)
    assert summed == (max(pairs, labels) * labels ** (pairs - 1), max(K * tables[0], tables[1]))
    monkeypatch.setattr(family, "SUMMED", 4)
    quick = associative_recall_widest(pairs, K, labels)
    assert (quick[0], quick[1]) == (summed[0], max(K * labels ** (K - 1), labels**K))
    assert quick[1] >= summed[1]


@pytest.mark.parametrize("language", ["@parity", "@s3", "(ab)*", "@first", "0|1(01*0)*1", "abc"])
def test_states_that_are_due_after_each_symbol_are_those_that_words_reach(language: str) -> None:
    """Counted prefix by prefix, at every length up to 5; and a form for lengths that nobody can count."""
    for length in range(1, 6):
        task = StateTracking(length, language)
        rows = [(tokens, answer if isinstance(answer := task.answer(tokens), tuple) else (answer,)) for tokens in task.inputs()]
        counted = profile_along([tokens for tokens, _ in rows], [due for _, due in rows])
        assert counted.classes_lower == counted.classes_upper == tracking_profile(task).classes_lower
    long = StateTracking(10**5, language)
    assert max(tracking_profile(long).classes_lower) <= long.automaton.states
