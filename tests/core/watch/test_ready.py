"""What `--ready` may say."""

import json
import os
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
from modelmon.core.watch.ready import Readiness, ReadyPoller, listens, parse_readiness

SIGNS = ("exit", "output", "listening", "http", "quiet", "asked", "first-token", "tracepoint", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Readiness()),
        ("exit", Readiness("exit")),
        ("listening", Readiness("listening")),
        ("listening:80", Readiness("listening", port=80)),
        ("http:8080/health", Readiness("http", port=8080, path="/health")),
        ("http:8080", Readiness("http", port=8080, path="/")),
        ("http:/health", Readiness("http", path="/health")),
        ("first-token:8080", Readiness("first-token", port=8080)),
        ("quiet", Readiness("quiet")),
        ("quiet:0.5", Readiness("quiet", quiet_s=0.5)),
    ],
)
def test_that_each_sign_is_understood(text, expected):
    assert parse_readiness(text) == expected


def test_that_a_pattern_may_hold_colons():
    pattern = parse_readiness("output:port: [0-9]+").pattern
    assert pattern.search(b"listening on port: 80")


@given(st.sampled_from(SIGNS), st.sampled_from(("", ":")), st.text(max_size=12))
def test_that_whatever_else_is_said_is_refused_with_a_sentence(sign, colon, rest):
    try:
        found = parse_readiness(sign + colon + rest)
    except ConfigError:
        return
    assert found.sign in (*SIGNS[:7], "default")
    assert found.port is None or 0 < found.port < 65536
    assert 0 < found.quiet_s <= 3600
    assert (found.sign in ("output", "asked")) == (found.pattern is not None)


def test_that_a_port_counts_only_where_the_program_itself_listens():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert listens([os.getpid()], port)
        assert listens([os.getpid()], None)
        assert not listens([os.getppid()], port)
        assert not listens([2**22 + 1], port)
    assert not listens([os.getpid()], port)


@pytest.mark.parametrize("sign", ["", "exit", "quiet", "output:ready"])
def test_that_nobody_asks_for_a_port_where_that_is_not_the_sign(sign):
    """A server may listen long before it has loaded."""
    asked = []

    def pids():
        asked.append(None)
        return [os.getpid()]

    with socket.create_server(("127.0.0.1", 0)):
        waiting = ReadyPoller(parse_readiness("listening"), pids)
        others = ReadyPoller(parse_readiness(sign), pids)
        threads = threading.active_count()
        others.start()
        assert threading.active_count() == threads
        waiting.start()
        while waiting.answered_ns is None:
            time.sleep(0.01)
        assert others.answered_ns is None
    assert asked


class OpenAi(BaseHTTPRequestHandler):
    """Answers as llama-server, vLLM and others do; `asked` has the questions."""

    asked: ClassVar[list] = []
    statuses: ClassVar[list] = []

    def do_GET(self):
        self.answer({"data": [{"id": "my model"}]})

    def do_POST(self):
        question = self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append((self.path, json.loads(question)))
        self.answer({"choices": [{"text": "b"}]})

    def answer(self, told):
        self.send_response(self.statuses.pop(0) if self.statuses else 200)
        self.end_headers()
        self.wfile.write(json.dumps(told).encode())

    def log_message(self, *told):
        pass


@pytest.fixture
def poller():
    """One that asks a server of this process for a first token, and what it noted."""
    with HTTPServer(("127.0.0.1", 0), OpenAi) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        OpenAi.asked, OpenAi.statuses, noted = [], [], []
        readiness = parse_readiness(f"first-token:{server.server_port}")
        poller = ReadyPoller(readiness, lambda: [os.getpid()], lambda: noted.append(1))
        yield poller, noted
        poller.stop()
        server.shutdown()


def ended(poller):
    until_s = time.monotonic() + 60
    while poller.answered_ns is None and not poller.refused and time.monotonic() < until_s:
        time.sleep(0.01)
    return poller


def test_that_a_server_is_ready_once_it_gives_a_token(poller):
    poller, noted = poller
    OpenAi.statuses = [503, 200, 503, 200]
    poller.start()
    assert ended(poller).answered_ns is not None
    assert OpenAi.asked[-1] == (
        "/v1/completions",
        {"model": "my model", "prompt": "a", "max_tokens": 1},
    )
    assert noted == [1]


def test_that_a_server_is_asked_where_it_listens_if_nobody_says_where():
    with (
        socket.create_server(("127.0.0.1", 0)),
        HTTPServer(("127.0.0.1", 0), OpenAi) as server,
    ):
        Thread(target=server.serve_forever, daemon=True).start()
        OpenAi.statuses = [503, 200]
        poller = ReadyPoller(parse_readiness("http:/health"), lambda: [os.getpid()])
        poller.start()
        assert ended(poller).answered_ns is not None
        server.shutdown()


def test_that_an_answer_of_any_depth_leaves_it_asked(poller, monkeypatch):
    def deep(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"[" * 10**5)

    poller, _ = poller
    monkeypatch.setattr(OpenAi, "do_GET", deep)
    assert poller._gives_a_token(poller._readiness.port)


@pytest.mark.parametrize("statuses", [[404], [200, 404], [503, 401], [200, 403]])
def test_that_a_program_without_such_an_interface_or_with_a_key_is_asked_no_more(poller, statuses):
    poller, _ = poller
    OpenAi.statuses = statuses
    poller.start()
    assert ended(poller).refused
