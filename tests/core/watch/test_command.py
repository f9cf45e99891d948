"""What `--ready` may say."""

import os
import socket
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
from modelmon.core.watch.command import Readiness, ReadyPoller, listens, parse_readiness

SIGNS = ("exit", "output", "listening", "http", "quiet", "asked", "tracepoint", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Readiness()),
        ("exit", Readiness("exit")),
        ("listening", Readiness("listening")),
        ("listening:80", Readiness("listening", port=80)),
        ("http:8080/health", Readiness("http", port=8080, path="/health")),
        ("http:8080", Readiness("http", port=8080, path="/")),
        ("quiet", Readiness("quiet")),
        ("quiet:0.5", Readiness("quiet", quiet_s=0.5)),
    ],
)
def test_that_each_sign_is_understood(text, expected):
    assert parse_readiness(text) == expected


def test_that_a_pattern_may_hold_colons():
    pattern = parse_readiness("output:port: [0-9]+").pattern
    assert pattern is not None
    assert pattern.search(b"listening on port: 80")


@given(st.sampled_from(SIGNS), st.sampled_from(("", ":")), st.text(max_size=12))
def test_that_whatever_else_is_said_is_refused_with_a_sentence(sign, colon, rest):
    try:
        found = parse_readiness(sign + colon + rest)
    except ConfigError:
        return
    assert found.sign in (*SIGNS[:6], "default")
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
