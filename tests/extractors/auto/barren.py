"""Pages without main content, written for the tests: 12 kinds in several dresses and languages.

Each is what its kind looks like on the web: front pages of papers and shops, log-ins, errors,
search results, walls and waiting rooms. Texts are made of a few phrases; seeds are fixed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

_PHRASES: Final = {
    "en": (
        "Minister resigns after vote|Storm closes mountain roads|Five ways to cook squash|"
        "Local team wins in extra time|Prices rise for third month|New bridge opens to traffic|"
        "What to watch this weekend|Museum shows lost paintings|Rail strike called off|"
        "Scientists map the sea floor|Winter coat|Garden chair|Desk lamp|Running shoes",
        "Home|News|Sport|Culture|Weather|Shop|About us|Contact|Careers|Help|Privacy|Terms",
        "Log in|Password|E-mail address|Forgot your password?|Create an account|Remember me",
        "Page not found|The page you asked for does not exist.|Back to the front page|Search",
        "Results for|results|Next page|Sort by|Filter|Read more|Add to basket|More",
    ),
    "de": (
        "Minister tritt zurück|Sturm sperrt Bergstraßen|Fünf Rezepte mit Kürbis|"
        "Heimsieg in der Nachspielzeit|Preise steigen erneut|Neue Brücke freigegeben|"
        "Tipps für das Wochenende|Museum zeigt verlorene Bilder|Bahnstreik abgesagt|Wintermantel",
        "Startseite|Nachrichten|Sport|Kultur|Wetter|Shop|Über uns|Kontakt|Impressum|Datenschutz",
        "Anmelden|Passwort|E-Mail-Adresse|Passwort vergessen?|Konto anlegen|Angemeldet bleiben",
        "Seite nicht gefunden|Die gewünschte Seite gibt es nicht.|Zur Startseite|Suche",
        "Ergebnisse für|Treffer|Nächste Seite|Sortieren|Filter|Mehr lesen|In den Warenkorb|Mehr",
    ),
    "fr": (
        "Le ministre démissionne|La tempête ferme les cols|Cinq recettes de courge|"
        "Victoire en prolongation|Les prix montent encore|Le nouveau pont est ouvert|"
        "Que voir ce week-end|Le musée montre des toiles perdues|Manteau d'hiver|Lampe de bureau",
        "Accueil|Actualités|Sport|Culture|Météo|Boutique|À propos|Contact|Mentions légales",
        "Connexion|Mot de passe|Adresse e-mail|Mot de passe oublié ?|Créer un compte|Se souvenir",
        "Page introuvable|La page demandée n'existe pas.|Retour à l'accueil|Rechercher",
        "Résultats pour|résultats|Page suivante|Trier|Filtrer|Lire la suite|Ajouter au panier|Plus",
    ),
    "zh": (
        "部长在投票后辞职|暴风雪封闭山路|南瓜的五种做法|本地球队加时赛获胜|物价连续三个月上涨|新桥通车|"
        "周末看什么|博物馆展出失落的画作|冬季外套|台灯",
        "首页|新闻|体育|文化|天气|商店|关于我们|联系我们|招聘|隐私政策",
        "登录|密码|电子邮件|忘记密码？|注册账号|记住我",
        "页面不存在|您访问的页面不存在。|返回首页|搜索",
        "搜索结果|条结果|下一页|排序|筛选|阅读全文|加入购物车|更多",
    ),
}
_DRESSES: Final = (
    ("nav", "header", "section", "article", "footer"),
    ("div class='menu'", "div id='head'", "div class='row'", "div class='card'", "div id='foot'"),
    ("ul class='nav'", "div class='top'", "div class='grid mt-4'", "li class='item'", "footer"),
    ("div", "table", "div", "div", "div class='bottom'"),
)  # fmt: skip


@dataclass(frozen=True)
class Writer:
    """Draws phrases of one language and dresses them in one fashion."""

    language: str
    dress: tuple[str, ...]
    draw: random.Random

    def say(self, group: int) -> str:
        return self.draw.choice(_PHRASES[self.language][group].split("|"))

    def all(self, group: int) -> list[str]:
        return _PHRASES[self.language][group].split("|")

    def put(self, part: int, inner: str) -> str:
        opening = self.dress[part]
        return f"<{opening}>{inner}</{opening.split()[0]}>"

    def links(self, group: int) -> str:
        return "".join(f"<a href='/{n}'>{text}</a> " for n, text in enumerate(self.all(group)))

    def card(self, *extra: str) -> str:
        told = "".join(f"<p>{text}</p>" for text in extra)
        head = f"<h3><a href='/{self.draw.randrange(9999)}'>{self.say(0)}</a></h3>"
        image = "<img src=a.jpg>" if self.draw.random() < 0.6 else ""
        return self.put(3, image + head + told)

    def page(self, main: str) -> str:
        head = f"<html lang={self.language}><title>{self.say(1)}</title><body>"
        top = self.put(1, self.put(0, self.links(1)))
        return head + top + self.put(2, main) + self.put(4, self.links(1) + " © 2026") + "</body>"


def _front(w: Writer) -> str:
    rows = (w.put(2, f"<h2>{name}</h2>" + "".join(w.card() for _ in range(6))) for name in w.all(1))
    return w.page("".join(rows))


def _teasers(w: Writer) -> str:
    more = f"<a href=/x>{w.say(4)}</a>"
    return w.page("".join(w.card(f"{w.say(0)}. {w.say(0)}.", more) for _ in range(14)))


def _shop(w: Writer) -> str:
    return w.page(
        "".join(w.card(f"{w.draw.randrange(9, 90)},99 €", w.all(4)[-2]) for _ in range(16))
    )


def _form(w: Writer) -> str:
    fields = "".join(f"<label>{text}</label><input name=f>" for text in w.all(2)[1:3])
    title, *rest = w.all(2)
    links = "".join(f"<p><a href=/r>{text}</a></p>" for text in rest[2:])
    return w.page(f"<h1>{title}</h1><form>{fields}<button>{title}</button></form>{links}")


def _bare_form(w: Writer) -> str:
    fields = "".join(f"<p><input type=text placeholder='{text}'></p>" for text in w.all(2)[1:3])
    return f"<title>{w.all(2)[0]}</title><form>{fields}<button>{w.all(2)[0]}</button></form>"


def _missing(w: Writer) -> str:
    title, told, back, search = w.all(3)
    return w.page(
        f"<h1>404</h1><h2>{title}</h2><p>{told}</p><p><a href=/>{back}</a></p>"
        f"<form><input><button>{search}</button></form>"
    )


def _broken(w: Writer) -> str:
    code = w.draw.choice(["500 Internal Server Error", "502 Bad Gateway", "403 Forbidden"])
    return (
        f"<html><head><title>{code}</title></head><body><center><h1>{code}</h1></center><hr>nginx"
    )


def _results(w: Writer) -> str:
    query = w.say(0)
    hits = "".join(
        w.card(f"www.example.org › {w.draw.randrange(999)}", f"… {w.say(0)} … {w.say(0)} …")
        for _ in range(10)
    )
    pages = "".join(f"<a href=?p={n}>{n}</a> " for n in range(1, 9))
    return w.page(f"<h1>{w.all(4)[0]} “{query}”</h1><p>1 240 {w.all(4)[1]}</p>{hits}{pages}")


def _no_results(w: Writer) -> str:
    return w.page(f"<h1>{w.all(4)[0]} “{w.say(0)}”</h1><p>0 {w.all(4)[1]}</p>{w.links(4)}")


def _wall(w: Writer) -> str:
    told = w.draw.choice(
        ["Please enable JavaScript to continue.", "Checking your browser …", "Loading …",
         "Verify you are human."]
    )  # fmt: skip
    return f"<title>{w.say(1)}</title><div id=root></div><noscript>{told}</noscript><p>{told}</p>"


def _directory(w: Writer) -> str:
    links = "".join(f"<li><a href=/{n}>{w.say(0)}</a></li>" for n in range(60))
    return w.page(f"<h1>{w.all(1)[0]}</h1><ul>{links}</ul>")


def _basket(w: Writer) -> str:
    lines = "".join(f"<tr><td>{w.say(0)}<td>1<td>19,99 €<td><a href=/d>×</a>" for _ in range(3))
    return w.page(f"<h1>{w.all(4)[-2]}</h1><table>{lines}</table><button>{w.say(4)}</button>")


KINDS: Final[dict[str, Callable[[Writer], str]]] = {
    "front page of a paper": _front, "front page with teasers": _teasers, "shop": _shop,
    "log-in": _form, "bare log-in": _bare_form, "not found": _missing, "server error": _broken,
    "search results": _results, "no results": _no_results, "wall": _wall,
    "directory": _directory, "basket": _basket,
}  # fmt: skip


def pages() -> Iterator[tuple[str, str]]:
    """Every kind in every dress and language: kind and HTML."""
    for kind, write in KINDS.items():
        for language in _PHRASES:
            for number, dress in enumerate(_DRESSES):
                draw = random.Random(f"{kind} {language} {number}")
                yield kind, write(Writer(language, dress, draw))
