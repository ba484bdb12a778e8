"""Language tags (BCP 47), and a guess for pages that declare none: a screen reader needs one.

The guess is by script, and among languages that share a script by their commonest words; "" where
these do not decide. Tags with unknown codes are refused, for no voice reads ``lang="zz"``.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from winnow.document.document import Document

SAMPLE: Final = 20_000
"""Characters looked at, from the page's middle: the text is there rather than the menus."""
_SHARE: Final = 0.3
"""The share of letters that a script needs to decide."""
_CERTAIN: Final = 0.06
"""The share of words that must be among the commonest of a language."""

_SCRIPTS: Final = (
    ("ja", re.compile("[\u3041-\u30ff]"), 0.1),
    ("zh", re.compile("[\u3400-\u9fff]"), _SHARE),
    ("ko", re.compile("[\uac00-\ud7af]"), _SHARE),
    ("th", re.compile("[\u0e00-\u0e7f]"), _SHARE),
    ("he", re.compile("[\u0590-\u05ff]"), _SHARE),
    ("el", re.compile("[\u0370-\u03ff]"), _SHARE),
    ("hi", re.compile("[\u0900-\u097f]"), _SHARE),
    ("bn", re.compile("[\u0980-\u09ff]"), _SHARE),
    ("ta", re.compile("[\u0b80-\u0bff]"), _SHARE),
    ("ka", re.compile("[\u10a0-\u10ff]"), _SHARE),
    ("hy", re.compile("[\u0530-\u058f]"), _SHARE),
)
"""Scripts that (nearly) one language uses; Kana first, for Japanese uses Han too."""

_COMMON: Final = {
    "en": "the of and to in is that for it with as was on are by this from be have not",
    "de": "der die und den das von ist mit des sich nicht auch ein eine dem zu auf für im",
    "fr": "le la les des et est une dans que qui pour pas sur au du ce avec sont par plus",
    "es": "el los las que una por con para del se su al es lo como más pero son está y",
    "pt": "que não uma com para os dos mais como mas foi ao ele das seu sua ou quando são em",
    "it": "il che di per una non sono con del della dei più anche gli alla nel come è si",
    "nl": "de het een van en dat niet zijn voor met op te aan er ook als maar naar bij",
    "sv": "och att det som en på är av för med till den har inte om ett var jag sig från",
    "da": "og at det er en til på af for med den der ikke som har de et var fra kan",
    "nb": "og det er en til på av for med som ikke har de et var fra kan å jeg ble",
    "fi": "ja on ei että se oli hän mutta ovat kun niin myös sen joka ole tai jos mukaan",
    "pl": "i w na z nie się że do jest to o jak po od za ale przez dla jego tym",
    "cs": "a se na je že v to s z do o i jsem ale by za jako pro si jsou",
    "hu": "a az és hogy nem egy is ez volt meg de csak már el ha kell vagy mint",
    "ro": "și de la în a cu nu pe din este care un o să mai ce sunt pentru fost",
    "tr": "ve bir bu için de da ile çok olarak daha gibi olan ne en kadar sonra var",
    "id": "yang dan di dengan untuk ini dari tidak itu dalam pada akan adalah juga ke",
    "vi": "và của là có không được cho một trong người những các với đã này để khi",
    "ru": "и в не на что с он как это по но из у за от так для все его было",
    "uk": "і в не на що з він як це по але із у за від так для все його було та",
    "bg": "и в не на да се е от за с че по са като към той но ще при",
    "sr": "и у не на да се је од за са што по су као али ће при који",
    "ar": "في من على إلى أن التي الذي عن مع هذا هذه كان ما لا بعد قال و",
    "fa": "و در به از که این را با است برای آن یک خود تا کرد بر هم نیز",
    "ur": "کے میں کی ہے اور سے کا کو نے اس پر ہیں یہ کہ ایک بھی",
}
_WORDS: Final = {language: frozenset(words.split()) for language, words in _COMMON.items()}
_TOKEN: Final = re.compile(r"[^\W\d_]+")
_TAG: Final = re.compile(r"([A-Za-z]{2,3})(-[A-Za-z0-9]{1,8})*\Z")
_TWO: Final = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da "
    "de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy "
    "hz ia id ie ig ii ik in io is it iu iw ja ji jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky "
    "la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny "
    "oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss "
    "st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za "
    "zh zu".split()
)
_THREE: Final = frozenset(
    "ace ang arc arn ary arz ast awa bar bcl bho bug ceb chr chy ckb cmn crh csb dag dsb egy ext "
    "fil frr frp fur gag gan gla got grc gsw hak haw hif hsb ilo inh jam kaa kab kbd krc ksh lad "
    "lez lij lmo ltg lzh mai mhr min mni mnw mrj mul mwl myv mzn nah nan nap nds new nqo nso pag "
    "pam pap pcd pfl pms pnb pnt qaa rmy rue sah sat scn sco sgs shi shn skr smn srn stq szl tay "
    "tcy tet tok tpi tum tyv udm vec vep vls vro war wuu xal xmf yue zea zgh zxx".split()
)
"""Of the thousands those that pages are written in (the editions of Wikipedia, mostly)."""


def guess(document: Document) -> str:
    """The language tag of a page's text, "" if undecided. O(SAMPLE)."""
    middle = max((len(document.text) - SAMPLE) // 2, 0)
    return guess_of(document.text[middle : middle + SAMPLE])


def guess_of(text: str) -> str:
    """The language tag of a text by its script, else by its commonest words; "" if unknown."""
    letters = 0 if text.isascii() else sum(map(str.isalpha, text))
    for language, script, share in _SCRIPTS if letters else ():
        if len(script.findall(text)) > share * letters:
            return language
    counts = Counter(_TOKEN.findall(text.lower()))
    vocabulary = counts.keys()
    hits = Counter(
        {name: sum(counts[word] for word in _WORDS[name] & vocabulary) for name in _WORDS}
    )
    (best, most), (_, second) = hits.most_common(2)
    return best if most > second and most > _CERTAIN * counts.total() else ""


def is_language_tag(text: str) -> bool:
    """Whether a text is a well-formed tag whose first part is a language's code."""
    found = _TAG.match(text)
    return found is not None and found[1].lower() in (_TWO if len(found[1]) == 2 else _THREE)
