"""document/visibility/chaff.py: controls and labels go, the same words in the text stay."""

import pytest

import winnow

TEXT = "<p>Felt is pressed wool, made by hand in many places of the world for a long time.</p>"


def text_of(markup: str) -> str:
    return winnow.extract(f"<main>{markup}{TEXT}</main>", extractor="plain").text.split("\n\nFelt")[
        0
    ]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('<h2>Use<span class="mw-editsection">[<a href=/e>edit</a>]</span></h2>', "Use"),
        ("<h2>Use<a href=#use>\u00b6</a></h2>", "Use"),
        ("<pre><button>Copy</button>let a;</pre>", "let a;"),
        ('<div class="code"><button>Copy</button><pre>let a;</pre></div>', "let a;"),
        ('<div class="language-ts"><span class="lang">ts</span><pre>let a;</pre></div>', "let a;"),
        ('<pre>let a;<a class="playground-link" href=/t>Try</a></pre>', "let a;"),
        (
            '<pre><i class="lineno">1</i>let a;\n<i class="lineno">2</i>let b;</pre>',
            "let a;\nlet b;",
        ),
        ("<p>Use</p><p>https://a.test/widget.js?v=1</p>", "Use"),
        ("<p>Use</p><a>\u30fb</a><p>|</p><ul><li>\u2022</ul>", "Use"),
    ],
)  # fmt: skip
def test_chaff_goes(markup: str, text: str) -> None:
    assert text_of(markup).strip() == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>Copy <button>Copy</button></p>", "Copy Copy"),
        ("<pre>Copy</pre>", "Copy"),
        ('<pre><code class="lang">a</code></pre>', "a"),
        ('<pre class="copy">1</pre>', "1"),
        ("<pre>1 2 3</pre>", "1 2 3"),
        ("<p>7</p>", "7"),
        ("<pre>|</pre>", "|"),
        ("<table><tr><th>A<th>B<tr><td>C<td>\u2022</table>", "A\tB\nC\t\u2022"),
        ("<p><a href=/a.js>https://a.test/a.js</a></p>", "https://a.test/a.js"),
        ("<p>Load <code>//a.test/a.js</code></p>", "Load //a.test/a.js"),
        ("<p>See https://a.test/a.js first</p>", "See https://a.test/a.js first"),
    ],
)
def test_what_is_part_of_the_text_stays(markup: str, text: str) -> None:
    assert text_of(markup).strip() == text
