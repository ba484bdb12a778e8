"""Pages on which something is done."""

# ruff: noqa: E501 - markup is read best as it is written

from __future__ import annotations

from tests.tasks.fragments import Site
from tests.tasks.markup import LEFT, Kind, Made, field, form, named


def checkout(site: Site) -> Made:
    fields = "".join(field(n.title(), n) for n in ("name", "street", "city", "postcode"))
    items = f"<table><tr><td>{site.things[0]}<td>2<td>€39.80</table>"
    return (
        f"<h1>Checkout</h1>{items}{form('/order', fields, 'Order')}",
        LEFT,
        named("street", "city"),
    )


def payment(site: Site) -> Made:
    card = field("Card number", "card", more='autocomplete="cc-number"')
    fields = card + field("Expires", "exp", more='autocomplete="cc-exp"') + field("CVC", "cvc")
    return (
        f"<h1>Payment</h1><p>{site.sentences[0]}</p>{form('/pay', fields, 'Pay €12')}",
        LEFT,
        named("card", "cvc"),
    )


def one_time_code(site: Site) -> Made:
    code = field("Code", "code", more='autocomplete="one-time-code" inputmode="numeric"')
    return (
        f"<h1>{site.name}</h1><p>We sent a code.</p>{form('/code', code, 'Go on')}",
        LEFT,
        named("code"),
    )


def log_in(site: Site) -> Made:
    fields = field("E-mail", "mail", "email") + field("Password", "pass", "password")
    return f"<h1>Log in</h1>{form('/in', fields, 'Log in')}", LEFT, named("mail", "pass")


def log_in_beside_text(site: Site) -> Made:
    fields = field("User", "user") + field("Password", "pass", "password")
    made = form("/in", fields, "Go")
    return (
        f"<div><h1>{site.name}</h1>{site.prose(4)}</div><div>{made}</div>",
        LEFT,
        named("user", "pass"),
    )


def sign_up(site: Site) -> Made:
    fields = (
        field("Name", "name")
        + field("E-mail", "mail", "email")
        + field("Password", "pass", "password")
    )
    terms = site.prose(5)
    return (
        f"<h1>Create an account</h1>{form('/up', fields, 'Join')}{terms}",
        LEFT,
        named("mail", "pass"),
    )


def hidden_log_in(site: Site) -> Made:
    made = form("/in", field("Password", "pass", "password"), "Go")
    style = "<style>.box{display:none}.box:target{display:block}</style>"
    return (
        f"{style}<h1>{site.name}</h1><a href=#in>Log in</a><div class=box id=in>{made}</div>",
        LEFT,
        named("pass"),
    )


def contact(site: Site) -> Made:
    fields = field("Name", "name") + field("E-mail", "mail", "email")
    made = form("/contact", fields + "<textarea name=message rows=9></textarea>", "Send")
    return (
        f"<h1>Contact</h1><p>{site.sentences[1]}</p>{made}",
        LEFT,
        (*named("name", "mail"), "<textarea"),
    )


def booking(site: Site) -> Made:
    fields = (
        field("From", "from")
        + field("To", "to")
        + field("Day", "day", "date")
        + "<select name=class><option>1<option>2</select>"
    )
    return (
        f"<h1>{site.things[2]}</h1>{form('/find', fields, 'Find', 'get')}",
        LEFT,
        named("from", "to", "day"),
    )


def search_only(site: Site) -> Made:
    made = form("/search", '<input name="q" type="search">', "Search", "get")
    return f"<div><b>{site.name}</b>{made}</div>", LEFT, named("q")


def webmail(site: Site) -> Made:
    rows = "".join(
        f"<tr><td><input type=checkbox name=m{n}><td><a href=/m/{n}>{s[:30]}</a><td>{n}:00"
        for n, s in enumerate(site.sentences)
    )
    write = "<div contenteditable=true class=editor></div><button id=send>Send</button>"
    return (
        f"<table>{rows}</table>{write}<script src=/mail.js></script>",
        LEFT,
        ("contenteditable=true", "/mail.js"),
    )


