"""The sample bots as programs: started as processes, against a real gRPC server."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import grpc
import pytest
from hearts.v1 import referee_service_pb2 as pb
from hearts_bot import parse

from referee.rules.presets import resolve
from tests.bots.local import opened, wire
from tests.bots.scripted import Stream, serving
from tests.bots.test_session import MOON, PASS, PLAY, RETURN, ask, names

SECONDS = 30.0
ROOT = Path(__file__).parents[2]
NODE = ROOT / "sample_bots" / "node"
PYTHON_BOTS = ("random", "cautious", "counter", "first_legal")

needs_node = pytest.mark.skipif(shutil.which("npm") is None, reason="Node.js is not installed")


def python_bot(name: str, *arguments: str) -> list[str]:
    """Return the command of a sample bot in Python."""
    return [sys.executable, "-m", f"hearts_bot.bots.{name}", *arguments]


@pytest.fixture(scope="session")
def node_bot(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the command of the bot in JavaScript, with its packages installed in a copy of its folder."""
    home = tmp_path_factory.mktemp("tree")
    shutil.copytree(ROOT / "proto" / "hearts", home / "proto" / "hearts")
    folder = home / "sample_bots" / "node"
    shutil.copytree(NODE, folder, ignore=shutil.ignore_patterns("node_modules"))
    npm = shutil.which("npm")
    assert npm is not None
    assert os.spawnvp(os.P_WAIT, npm, [npm, "ci", "--silent", "--prefix", str(folder)]) == 0  # noqa: S606
    return ["node", str(folder / "random.js")]


async def start(command: Sequence[str], environment: Mapping[str, str]) -> asyncio.subprocess.Process:
    """Start *command* with nothing but *environment* of the arena's variables."""
    rest = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return await asyncio.create_subprocess_exec(
        *command, env={**rest, **environment}, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )


async def finish(process: asyncio.subprocess.Process) -> tuple[int, str]:
    """Wait for *process*, and return its exit code and what it said on standard error."""
    _, said = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def refused(stream: Stream) -> None:
    """Refuse the token."""
    await stream.abort(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")


async def replaced(stream: Stream) -> None:
    """Tell the bot that another has taken over."""
    await stream.welcome()
    await stream.abort(grpc.StatusCode.ABORTED, "SESSION_REPLACED")


@pytest.mark.parametrize(("script", "code", "words"), [(refused, 3, "does not admit"), (replaced, 4, "has taken over")])
async def test_final_endings_have_their_exit_codes(script: object, code: int, words: str) -> None:
    """A refused token and a replaced process stop for good, and say so."""
    assert callable(script)
    async with serving(script) as referee, asyncio.timeout(SECONDS):
        process = await start(python_bot("random"), {"ARENA_ADDRESS": referee.address, "ARENA_TOKEN": "t"})
        exit_code, said = await finish(process)
    assert exit_code == code
    assert words in said
    assert len(referee.streams) == 1


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        ((), {}, "no referee given: set ARENA_ADDRESS"),
        (("--address", "localhost:1"), {}, "no token given: set ARENA_TOKEN"),
        (("--token-file", "/nowhere/token"), {"ARENA_ADDRESS": "localhost:1"}, "the token file cannot be read"),
        (("--max-tables", "-1"), {"ARENA_ADDRESS": "localhost:1", "ARENA_TOKEN": "t"}, "cannot be negative"),
    ],
)
async def test_wrong_usage_is_told(arguments: Sequence[str], environment: Mapping[str, str], words: str) -> None:
    """What is missing is named, with exit code 2."""
    async with asyncio.timeout(SECONDS):
        exit_code, said = await finish(await start(python_bot("random", *arguments), environment))
    assert exit_code == 2
    assert words in said


async def test_help_names_the_environment_and_the_exit_codes() -> None:
    """`--help` tells all that one needs to run the bot."""
    async with asyncio.timeout(SECONDS):
        process = await start(python_bot("counter", "--help"), {})
        out, _ = await process.communicate()
    for word in ("ARENA_ADDRESS", "ARENA_TOKEN", "ARENA_INSTANCE", "exit codes", "--strict", "Counts cards"):
        assert word in out.decode()


