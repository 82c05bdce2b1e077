"""Whatever an agent writes on a line: it is answered, and the program goes on."""

import json
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.program import COMMAND, environment

pytestmark = pytest.mark.long
PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
_CLIENT = b'"capabilities":{},"clientInfo":{"name":"test","version":"1"}'
_BEGIN = (
    b'{"jsonrpc":"2.0","id":"begin","method":"initialize",'
    b'"params":{"protocolVersion":"2025-06-18",%b}}\n'
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}' % _CLIENT
)
_END = b'{"jsonrpc":"2.0","id":"end","method":"ping"}'
_LIMIT = 4_000_000


def answers(
    home: Path, *lines: bytes, arguments: tuple[str, ...] = (), waits_for: int = 0
) -> list[dict[str, Any]]:
    """What is answered to these lines; the program must go on after them, and end with them.

    The input ends at once, or after the answer that is waited for.
    """
    with subprocess.Popen(  # noqa: S603 - our own program
        [*COMMAND, "mcp", *arguments],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n".join([_BEGIN, *lines, b""]))
        process.stdin.flush()
        documents: list[dict[str, Any]] = []
        while waits_for and waits_for not in [each["id"] for each in documents]:
            documents.append(json.loads(process.stdout.readline()))
        output, said = process.communicate(_END, timeout=100)  # the last line has no end
    assert (process.returncode, said) == (0, b"")
    documents += [json.loads(line) for line in output.splitlines()]
    assert {"jsonrpc": "2.0", "id": "end", "result": {}} in documents
    return [each for each in documents if each["id"] not in ("begin", "end")]


def codes(documents: list[dict[str, Any]]) -> list[tuple[Any, int]]:
    return [(each["id"], each["error"]["code"]) for each in documents]


def request(method: str, params: Any = None, number: Any = 1) -> bytes:
    whole = {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}
    return json.dumps(whole).encode()


def test_an_id_that_is_none_is_an_error(home: Path) -> None:
    numbers = (b"null", b"[1]", b"{}", b"true", b"1.5", b"1e999", rb'"\ud83d"')
    lines = [b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % number for number in numbers]
    assert codes(answers(home, *lines)) == [(None, INVALID_REQUEST)] * len(numbers)


def test_what_is_no_message_is_an_error(home: Path) -> None:
    cases = {
        b"no json": PARSE_ERROR,
        b'{"jsonrpc":"2.0","id":1,': PARSE_ERROR,
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}}': PARSE_ERROR,
        b'{"jsonrpc":"2.0","id":1,"method":"\xff"}': PARSE_ERROR,
        b"[" * 200_000: PARSE_ERROR,
        b'{"a":' * 200_000: PARSE_ERROR,
        b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % (b"9" * 5_000): PARSE_ERROR,
        b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}': PARSE_ERROR,
        b"5": INVALID_REQUEST,
        b"null": INVALID_REQUEST,
        b"[]": INVALID_REQUEST,
        b"[%b]" % _END: INVALID_REQUEST,
        b'{"method":"notifications/initialized"}': INVALID_REQUEST,
        b'{"jsonrpc":"2.0","method":5}': INVALID_REQUEST,
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}': INVALID_REQUEST,
        b'{"jsonrpc":"2.0","id":[],"result":{}}': INVALID_REQUEST,
    }
    assert codes(answers(home, *cases)) == [(None, code) for code in cases.values()]


def test_an_error_has_the_id_of_its_request_where_that_is_known(home: Path) -> None:
    nested = b"[" * 900 + b"]" * 900
    lines = (
        rb'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"half \ud83d"}}',
        rb'{"jsonrpc":"2.0","id":"5","method":"ping","\udc00":1}',
        b'{"jsonrpc":"1.0","id":6,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}',
        b'{"jsonrpc":"2.0","id":8,"method":null}',
        b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":%b}}' % nested,
    )
    told = codes(answers(home, *lines))
    assert told == [(number, INVALID_REQUEST) for number in (4, "5", 6, 7, 8, 9)]


def test_the_shared_case_of_half_a_pair_is_answered(home: Path) -> None:
    line = request("tools/call", {"name": "boards", "arguments": {"x": "half \ud83d"}}, 4)
    assert codes(answers(home, line)) == [(4, INVALID_REQUEST)]


def test_what_needs_no_answer_has_none(home: Path) -> None:
    cancelled = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":%b}'
    parameters = (b'{"requestId":[1]}', b'{"requestId":{}}', b'{"requestId":null}', b"{}", b"null")
    lines = [cancelled % each for each in parameters]
    lines += [b"", b"  \t ", b"\r", b'{"jsonrpc":"2.0","id":9,"result":{}}']
    lines += [b'{"jsonrpc":"2.0","method":"notifications/none","params":{}}']
    assert answers(home, *lines) == []