def map_page(site: Site) -> Made:
    return (
        f"<h1>{site.things[4]}</h1><canvas id=map width=900 height=600></canvas><script src=/map.js></script>",
        LEFT,
        ("<canvas", "/map.js"),
    )


def player(site: Site) -> Made:
    return (
        f"<h1>{site.things[3]}</h1><video src=/film.mp4 controls></video><p>3:20</p>",
        LEFT,
        ("/film.mp4",),
    )


def editor(site: Site) -> Made:
    return (
        f"<div class=bar><button>B</button><button>I</button></div><div contenteditable=true>{site.name}</div><script src=/e.js></script>",
        LEFT,
        ("contenteditable", "/e.js"),
    )


def shell(_site: Site) -> Made:
    return (
        "<div id=root></div><noscript>Please enable JavaScript to run this app.</noscript><script src=/app.js></script>",
        LEFT,
        ("id=root", "/app.js"),
    )


def robot_check(_site: Site) -> Made:
    return (
        "<h1>Just a moment...</h1><p>Checking your browser.</p><div id=challenge></div><script src=/c.js></script>",
        LEFT,
        ("id=challenge", "/c.js"),
    )


def captcha(_site: Site) -> Made:
    made = form("/check", field("Letters of the picture", "letters"), "I am no robot")
    return f"<h1>Are you a robot?</h1><img src=/captcha.png>{made}", LEFT, named("letters")


def not_found(site: Site) -> Made:
    return (
        f"<h1>404 Not Found</h1><p>There is no such page.</p><a href=/>{site.name}</a>",
        LEFT,
        ("404",),
    )


def cart(site: Site) -> Made:
    rows = "".join(
        f'<tr><td>{t}<td><input name="n{n}" value=1><td>€{n + 3}.50'
        for n, t in enumerate(site.things)
    )
    return (
        f"<h1>Cart</h1>{form('/cart', f'<table>{rows}</table>', 'Checkout')}",
        LEFT,
        named("n0", "n3"),
    )


def survey(site: Site) -> Made:
    asked = "".join(
        f"<h2>{s}</h2><textarea name=a{n}></textarea>" for n, s in enumerate(site.sentences)
    )
    return (
        f"<h1>{site.name}</h1>{form('/survey', asked, 'Send')}",
        LEFT,
        (*named("token"), "<textarea"),
    )


def settings(site: Site) -> Made:
    fields = "".join(field(t, f"s{n}") for n, t in enumerate(site.things))
    new = field("New password", "new", "password")
    return (
        f"<h1>Settings</h1>{site.prose(2)}{form('/settings', fields + new, 'Save')}",
        LEFT,
        named("s1", "new"),
    )


def calculator(site: Site) -> Made:
    fields = field("Amount", "amount", "number") + field("Years", "years", "number")
    return (
        f"<h1>{site.things[2]}</h1><p>{site.sentences[5]}</p><form>{fields}</form><output id=sum>0</output><script src=/sum.js></script>",
        LEFT,
        named("amount", "years"),
    )


def redirecting(_site: Site) -> Made:
    return (
        "<p>You are being redirected.</p><a href=/next>Continue</a><script>location='/next'</script>",
        LEFT,
        ("/next",),
    )


def ticket(site: Site) -> Made:
    fields = field("Booking number", "booking") + field("Last name", "last")
    return (
        f"<h1>{site.things[2]}</h1>{form('/find', fields, 'Show')}<p>{site.sentences[3]}</p>",
        LEFT,
        named("booking", "last"),
    )


KINDS: tuple[Kind, ...] = (
    checkout,
    payment,
    one_time_code,
    log_in,
    log_in_beside_text,
    sign_up,
    hidden_log_in,
    contact,
    booking,
    search_only,
    webmail,
    map_page,
    player,
    editor,
    shell,
    robot_check,
    captcha,
    not_found,
    cart,
    survey,
    settings,
    calculator,
    redirecting,
    ticket,
)