async def answer_some(stream: Stream) -> tuple[str, str]:
    """Let the bot make two decisions, and return what it passed and played."""
    await stream.welcome()
    await stream.send(pb.PlayResponse(opened=[opened(resolve("standard"), 0, seat=2**60 + 7, bot_seed=2**63 - 1)]))
    ready = await stream.receive()
    assert ready is not None
    assert ready.ready[0].seat == 2**60 + 7
    await stream.send(pb.PlayResponse(updates=[ask(2**60 + 7, 1, PASS, hand="2C 5C 9D JD 4S QS KS 2H 9H TH AH 3D 8S")]))
    passed = await stream.receive()
    update = ask(2**60 + 7, 2, PLAY, "3D 9D JD")
    update.play.leader = 3
    update.plays.extend([20])  # type: ignore[list-item]
    await stream.send(pb.PlayResponse(updates=[update]))
    played = await stream.receive()
    assert passed is not None
    assert played is not None
    assert (played.actions[0].seat, played.actions[0].decision) == (2**60 + 7, 2)
    return names(passed.actions[0].cards), names([played.actions[0].card])


async def plays_alike(command: Sequence[str]) -> None:
    """Hold that *command* connects, decides the same twice, and stops on a signal."""
    answers: list[tuple[str, str]] = []
    done = asyncio.Event()

    async def lose(stream: Stream) -> None:
        answers.append(await answer_some(stream))
        await stream.abort(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN")

    async def wait(stream: Stream) -> None:
        answers.append(await answer_some(stream))
        done.set()
        assert await stream.receive() is None

    async with serving(lose, wait) as referee, asyncio.timeout(SECONDS):
        environment = {"ARENA_ADDRESS": referee.address, "ARENA_TOKEN": "t", "ARENA_INSTANCE": "left hand"}
        process = await start(command, environment)
        await done.wait()
        process.send_signal(signal.SIGTERM)
        exit_code, said = await finish(process)
    assert exit_code == 0, said
    assert "coming back in" in said
    first, second = answers
    assert first == second
    assert len(first[0].split()) == 3
    assert set(first[0].split()) <= {"2C", "5C", "9D", "JD", "4S", "QS", "KS", "2H", "9H", "TH", "AH", "3D", "8S"}
    assert first[1] in {"3D", "9D", "JD"}
    assert {(stream.hello.token, stream.hello.instance) for stream in referee.streams} == {("t", "left hand")}


async def answers_every_kind(command: Sequence[str]) -> None:
    """Hold that *command* makes every kind of decision legally, with two packs and four cards to pass."""
    hand = "QS QS 2C 5C 5C 9D JD 4S KS KS 2H 9H 9H TH AH 3D 8S"
    variant = resolve("cancellation", players=6, overrides={"pass_mode": "cycle_give_back"})
    actions: list[pb.Action] = []

    async def question(stream: Stream) -> None:
        await stream.welcome()
        await stream.send(pb.PlayResponse(opened=[opened(variant, 0, seat=5)]))
        await stream.receive()
        give_back = ask(5, 2, RETURN, "3C 4C KD")
        give_back.passed.gave.extend(wire(parse("5C 5C QS QS")))  # type: ignore[arg-type]
        give_back.passed.received.extend(wire(parse("3C 3C 4C KD")))  # type: ignore[arg-type]
        for update in (ask(5, 1, PASS, hand=hand), give_back, ask(5, 3, PLAY, "9D KD"), ask(5, 4, MOON)):
            await stream.send(pb.PlayResponse(updates=[update]))
            answer = await stream.receive()
            assert answer is not None
            actions.extend(answer.actions)
        await stream.abort(grpc.StatusCode.UNAUTHENTICATED, "TOKEN_UNKNOWN")

    async with serving(question) as referee, asyncio.timeout(SECONDS):
        process = await start(command, {"ARENA_ADDRESS": referee.address, "ARENA_TOKEN": "t"})
        await finish(process)
    passed, returned, played, moon = actions
    cards = names(passed.cards).split()
    assert len(cards) == 4
    assert not Counter(cards) - Counter(hand.split())
    assert names([returned.card]) in {"3C", "4C", "KD"}
    assert names([played.card]) in {"9D", "KD"}
    assert moon.moon in {pb.MOON_EFFECT_OTHERS_PLUS, pb.MOON_EFFECT_SELF_MINUS}


@pytest.mark.parametrize("name", PYTHON_BOTS)
async def test_a_python_bot_makes_every_kind_of_decision(name: str) -> None:
    """Passing four of two packs, giving back, playing, and choosing what a moon does."""
    await answers_every_kind(python_bot(name))


@pytest.mark.full
@needs_node
async def test_the_node_bot_makes_every_kind_of_decision(node_bot: list[str]) -> None:
    """The bot without a kit does the same, a card that it holds twice included."""
    await answers_every_kind(node_bot)


@pytest.mark.parametrize("name", PYTHON_BOTS)
async def test_a_python_bot_comes_back_plays_alike_and_stops(name: str) -> None:
    """A sample bot survives the loss of its stream, and a snapshot gives it the same decisions again."""
    await plays_alike(python_bot(name))


@pytest.mark.full
@needs_node
async def test_the_node_bot_comes_back_plays_alike_and_stops(node_bot: list[str]) -> None:
    """The bot without a kit does the same."""
    await plays_alike(node_bot)


@pytest.mark.full
@needs_node
@pytest.mark.parametrize(("script", "code", "words"), [(refused, 3, "does not admit"), (replaced, 4, "has taken over")])
async def test_the_node_bot_stops_for_good(script: object, code: int, words: str, node_bot: list[str]) -> None:
    """A refused token and a replaced process have the same exit codes in JavaScript."""
    assert callable(script)
    async with serving(script) as referee, asyncio.timeout(SECONDS):
        process = await start(node_bot, {"ARENA_ADDRESS": referee.address, "ARENA_TOKEN": "t"})
        exit_code, said = await finish(process)
    assert exit_code == code
    assert words in said


@pytest.mark.full
@needs_node
async def test_the_node_bot_follows_invitations(node_bot: list[str]) -> None:
    """It takes the first home that is there, visits with the ticket and its own instance, and says farewell to both."""
    visited, left = asyncio.Event(), asyncio.Event()

    async def host(stream: Stream) -> None:
        await stream.welcome()
        visited.set()
        assert await stream.receive() is None
        left.set()

    async with serving(host) as other, asyncio.timeout(SECONDS):

        async def invite(stream: Stream) -> None:
            await stream.welcome()
            await stream.send(pb.PlayResponse(invite=pb.Invite(address=other.address, ticket="good once")))
            assert await stream.receive() is None

        async with serving(invite) as home:
            addresses = f"127.0.0.1:1, {home.address}"
            settings = {"ARENA_ADDRESS": addresses, "ARENA_TOKEN": "secret", "ARENA_INSTANCE": "one"}
            process = await start(node_bot, settings)
            await visited.wait()
            process.send_signal(signal.SIGTERM)
            exit_code, said = await finish(process)
            await left.wait()
    assert (exit_code, len(home.streams)) == (0, 1)
    assert [(stream.hello.token, stream.hello.instance) for stream in other.streams] == [("good once", "one")]
    assert [stream.hello.token for stream in home.streams] == ["secret"]
    assert "good once" not in said


@pytest.mark.full
async def test_ctrl_c_twice_ends_a_bot_that_thinks_for_ever(tmp_path: Path) -> None:
    """The first signal asks; the second ends the process even inside the author's code."""
    bot = tmp_path / "thinker.py"
    bot.write_text(
        "from hearts_bot import Bot, run\n"
        "class Thinker(Bot):\n"
        "    def play(self, view):\n"
        "        print('thinking', flush=True)\n"
        "        while True: pass\n"
        "run(Thinker)\n"
    )

    async def question(stream: Stream) -> None:
        await stream.welcome()
        await stream.send(pb.PlayResponse(opened=[opened(resolve("standard"), 0, seat=5)]))
        await stream.receive()
        await stream.send(pb.PlayResponse(updates=[ask(5, 1, PLAY, "4C 5C", hand="4C 5C")]))
        await stream.receive()

    async with serving(question) as referee, asyncio.timeout(SECONDS):
        process = await start([sys.executable, str(bot)], {"ARENA_ADDRESS": referee.address, "ARENA_TOKEN": "t"})
        assert process.stdout is not None
        assert process.stderr is not None
        await process.stdout.readline()
        process.send_signal(signal.SIGINT)
        while b"once more" not in await process.stderr.readline():
            pass
        process.send_signal(signal.SIGTERM)
        exit_code, _ = await finish(process)
    assert exit_code == 128 + signal.SIGTERM
