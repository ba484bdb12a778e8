"""The style sheet of the bar in reader pages and pruned pages. Pure.

The bar is one line in the flow of the page; what is unfolded pushes the text down. All panels lie
in one row of a grid, each with its button in a column of its own, so that no button moves when one
is opened. Below 30rem of width the line folds to one button, and text and colours are chosen in a
sheet over the lower half of the window, with the text above it.

Lengths are pixels, as the bar's text is: the reader's text size, which is the root's, moves
nothing here.
"""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

_LINES: Final = """
#winnow-bar, #winnow-bar * { all: revert; box-sizing: border-box; }
#winnow-bar { --w: 80px; --wi: var(--ink, #1d1c1a); --ws: var(--soft, #5c5852);
  --wl: var(--line, #d9d5cd); font: 15px/1.4 system-ui, sans-serif; text-align: start;
  letter-spacing: 0; word-spacing: 0;
  background: #fdfcfa; background: var(--paper, #fdfcfa); color: #5c5852; color: var(--ws); }
#winnow-bar > div { display: grid; grid-template-columns: 1fr repeat(4, var(--w));
  align-items: start; border-bottom: 1px solid #d9d5cd; border-color: var(--wl); }
#winnow-bar > div > * { grid-row: 1; margin: 0; }
#winnow-bar > div > p { grid-column: 1; display: flex; justify-self: start; }
#winnow-bar > div > a, #winnow-bar > div > p > *, #winnow-bar summary { display: flex;
  width: var(--w); height: 46px; align-items: center; justify-content: center;
  color: #1d1c1a; color: var(--wi);
  text-decoration: none; cursor: pointer; border-radius: 6px; white-space: nowrap; }
#winnow-bar > div > p > * { width: auto; min-width: 64px; padding: 0 12px; }
#winnow-bar > div > p > b { box-shadow: inset 0 -2px; cursor: default; }
#winnow-bar > div a:hover, #winnow-bar summary:hover, #winnow-bar li a:hover {
  background: #8882; text-decoration: underline; }
#winnow-bar > div > a:nth-child(2) { grid-column: 2; }
#winnow-bar > div > a:nth-child(4) { grid-column: 4; }
#winnow-bar details { grid-column: 1 / -1; pointer-events: none; }
#winnow-bar details > * { pointer-events: auto; }
#winnow-bar summary { list-style: none; margin-inline-start: calc(100% - var(--w) * 4); }
#winnow-bar div > details:nth-child(3) > summary { margin-inline-start: calc(100% - var(--w) * 3); }
#winnow-bar div > details:nth-child(5) > summary { margin-inline-start: calc(100% - var(--w)); }
#winnow-bar summary::-webkit-details-marker { display: none; }
#winnow-bar summary > span { font-weight: 700; letter-spacing: .1em; }
#winnow-bar summary > i { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); }
#winnow-bar details[open] > summary { box-shadow: inset 0 -2px; }
#winnow-bar details[open] ~ details[open] > div { display: none; }
#winnow-bar details > div { padding: 14px 0 16px; border-top: 1px solid #d9d5cd;
  border-color: var(--wl); color: #1d1c1a; color: var(--wi); }
#winnow-bar ul { margin: 0; padding: 0; list-style: none; columns: 224px; }
#winnow-bar li { break-inside: avoid; }
#winnow-bar li a { display: block; padding: 7px 10px; border-radius: 6px;
  text-decoration: none; }
#winnow-bar details a, #winnow-bar button { color: #0b57a4; color: var(--link, #0b57a4); }
#winnow-bar details p { margin: 8px 10px; color: #5c5852; color: var(--ws);
  font-size: 13px; }
#winnow-bar form { margin: 0 10px; }
#winnow-bar button { font: inherit; padding: 7px 16px; border: 1px solid; background: none;
  border-radius: 6px; cursor: pointer; }
#winnow-bar .winnow-slider { display: block; margin-top: 10px; padding-top: 10px;
  border-top: 1px solid #d9d5cd; border-color: var(--wl); }
#winnow-bar .winnow-slider label > span { display: inline-block; width: 15em; max-width: 100%;
  vertical-align: middle; }
#winnow-bar .winnow-slider label > span > span { display: flex; padding: 0 2px;
  justify-content: space-between; font-size: 11px; }
#winnow-bar .winnow-slider label > span > span > span { width: 1.3em; text-align: center; }
#winnow-bar small { white-space: nowrap; }
#winnow-bar input[type=range] { display: block; margin: 0; width: 100%;
  accent-color: #0b57a4; accent-color: var(--link, #0b57a4); }
#winnow-bar fieldset { border: 0; margin: 0 0 8px; padding: 0; min-width: 0; }
#winnow-bar fieldset div { display: flex; flex-wrap: wrap; gap: 5px;
  margin-inline-start: 120px; }
#winnow-bar legend { float: left; float: inline-start; width: 120px; padding: 8px 0;
  font-size: 13px; color: #5c5852; color: var(--ws); }
#winnow-bar fieldset input { position: absolute; opacity: 0; width: 1px; height: 1px; }
#winnow-bar fieldset span { display: block; padding: 6px 11px; border: 1px solid #d9d5cd;
  border-color: var(--wl); border-radius: 6px; cursor: pointer; }
#winnow-bar input:checked + span { border-color: #0b57a4; border-color: var(--link, #0b57a4);
  color: #0b57a4; color: var(--link, #0b57a4); box-shadow: inset 0 0 0 1px; }
#winnow-bar :focus-visible, #winnow-bar input:focus-visible + span {
  outline: 2px solid; outline-offset: -2px; }
#winnow-fold, #winnow-kept { display: none; }
#winnow-kept:target { display: block; width: 100vw; max-width: 100%; margin: 0;
  scroll-margin-top: 144px; padding: 13px 0; border-bottom: 1px solid #d9d5cd;
  border-color: var(--wl); color: #1d1c1a; color: var(--wi); }
#winnow-kept a { color: #0b57a4; color: var(--link, #0b57a4); margin-inline-start: 10px; }
@media (max-width: 30rem) {
  #winnow-bar { float: right; float: inline-end; max-width: 100%; }
  #winnow-fold { display: block; }
  #winnow-fold > summary { display: block; width: 44px; height: 44px; margin-inline-start: auto;
    padding: 14px 11px; }
  #winnow-fold > summary::before { content: ""; display: block; height: 16px;
    border: solid; border-width: 2px 0;
    background: linear-gradient(currentColor, currentColor) center / 100% 2px no-repeat; }
  #winnow-fold:not([open]) ~ div { display: none; }
  #winnow-bar > div { width: 100vw; max-width: 100%; margin-bottom: 16px;
    grid-template-columns: 20% 30% 30% 20%; }
  #winnow-bar > div > * { grid-row: 2; }
  #winnow-bar > div > p { grid-row: 1; grid-column: 1 / -1; justify-self: stretch; }
  #winnow-bar > div > p > * { flex: 1; }
  #winnow-bar > div > a { width: auto; }
  #winnow-bar > div > a, #winnow-bar > div summary { white-space: normal;
    overflow-wrap: anywhere; line-height: 1.2; text-align: center; }
  #winnow-bar > div > a:nth-child(2) { grid-column: 1; }
  #winnow-bar > div > a:nth-child(4) { grid-column: 3; }
  #winnow-bar div > details:nth-child(2) > summary { width: 20%; margin-inline-start: 0; }
  #winnow-bar div > details:nth-child(3) > summary { width: 30%; margin-inline-start: 20%; }
  #winnow-bar div > details:nth-child(5) > summary { width: 20%; margin-inline-start: 80%; }
  #winnow-bar legend { float: none; padding: 0; }
  #winnow-bar fieldset div { margin: 0; }
  #winnow-bar div > details:nth-child(2) > div { position: fixed; z-index: 9; inset: auto 0 0;
    height: 45vh; overflow: auto; overscroll-behavior: contain; scroll-padding-bottom: 48px;
    padding: 10px 0 0; }
  #winnow-bar div > details:nth-child(2) > div, #winnow-bar div > details:nth-child(2) button,
  #winnow-bar div > details:nth-child(2) > summary::after { background: #fdfcfa;
    background: var(--paper, #fdfcfa); }
  #winnow-bar div > details:nth-child(2) button { position: sticky; bottom: 0; width: 100%; }
  #winnow-bar div > details:nth-child(2)[open] > summary::after { content: "×"; content: "×" / "";
    position: fixed; bottom: 45vh; inset-inline-end: 0; width: 48px; height: 48px;
    text-align: center; font-size: 24px; line-height: 46px; border: 1px solid;
    border-color: var(--wl); border-width: 1px 1px 0; }
}
@media (max-width: 18rem) {
  #winnow-bar > div > a, #winnow-bar > div summary { font-size: 12px; }
}
@media (forced-colors: active) {
  #winnow-bar input:checked + span { outline: 3px solid Highlight; }
  #winnow-bar details[open] > summary { border-bottom: 3px solid Highlight; }
}
@media print { #winnow-bar > * { display: none !important; } }
"""
STYLE: Final = Markup(" ".join(_LINES.split()))  # noqa: S704 - a constant of ours
