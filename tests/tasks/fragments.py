"""Written fragments of pages: words of four trades and languages, and the site around a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Site:
    """A site that pages are written for: its name, language, layout, and what it is about."""

    name: str
    language: str
    layout: str
    subject: str
    sentences: tuple[str, ...]
    things: tuple[str, ...]

    def prose(self, count: int, first: int = 0) -> str:
        """So many paragraphs, no two alike."""
        size = len(self.sentences)
        return "".join(
            f"<p>{self.sentences[(first + n) % size]} {self.sentences[(first + 3 * n + 1) % size]} "
            f"{self.things[n % len(self.things)]}: {self.sentences[(first + 2 * n + 2) % size]}</p>"
            for n in range(count)
        )

    def page(self, title: str, main: str, head: str = "") -> str:
        """A whole page around what is in its middle."""
        ways = "".join(f"<li><a href='/{n}'>{t}</a>" for n, t in enumerate(self.things))
        around = _LAYOUTS[self.layout].format(ways=ways, name=self.name, main=main)
        return (
            f"<!doctype html><html lang={self.language}><head><meta charset=utf-8>"
            f"<title>{title} - {self.name}</title>{head}</head><body>{around}</body></html>"
        )


_LAYOUTS: Final = {
    "landmarks": "<header><a href=/>{name}</a><nav><ul>{ways}</ul></nav></header>"
    "<main>{main}</main><footer><p>{name} 2026</p></footer>",
    "divs": "<div id=top class=menu><ul>{ways}</ul></div><div id=content>{main}</div>"
    "<div id=bottom><p>{name}, all rights reserved.</p></div>",
    "table": "<table width=100%><tr><td colspan=2>{name}<tr><td><ul>{ways}</ul><td>{main}</table>",
    "grid": "<div class=wrap><section class=body>{main}</section><aside><h3>{name}</h3>"
    "<ul>{ways}</ul></aside></div>",
}

SITES: Final = (
    Site(
        "Harbour Kettles", "en", "landmarks", "kettle",
        (
            "The copper kettle is hammered by hand from a single sheet and tinned inside.",
            "Water boils in it after four minutes on a gas flame, and a little later on a hob.",
            "A wooden grip stays cool enough to be held, even when the lid begins to rattle.",
            "Limescale comes off with vinegar, which should stand in the pot over night.",
            "Our workshop near the harbour repairs spouts, lids and handles of every maker.",
            "Each piece carries the mark of the smith who made it and the year of its making.",
            "Customers write that the whistle can be heard in the garden behind the house.",
        ),
        ("Kettles", "Copper pots", "Repairs", "Tea", "Spare lids"),
    ),
    Site(
        "Bergwetter", "de", "divs", "Wetter",
        (
            "Am Morgen liegt dichter Nebel in den Tälern, der sich erst gegen Mittag auflöst.",
            "Oberhalb von zweitausend Metern weht ein kräftiger Wind aus südwestlicher Richtung.",
            "Wer eine Tour plant, sollte früh aufbrechen und warme Kleidung mitnehmen.",
            "Die Hütten am Grat sind noch geöffnet und bieten Suppe, Brot und heißen Tee an.",
            "In der Nacht sinken die Temperaturen unter den Gefrierpunkt, auch in tieferen Lagen.",
            "Der Lawinendienst meldet eine mäßige Gefahr an steilen Hängen nach Norden.",
            "Bis zum Wochenende bleibt es trocken, danach zieht eine Front von Westen heran.",
        ),
        ("Vorhersage", "Hütten", "Lawinen", "Webcams", "Touren"),
    ),
    Site(
        "Le Potager", "fr", "grid", "jardin",
        (
            "Les tomates se sèment sous abri en mars et se repiquent quand le sol est chaud.",
            "Un paillage de feuilles garde la fraîcheur et nourrit les vers pendant tout l'été.",
            "On arrose au pied, le soir, sans mouiller le feuillage qui craint le mildiou.",
            "Les haricots grimpent le long de perches de noisetier plantées en faisceau.",
            "La récolte des courges commence quand le pédoncule devient dur comme du bois.",
            "Chaque rang porte une étiquette avec la date du semis et le nom de la variété.",
            "Les graines de l'année se conservent au sec, dans des enveloppes de papier.",
        ),
        ("Semis", "Outils", "Calendrier", "Variétés", "Compost"),
    ),
    Site(
        "Night Trains", "en", "table", "train",
        (
            "The sleeper leaves the capital at nine in the evening and arrives before breakfast.",
            "Each compartment has three berths, a small table, and a lamp that turns to the wall.",
            "The attendant brings coffee at half past six and returns the passports at the border.",
            "Bicycles travel in the van behind the engine and need a ticket of their own.",
            "Between the tunnels the line climbs along the river for more than forty miles.",
            "Delays are announced by loudspeaker in two languages and shown on the platform.",
            "Travellers recommend the upper berth, where nobody steps over one's shoes.",
        ),
        ("Timetable", "Berths", "Tickets", "Stations", "Luggage"),
    ),
    Site(
        "Faro de Libros", "es", "divs", "libro",
        (
            "El faro guarda en su torre más de tres mil libros que dejaron los marineros.",
            "Cada tarde se abre la puerta y cualquiera puede subir a leer junto a la lámpara.",
            "Los mapas antiguos se consultan con guantes, sobre una mesa grande de roble.",
            "Quien encuentra una carta entre las páginas la entrega a la bibliotecaria.",
            "El catálogo se escribe a mano y se copia una vez al año para el archivo del puerto.",
            "En invierno las tormentas cierran el camino, y los lectores se quedan a dormir.",
            "Las novelas más leídas llevan en el lomo una cinta azul que nadie debe quitar.",
        ),
        ("Novelas", "Mapas", "Cartas", "Catálogo", "Lecturas"),
    ),
)  # fmt: skip