def test_a_line_has_a_limit(home: Path) -> None:
    head, tail = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"', b'"}}'
    longest = head + b"a" * (_LIMIT - len(head) - len(tail)) + tail
    longer = longest.replace(b'"}}', b'a"}}')
    (told,) = answers(home, longer)
    assert (told["id"], told["error"]["code"]) == (None, INVALID_REQUEST)
    assert told["error"]["message"] == "The line is longer than 4,000,000 bytes."
    # A request is answered when it is done, in any order; a line that is none, at once.
    replies = {reply["id"]: reply for reply in answers(home, longest, longer, b"x" * 9_000_000)}
    assert replies[1]["result"] == {}


def test_requests_of_one_id_are_answered_each(home: Path) -> None:
    told = answers(home, *[request("tools/list", number="same")] * 3)
    assert [each["id"] for each in told] == ["same"] * 3


def test_wrong_parameters_are_answered_with_words(home: Path) -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("resources/read", {"uri": "callboard://[::1/1"}, "There is no resource “callboard://[::"),
        ("resources/read", {"uri": "callboard://card/" + "9" * 5_000}, "There is no resource “"),
        ("resources/read", {"uri": "callboard://card/١"}, "There is no resource “"),
        ("resources/read", {"uri": "callboard://card/2?start=" + "9" * 5_000}, "“start” must be"),
        (
            "resources/read",
            {"uri": "callboard://card/2?x=1"},
            "“x” is not an argument of this tool.",
        ),
        ("resources/list", {"cursor": "9" * 5_000}, "“9999"),
        ("resources/list", {"cursor": "-1"}, "“-1” is not a cursor of this list."),
        ("prompts/get", {"name": "haiku"}, "There is no prompt “haiku”."),
        ("prompts/get", {"name": "x" * 9_000}, "There is no prompt “xxx"),
    ]
    lines = [request(method, given, number) for number, (method, given, _) in enumerate(cases)]
    told = {each["id"]: each["error"] for each in answers(home, *lines)}
    for number, (_, _, words) in enumerate(cases):
        assert told[number]["code"] == INVALID_PARAMS
        assert told[number]["message"].startswith(words)
        assert len(told[number]["message"]) < 500
    assert not [*home.rglob("crash.log")]


def test_a_tool_without_arguments_says_so(home: Path) -> None:
    call = request("tools/call", {"name": "overview", "arguments": {"x": 1}})
    (told,) = answers(home, call, arguments=("--board", "platform"))
    (content,) = told["result"]["content"]
    assert content["text"] == "“x” is not an argument of this tool. There are none."


def test_an_add_that_is_stopped_says_what_was_added(home: Path) -> None:
    titles = [f"Line {number}" for number in range(500)]
    call = request(
        "tools/call",
        {"name": "add", "arguments": {"title": "\n".join(titles), "board": "platform"}},
    )
    with subprocess.Popen(  # noqa: S603 - our own program
        [*COMMAND, "mcp"],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"\n".join([_BEGIN, call, b""]))
        process.stdin.flush()
        wait_for_batches(home, 2)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=60)
    told = json.loads(output.splitlines()[-1])["result"]
    words = told["content"][0]["text"]
    assert told["isError"]
    found = re.fullmatch(
        r"Only (\d+) of 500 cards were added, up to “Line (\d+)”: the server was ended\."
        r" The same call adds the rest\.",
        words,
    )
    assert found
    count = int(found[1])
    assert count == int(found[2]) + 1
    look = request("tools/call", {"name": "boards"}, "look")
    first, *others = answers(home, look, look, call, waits_for=1)
    assert f"{count} of 500 cards were added, up to “Line {count - 1}” by a call" in str(first)
    assert "interrupted" not in str(others[0])
    assert f"{count} of 500 cards were added by a call that was interrupted" in str(others[1])
    assert f"added {500 - count} cards" in str(others[1])
    found_all = answers(
        home,
        request(
            "tools/call", {"name": "tasks", "arguments": {"query": "line", "boards": ["platform"]}}
        ),
    )
    assert '"total":500' in json.dumps(found_all).replace("\\", "")


def test_an_add_that_is_killed_says_so_afterwards(home: Path) -> None:
    titles = "\n".join(f"Line {number}" for number in range(500))
    call = request(
        "tools/call", {"name": "add", "arguments": {"title": titles, "board": "platform"}}
    )
    with subprocess.Popen(  # noqa: S603 - our own program
        [*COMMAND, "mcp"],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(b"\n".join([_BEGIN, call, b""]))
        process.stdin.flush()
        wait_for_batches(home, 3)
        process.kill()
    look = request("tools/call", {"name": "overview", "arguments": {"board": "platform"}})
    (told,) = answers(home, look)
    text = json.loads(told["result"]["content"][0]["text"])
    assert re.match(r"1[05]0 of 500 cards were added, up to “Line 1?[49]9”", text["interrupted"])


def wait_for_batches(home: Path, count: int) -> None:
    """Wait until so many batches of an add are begun."""
    deadline = time.monotonic() + 100
    while sum(note.read_bytes().count(b"[") for note in home.rglob("adding-*")) < count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_an_agent_that_is_gone_ends_it_quietly(home: Path) -> None:
    with subprocess.Popen(  # noqa: S603 - our own program
        [*COMMAND, "mcp"],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(_BEGIN + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(request("tools/list") + b"\n" + request("ping", number=2) + b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1
