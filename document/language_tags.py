"""Which language tags mean a language (BCP 47). Knows codes; reads no page.

A screen reader that meets ``lang="zz"`` has no voice for it, and pages hold such: a currency, a
country, a charset, a word.
"""

from __future__ import annotations

import re
from typing import Final

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


def is_tag(text: str) -> bool:
    """Whether a text is a well-formed tag whose first part is a language's code."""
    found = _TAG.match(text)
    return found is not None and found[1].lower() in (_TWO if len(found[1]) == 2 else _THREE)
