"""Pages are written without what a browser does not need to see the same page."""

from __future__ import annotations

from separatrix.atlas.render import compact


def test_end_tags_go_only_where_the_next_tag_ends_the_element_anyway() -> None:
    html = "<table><thead><tr><th>a</th><th>b</th></tr></thead> <tbody><tr><td>1</td> <td>2</td></tr><tr><td>3</td></tr></tbody></table>"
    assert compact(html) == "<table><thead><tr><th>a<th>b</thead> <tbody><tr><td>1<td>2<tr><td>3</tbody></table>"
    assert compact("<ul><li>a</li><li><ol><li>b</li></ol> c</li></ul><p>d</p>") == "<ul><li>a<li><ol><li>b</ol> c</ul><p>d</p>"
    for needed in ("<tr><td>a</td><!-- b --></tr>", "<ul><li>a</li><script></script></ul>", "<table><tr><td>a</table>"):
        assert compact(needed) == needed


def test_text_that_is_set_as_written_stays() -> None:
    assert compact("<p>\n    a\n</p><pre>\n    <li>b</li>\n  <li>c</li></pre>") == "<p>\na\n</p><pre>\n    <li>b</li>\n  <li>c</li></pre>"


def test_quotes_go_where_a_value_is_one_word_and_the_tag_does_not_end_at_it() -> None:
    assert compact('<a class="tag" href="a-b.html#c">x="y"</a>') == '<a class=tag href=a-b.html#c>x="y"</a>'
    for needed in ('<a class="tag held">', '<path d="M 1 2"/>', '<rect x="1"/>', '<a href="folder/">', '<i title="">', '<i title="a=b">'):
        assert compact(needed) == needed
    assert compact('<pre><a class="tag">x</a></pre>') == '<pre><a class="tag">x</a></pre>'
