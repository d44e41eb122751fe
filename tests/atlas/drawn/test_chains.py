"""Walks and tapes as pictures: what they show is what the oracle does."""

from __future__ import annotations

from xml.etree import ElementTree

from separatrix.atlas.drawn.chains import MOST_STEPS, tape, walk
from separatrix.tasks import make_task
from separatrix.tasks.is_tree import IsTree
from separatrix.tasks.turing_machine import TuringMachine


def texts(picture: object, tone: str) -> list[str]:
    root = ElementTree.fromstring(str(picture))
    return ["".join(text.itertext()) for text in root.iter("text") if text.get("class") == f"note {tone}"]


def marked(picture: object, tone: str) -> list[str]:
    root = ElementTree.fromstring(str(picture))
    return [text.text or "" for box in root.iter("g") if box.get("class") == f"box {tone}" for text in box.iter("text")]


def test_the_walk_of_figure_3_takes_every_edge_at_two_steps() -> None:
    task = IsTree(6)
    drawn = walk(task, task.read("<s> 2 ~ 6 1 ~ 5 3 ~ 5 4 ~ 6 2 ~ 3 <sep>"))
    assert texts(drawn.picture, "mark over") == ["4, 7", "1, 10", "2, 9", "5, 6", "3, 8"]  # 1 5 3 2 6 4 6 2 3 5 1, edge by edge
    assert marked(drawn.picture, "good") == ["1", "2", "3", "4", "5", "6"]
    assert drawn.why == "The walk from vertex 1 is 1 5 3 2 6 4 6 2 3 5 1; the answer is YES."


def test_vertices_and_edges_that_the_walk_does_not_reach_are_not_marked() -> None:
    task = IsTree(4)
    drawn = walk(task, task.read("<s> 2 ~ 3 3 ~ 4 2 ~ 4 <sep>"))
    assert texts(drawn.picture, "mark") == []
    assert marked(drawn.picture, "good") == ["1"]
    assert drawn.why.endswith("the answer is NO.")


def test_the_head_stands_where_the_machine_reads() -> None:
    task = make_task("turing-machine", length=4, machine="increment")
    assert isinstance(task, TuringMachine)
    for r in range(6):
        tokens = task.sample(3, 6).row(r)
        log = task.log(tokens) or ()
        drawn = tape(task, tokens)
        heads = marked(drawn.picture, "mark")[2:]  # without the last token of the word and the answer
        assert heads == [move.read for move in log[:MOST_STEPS]]
        assert len(log) <= MOST_STEPS or f"of which {MOST_STEPS} are drawn" in drawn.why


def stepped(picture: object, tag: str) -> list[int]:
    return [int(part.get("data-step", 0)) for part in ElementTree.fromstring(str(picture)).iter(tag) if part.get("data-step")]


def test_every_step_of_a_walk_has_an_edge_a_vertex_a_number_a_word_and_a_sentence() -> None:
    task = IsTree(6)
    drawn = walk(task, task.read("<s> 2 ~ 6 1 ~ 5 3 ~ 5 4 ~ 6 2 ~ 3 <sep>"))
    assert sorted(stepped(drawn.picture, "g")) == sorted([*range(1, 11)] * 2)  # the edge that it takes, the vertex that it comes to
    assert sorted(stepped(drawn.picture, "tspan")) == sorted([*range(1, 11)] * 2)  # at the edge, in the walk
    assert drawn.steps[:2] == ("from 1 to 5, met for the first time", "from 5 to 3, met for the first time")
    assert drawn.steps[-2:] == ("from 3 back to 5", "from 5 back to 1")
    assert len(drawn.steps) == 10


def test_every_step_of_a_machine_is_a_row_and_a_sentence() -> None:
    task = make_task("turing-machine", length=3, machine="increment")
    assert isinstance(task, TuringMachine)
    tokens = task.sample(0, 1).row(0)
    log, drawn = task.log(tokens) or (), tape(task, tokens)
    assert stepped(drawn.picture, "g") == list(range(1, len(drawn.steps) + 1))
    assert len(drawn.steps) == min(len(log), MOST_STEPS)
    for move, says in zip(log, drawn.steps, strict=False):
        assert f"reads {move.read}, writes {move.written}" in says
        assert says.endswith(f"in state {move.state}")
