"""What `--ready` may say."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.system.needs import on_linux

from modelmon.core.errors import ConfigError
from modelmon.core.watch.ready import (
    Readiness,
    ReadyPoller,
    _Place,
    listens,
    parse_readiness,
)

pytestmark = on_linux

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


@pytest.mark.parametrize("host", ["::1", "::", "127.0.0.2", "0.0.0.0"])
def test_that_a_server_is_asked_at_the_address_where_it_listens(host):
    class Server(HTTPServer):
        address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

    try:
        server = Server((host, 0), OpenAi)
    except OSError as error:
        pytest.skip(str(error))
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        sign = parse_readiness(f"http:{server.server_port}/health")
        poller = ReadyPoller(sign, lambda: [os.getppid(), os.getpid()])
        poller.start()
        assert ended(poller).answered_ns is not None
        server.shutdown()


IN_A_NETWORK_OF_ITS_OWN = """
import ctypes, fcntl, os, socket, struct
from http.server import HTTPServer, SimpleHTTPRequestHandler

if ctypes.CDLL(None).unshare(0x40000000):
    raise SystemExit("unshare is refused")
with socket.socket() as made:
    fcntl.ioctl(made, 0x8914, struct.pack("16sh22x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
server = HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)
print(server.server_port, flush=True)
server.serve_forever()
"""


@pytest.mark.parametrize("sign", ["listening:{}", "http:{}/"])
def test_that_a_server_in_a_network_of_its_own_is_seen_and_asked_there(tmp_path, sign):
    command = [sys.executable, "-c", IN_A_NETWORK_OF_ITS_OWN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as server:
        port = server.stdout.readline().strip()
        if not port:
            pytest.skip("no network can be made here")
        poller = ReadyPoller(parse_readiness(sign.format(port)), lambda: [server.pid])
        poller.start()
        answered_ns = ended(poller).answered_ns
        poller.stop()
        server.kill()
    assert answered_ns is not None


def test_that_an_answer_of_any_depth_leaves_it_asked(poller, monkeypatch):
    def deep(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"[" * 10**5)

    poller, _ = poller
    monkeypatch.setattr(OpenAi, "do_GET", deep)
    place = (os.getpid(), "127.0.0.1", poller._readiness.port)
    assert poller._gives_a_token(_Place(*place))


@pytest.mark.parametrize("statuses", [[404], [200, 404], [503, 401], [200, 403]])
def test_that_a_program_without_such_an_interface_or_with_a_key_is_asked_no_more(poller, statuses):
    poller, _ = poller
    OpenAi.statuses = statuses
    poller.start()
    assert ended(poller).refused
