"""The public data of IsTree: lengths and ids that the released code is known for, both defects, files, and the retriever."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from separatrix.errors import BadInput
from separatrix.tasks.icrag import FILE, FIRST, ID, IGNORED, Icrag, labels_of, prompt, retrieved
from separatrix.tasks.is_tree import IsTree


def form(n: int, thought: str, edges: int | None = None, graphs: str = "any", **defects: str) -> Icrag:
    return Icrag(IsTree(n, edges=edges, graphs=graphs, thought=thought), **defects)  # type: ignore[arg-type]


def written(public: Icrag, text: str) -> str:
    return " ".join(public.words(public.task.read(text)))


def test_the_example_of_the_documentation_is_figure_3_with_vertices_from_0() -> None:
    line = written(form(6, "tour"), "<s> 2 ~ 6 1 ~ 5 3 ~ 5 4 ~ 6 2 ~ 3 <sep>")
    assert line == "[BOS] 5 - 1 4 - 0 4 - 2 5 - 3 2 - 1 [EOS] 0 4 2 1 5 3 5 1 2 4 0 [EOS] [TRUE]"


def test_the_vocabulary_has_16_words_and_the_vertices() -> None:
    assert (ID["-"], ID["[PAD]"], ID["[EOS]"], ID["[TRUE]"], ID["[FALSE]"], ID["[BOS]"], ID["~"], FIRST) == (3, 4, 5, 6, 7, 11, 15, 16)
    assert (ID["[UNK]"], ID["[STARTSEARCH]"], ID["[ENDSEARCH]"], ID["[FAILED]"]) == (10, 12, 13, 14)
    public = form(4, "tour")
    words = public.words(public.task.read("<s> 1 ~ 2 2 ~ 3 3 ~ 4 <sep>"))
    assert public.spelled(public.ids(words)) == words
    with pytest.raises(BadInput, match=r"expected ids 0\.\.20 for 4 vertices, found 21"):
        public.spelled([21])


@pytest.mark.parametrize("n", [5, 16, 32])
def test_trees_have_the_lengths_of_the_released_data(n: int) -> None:
    """3 n tokens without a chain, 5 n with a tour, 40 n - 25 with searches, whatever the tree."""
    for thought, length in (("none", 3 * n), ("tour", 5 * n), ("search", 40 * n - 25)):
        public = form(n, thought)
        batch = public.task.cases("tree", 1, 4)
        assert {len(public.words(batch.row(r))) for r in range(4)} == {length}


def test_every_retrieved_word_is_found_again_and_searching_queries_as_edges_is_a_trap() -> None:
    public, corrupted = form(12, "search", graphs="two-star"), 0
    batch = public.task.sample(2, 60)
    for r in range(60):
        words = public.words(batch.row(r))
        ends = [i for i, word in enumerate(words) if word == "[ENDSEARCH]"]
        wrong = [i for i in ends if words[i + 1] != retrieved(words[: i + 1])]
        assert wrong == [] or (wrong == ends[-1:] and words[wrong[0] + 1] == "0")  # a cycle that closes at the root
        corrupted += any(words[i + 1] != _in_whole_text(words[: i + 1]) for i in ends if words[i - 1] != "~" and i not in wrong)
    assert corrupted > 20


def _in_whole_text(words: list[str]) -> str:
    """The same query for an edge, with every `a - b` of the text taken for one."""
    start = len(words) - 1 - words[::-1].index("[STARTSEARCH]")
    query, text = words[start + 1 : -1], words[:start]
    pairs = [(text[i - 1], text[i + 1]) for i in range(1, len(text) - 1) if text[i] == "-" and text[i + 1].isdigit()]
    after = 1 + max((i for i, pair in enumerate(pairs) if {*pair} == {query[0], query[2]}), default=-1) if len(query) > 2 else 0
    return next((a if b == query[0] else b for a, b in pairs[after:] if query[0] in (a, b)), "[FAILED]")


def test_labels_leave_out_the_prompt_the_padding_and_what_is_retrieved() -> None:
    public = form(5, "search")
    rows = [public.task.cases(kind, 3, 2).row(1) for kind in ("tree", "random")]
    arrays = public.arrays(rows)
    ids, labels, mask = arrays["input_ids"], arrays["labels"], arrays["attention_mask"]
    assert (labels[:, :14] == IGNORED).all()  # [BOS], 4 edges, [EOS]
    assert (labels[mask == 0] == IGNORED).all()
    given = np.zeros_like(ids, dtype=bool)
    given[:, 1:] = ids[:, :-1] == ID["[ENDSEARCH]"]
    assert (labels[given] == IGNORED).all()
    rest = (mask == 1) & ~given
    rest[:, :14] = False
    assert (labels[rest] == ids[rest]).all()
    assert public.arrays(rows, padding="left")["input_ids"][:, -1].tolist() == [row[-1] for row in map(public.ids, map(public.words, rows))]


def test_a_cycle_that_closes_at_the_root_is_hidden_only_in_the_released_form() -> None:
    text = "<s> 1 ~ 2 2 ~ 3 1 ~ 3 <sep>"
    explicit, released = (written(form(4, "search", root_cycle=how), text).split() for how in ("explicit", "icrag"))
    assert explicit[-3:] == ["0", "[EOS]", "[FALSE]"]
    assert released[-3:] == ["[FAILED]", "[EOS]", "[FALSE]"]
    assert explicit[:-3] == released[:-3]


def test_a_connected_graph_with_a_cycle_is_labelled_true_only_in_the_released_form() -> None:
    text = "<s> 1 ~ 2 2 ~ 3 1 ~ 3 <sep>"
    assert written(form(3, "none", edges=3), text).endswith("[FALSE]")
    assert written(form(3, "none", edges=3, labels="icrag"), text).endswith("[TRUE]")


@pytest.mark.parametrize("thought", ["none", "tour", "search"])
def test_files_are_read_back(tmp_path: Path, thought: str) -> None:
    public = form(6, thought)
    batch = public.task.sample(5, 7)
    rows = [batch.row(r) for r in range(7)]
    public.save(tmp_path / "data", rows, 5)
    assert public.load(tmp_path / "data") == rows
    from safetensors.numpy import load_file

    theirs = load_file(tmp_path / "data" / FILE)
    assert {name: array.tolist() for name, array in theirs.items()} == {name: a.tolist() for name, a in public.arrays(rows).items()}


def test_what_is_not_such_data_is_refused(tmp_path: Path) -> None:
    public = form(4, "tour")
    rows = [public.task.sample(0, 1).row(0)]
    (tmp_path / "tensor_data.pt").write_bytes(b"x")
    with pytest.raises(BadInput, match=r"expected tensor_data.safetensors; found tensor_data.pt, a pickle, which may run code"):
        public.load(tmp_path)
    with pytest.raises(BadInput, match="expected the name of a new folder"):
        public.save(tmp_path, rows, 0)
    arrays = public.arrays(rows)
    arrays["input_ids"][0, 14] += 1  # another vertex in the tour
    with pytest.raises(BadInput, match="row 0 is not what this form writes for its graph"):
        public.read(arrays)
    arrays["input_ids"][0, 2] = ID["~"]
    with pytest.raises(BadInput, match="row 0 is not a graph of 3 edges"):
        public.read(arrays)
    with pytest.raises(BadInput, match="expected input_ids, attention_mask and labels"):
        public.read({"input_ids": arrays["input_ids"]})
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / FILE).write_bytes(save(arrays)[:-9])
    with pytest.raises(BadInput, match=r"tensor_data.safetensors': "):
        public.load(tmp_path / "other")
    with pytest.raises(BadInput, match="thought none, tour or search, found thought=lists"):
        form(4, "lists")
    with pytest.raises(BadInput, match="root_cycle is explicit or icrag"):
        form(4, "tour", root_cycle="hidden")
    assert labels_of(public.ids(prompt([(1, 0)]))) == [IGNORED] * 5
