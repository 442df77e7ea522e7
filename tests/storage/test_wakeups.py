"""Wakeups reach those who listen, and silence is broken once a second."""

import asyncio

from arena.storage.connect import Storage


async def test_a_wakeup_reaches_those_who_listen_to_its_topic(storage: Storage) -> None:
    """A listener gets its topics at once, not others, and the empty text meanwhile."""
    heard: list[str] = []
    listening, done = asyncio.Event(), asyncio.Event()

    async def listen() -> None:
        async for topic in storage.wakeups.listen("matches", "fleet"):
            listening.set()
            if topic:
                heard.append(topic)
            if len(heard) == 2:
                done.set()

    task = asyncio.create_task(listen())
    async with asyncio.timeout(10):
        await listening.wait()
        while await storage.client.pubsub_numsub("arena:wake:fleet") != [(b"arena:wake:fleet", 1)]:
            await asyncio.sleep(0)
        for topic in ("matches", "other", "fleet"):
            await storage.wakeups.publish(topic)
        await done.wait()
    task.cancel()
    await asyncio.wait([task])
    assert heard == ["matches", "fleet"]


async def test_silence_is_broken_once_a_second(storage: Storage) -> None:
    """Without any wakeup the listener is told to look by itself."""
    async with asyncio.timeout(10):
        async for topic in storage.wakeups.listen("matches"):
            assert topic == ""
            break
