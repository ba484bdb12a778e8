"""A Redis that is down is to be seen, and changes nothing else."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.free_ports import free_port
from tests.features.redis.redises import redis
from tests.unhurried import UNHURRIED
from tests.winnow.compose.test_own_pages import get
from winnow.compose.running import listening
from winnow.config.settings import Settings
from winnow.features.redis.redis_sharing import RedisSharing
from winnow.features.redis.redis_state import RedisState
from winnow.features.redis.settings import RedisSettings

DOWN = "The Redis of cache.redis does not answer."


async def test_metric_status_and_readiness_name_a_redis_that_is_down() -> None:
    plain, port = Settings(), free_port()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=UNHURRIED,
        of_features=(RedisSettings(cache=f"redis://127.0.0.1:{port}", timeout=0.5),),
    )
    async with listening(settings) as proxy:
        (state,) = proxy.state.stores["redis"]
        assert isinstance(state, RedisState)
        proxy.state.handover.begun = True
        await state.ask(RedisSharing(settings))
        assert state.notes() == [DOWN]
        answer = await get(proxy, "/-/ready")
        assert (answer.status, answer.body) == (200, f"ready\n{DOWN}\n".encode())
        assert DOWN in (await get(proxy, "/-/status")).body.decode()
        told = (await get(proxy, "/-/metrics")).body.decode()
        assert 'winnow_redis_up{section="cache"} 0.0' in told
        assert 'section="storage"' not in told
        async with redis(port):
            await state.ask(RedisSharing(settings))
            assert (await get(proxy, "/-/ready")).body == b"ready\n"
            assert state.up == {"cache": True}
