"""``/-/compare``: several methods side by side on one page. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.jobs.results import Compared, Curve, MethodParameter, MethodRow, MethodTrial
from winnow.proxy.own.templates import plots
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import column, table

STYLE = (
    FRAME_STYLE
    + plots.STYLE
    + Markup("""
.scroll { overflow-x: auto; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.strip { width: 35%; }
td.mark, th.mark { text-align: center; white-space: nowrap; padding-inline: .35rem; }
td.mark.all { color: var(--accent); font-weight: 700; }
tr.agreed td { opacity: .75; }
.plots { display: grid; gap: 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); }
figure { margin: 0; }
figcaption { font-size: .92em; opacity: .85; }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: .3rem; margin: 1rem 0; }
label { display: inline-block; margin-inline-end: 1rem; }
""")
)


def compare_page(url: str, found: Compared, offered: Sequence[str]) -> HtmlPage:
    """The whole page; ``offered`` are the methods to choose from."""
    main = Markup("\n").join(
        (
            _head(url, found),
            _overview(found, url),
            _agreement(found.trials),
            _plots(found),
            _side_by_side(found),
            _form(url, offered, [trial.method for trial in found.trials], found.parameters),
        )
    )
    return styled_page(f"Methods compared: {found.title or url}", main, STYLE, wide=True)


def ask_page(offered: Sequence[str], chosen: Sequence[str]) -> HtmlPage:
    """The form alone."""
    lead = Markup(
        "<p>Compares methods on one page: words kept, agreement between methods, and time.</p>\n"
    )
    back = Markup('<p><a href="/">Read a page</a></p>')
    return styled_page("Compare methods", lead + _form("", offered, chosen) + back, STYLE)


def _head(url: str, found: Compared) -> Markup:
    worked = [trial for trial in found.trials if not trial.failure]
    mean = sum(trial.agreement for trial in worked) / max(len(worked), 1)
    return Markup(
        '<p><a href="{url}">{url}</a> has {words:,} words. The methods agree by '
        "<strong>{mean:.0%}</strong> (mean F1 of the words that each two keep). "
        '<a href="/-/compare?{every}">Compare all methods</a> · '
        '<a href="/-/read?{query}">Read the page</a> · <a href="/-/why?{query}">Why?</a></p>'
    ).format(
        url=url,
        words=found.words,
        mean=mean,
        every=urlencode({"url": url, "method": "all"}),
        query=urlencode({"url": url}),
    )


def _overview(found: Compared, url: str) -> Markup:
    numbers = (column(text, "number") for text in ("Words", "Share", "Agreement", "Time"))
    heads = ("Method", "Kept, by position on the page", *numbers, "Open")
    return table(heads, (_trial(trial, found.words, url) for trial in found.trials), "Methods")


def _trial(trial: MethodTrial, words: int, url: str) -> Markup:
    if trial.failure:
        return Markup('<tr><th scope="row">{}</th><td colspan="6">{}</td></tr>').format(
            trial.method, trial.failure
        )
    query = urlencode({"url": url, "extractor": trial.method})
    share = trial.words / max(words, 1)
    label = f"{trial.method} keeps {share:.0%} of the words"
    return Markup(
        '<tr><th scope="row">{method}</th><td class="strip">{strip}</td>'
        '<td class="number">{words:,}</td><td class="number">{share:.0%}</td>'
        '<td class="number">{agreement:.0%}</td><td class="number">{time:.1f} ms</td>'
        '<td><a href="/-/read?{query}" aria-label="Read by {method}">read</a> '
        '<a href="/-/why?{query}" aria-label="Why, by {method}">why</a></td></tr>'
    ).format(
        method=trial.method,
        strip=plots.strip(trial.strip, label),
        words=trial.words,
        share=share,
        agreement=trial.agreement,
        time=trial.milliseconds,
        query=query,
    )


def _agreement(trials: Sequence[MethodTrial]) -> Markup:
    """The F1 score of each pair."""
    worked = [(place, trial) for place, trial in enumerate(trials) if not trial.failure]
    if len(worked) < 2:
        return Markup("")
    heads = ("", *(column(trial.method, "number") for _, trial in worked))
    rows = (
        Markup('<tr><th scope="row">{}</th>{}</tr>').format(
            trial.method,
            Markup("").join(
                Markup('<td class="number">{:.0%}</td>').format(trial.overlaps[other])
                for other, _ in worked
            ),
        )
        for _, trial in worked
    )
    return Markup("<h2>Agreement of each pair</h2>\n") + table(heads, rows, "Agreement")


def _plots(found: Compared) -> Markup:
    if not found.curves:
        return Markup("")
    figures = [_figure(curve, plots.curve(curve)) for curve in found.curves]
    lead = found.trials[0].method if found.trials else ""
    blocks = Curve(
        "Blocks",
        f"One bar a block, its height the words in it (square root). Green: kept by {lead}; grey: "
        "not; the red foot is the share in links.",
        (),
        (),
    )
    figures.append(_figure(blocks, plots.bars(found.bars)))
    return Markup('<h2>Features</h2>\n<div class="plots">\n{}\n</div>').format(
        Markup("\n").join(figures)
    )


def _figure(about: Curve, drawn: Markup) -> Markup:
    return Markup("<figure><h3>{}</h3>{}<figcaption>{}</figcaption></figure>").format(
        about.title, drawn, about.caption
    )


def _side_by_side(found: Compared) -> Markup:
    """The result of each method, block by block."""
    methods = (column(trial.method, "mark") for trial in found.trials)
    rows = table(
        ("Text", column("Words", "number"), *methods), map(_row, found.rows), "Side by side"
    )
    more = f" {found.more} more rows not shown." if found.more else ""
    return Markup(
        "<h2>Side by side</h2>\n<p>The page's text in order; adjacent blocks with equal results "
        "share a row.{}</p>\n{}"
    ).format(more, rows)


def _row(row: MethodRow) -> Markup:
    rules = row.rules or ("",) * len(row.verdicts)
    marks = Markup("").join(map(_mark, row.verdicts, rules))
    agreed = Markup(' class="agreed"') if len(set(row.verdicts)) == 1 else Markup("")
    return Markup('<tr{}><td dir="auto">{}</td><td class="number">{:,}</td>{}</tr>').format(
        agreed, row.text, row.words, marks
    )


def _mark(verdict: str, rule: str) -> Markup:
    title = Markup(' title="{}"').format(rule) if rule else Markup("")
    if verdict == "9":
        return Markup('<td class="mark all"{}>kept</td>').format(title)
    label = "–" if verdict == "0" else "part"
    return Markup('<td class="mark"{}>{}</td>').format(title, label)


def _form(
    url: str,
    offered: Sequence[str],
    chosen: Sequence[str],
    parameters: Sequence[MethodParameter] = (),
) -> Markup:
    names = {method.partition(":")[0] for method in chosen}
    boxes = Markup("\n").join(
        Markup('<label><input type="checkbox" name="method" value="{0}"{1}> {0}</label>').format(
            name, Markup(" checked") if name in names else Markup("")
        )
        for name in offered
    )
    return Markup(
        "<h2>Compare</h2>\n"
        '<form action="/-/compare" method="get"><p><label for="url">Address</label>'
        '<input id="url" name="url" inputmode="url" value="{}" size="40" required></p>\n'
        "<fieldset><legend>Methods</legend>\n{}\n</fieldset>\n{}\n"
        '<button class="first">Compare</button></form>'
    ).format(url, boxes, _parameters(parameters, chosen))


def _parameters(parameters: Sequence[MethodParameter], chosen: Sequence[str]) -> Markup:
    """A field for each declared parameter of the compared methods; empty ones stay as they are."""
    given = dict(_given(method) for method in chosen)
    groups = {
        each.method: [one for one in parameters if one.method == each.method] for each in parameters
    }
    sets = (
        Markup("<fieldset><legend>Parameters of {}</legend>\n{}\n</fieldset>").format(
            name, Markup("\n").join(_field(one, given.get(name, {})) for one in listed)
        )
        for name, listed in groups.items()
    )
    body = Markup("\n").join(sets)
    if not body:
        return body
    return Markup("<details><summary>Parameters</summary>\n{}\n</details>").format(body)


def _given(method: str) -> tuple[str, dict[str, str]]:
    """A specification's name and named parameters."""
    name, _, values = method.partition(":")
    pairs = (pair.partition("=") for pair in values.split(",") if "=" in pair)
    return name, {key: value for key, _, value in pairs}


def _field(parameter: MethodParameter, given: Mapping[str, str]) -> Markup:
    name, value = f"{parameter.method}.{parameter.name}", given.get(parameter.name, "")
    if not parameter.choices:
        step = "1" if parameter.whole else "any"
        return Markup(
            '<label>{} <input type="number" name="{}" min="{:g}" max="{:g}" step="{}" '
            'placeholder="{}" value="{}"></label>'
        ).format(
            *(parameter.name, name, parameter.least, parameter.most, step),
            *(parameter.default, value),
        )
    options = Markup("").join(
        Markup('<option value="{}"{}>{}</option>').format(
            "" if choice == parameter.default else choice,
            Markup(" selected") if choice == (value or parameter.default) else Markup(""),
            choice,
        )
        for choice in parameter.choices
    )
    return Markup('<label>{} <select name="{}">{}</select></label>').format(
        parameter.name, name, options
    )
