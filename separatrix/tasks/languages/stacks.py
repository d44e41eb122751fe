"""Stacks of bounded depth as the states of an automaton: type a opens as symbol a and closes as symbol n + a."""

from __future__ import annotations


def stack_moves(types: int, depth: int) -> tuple[tuple[int, ...], ...]:
    """moves[state][symbol]: state 0 is the empty stack, the last one is for words that cannot be completed."""
    stacks: list[tuple[int, ...]] = [()]
    for stack in stacks:  # grows during the loop
        stacks += [(*stack, a) for a in range(types)] if len(stack) < depth else []
    number = {stack: i for i, stack in enumerate(stacks)}
    dead = len(stacks)

    def row(stack: tuple[int, ...]) -> tuple[int, ...]:
        opened = (number.get((*stack, a), dead) for a in range(types))
        closed = (number[stack[:-1]] if stack[-1:] == (a,) else dead for a in range(types))
        return (*opened, *closed)

    return (*map(row, stacks), (dead,) * (2 * types))
