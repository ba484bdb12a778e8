"""Every setting is listed with meaning, value and origin, and no password among them."""

from __future__ import annotations

from dataclasses import replace

from winnow.config.setting_list import entries
from winnow.config.settings import Settings
from winnow.config.sources.source_precedence import load
from winnow.features.redis.settings import RedisSettings
from winnow.features.settings.settings_in_force import Listed, listed


def found(settings: Settings, path: str) -> Listed:
    sections = listed(settings, {})
    return next(item for part in sections for item in part.settings if item.path == path)


def test_every_setting_is_there_once_with_its_purpose() -> None:
    items = [item for section in listed(Settings(), {}) for item in section.settings]
    assert [item.path for item in items] == list(entries())
    assert all(item.entry.note.purpose and item.value == item.usual for item in items)
    assert {item.origin for item in items} == {"default"}


def test_a_value_tells_where_it_comes_from() -> None:
    loaded = load(None, {"WINNOW_SERVER__PORT": "9090"})
    sections = listed(loaded.settings, loaded.origins)
    port = next(item for item in sections[0].settings if item.path == "server.port")
    assert (port.value, port.usual) == ("9090", "8080")
    assert port.origin == "environment variable WINNOW_SERVER__PORT"


def test_passwords_are_not_told() -> None:
    plain = Settings()
    users = replace(plain.access, users=("ann:scrypt$secret", "bob:scrypt$secret"))
    proxy = replace(plain.upstream, proxy="http://me:secret@proxy.example:3128")
    settings = replace(plain, access=users, upstream=proxy)
    assert found(settings, "access.users").value == "2 users: ann, bob"
    assert found(settings, "upstream.proxy").value == '"http://***@proxy.example:3128"'
    sentinels = "redis+sentinel://:secret@10.0.0.1,10.0.0.2/readers/0?sentinel_password=secret&db=1"
    settings = replace(settings, of_features=(RedisSettings(storage=sentinels),))
    shown = '"redis+sentinel://***@10.0.0.1,10.0.0.2/readers/0?sentinel_password=***@&db=1"'
    assert found(settings, "storage.redis").value == shown
    assert "secret" not in str(listed(settings, {}))
