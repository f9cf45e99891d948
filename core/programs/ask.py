"""Asks a program on this machine to load a model, says when it has, and to unload it at the end.

`python ask.py PORT PATH LOAD UNLOAD [NAME=VALUE]...` posts the JSON text LOAD, with settings such
as `options.use_mmap=false` in it, prints that the model is loaded when that is answered, waits to
be ended, and posts UNLOAD. It imports nothing of modelmon, and little else: all of it is timed.
"""

from __future__ import annotations

import json
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_LOOPBACK = "127.0.0.1"
_READ_BYTES = 1 << 16
_MOST_BYTES = 1 << 20
_OK = b"200"


def with_settings(body: dict[str, Any], settings: Iterable[str]) -> dict[str, Any]:
    """The body of a request with these settings in it, whose values are JSON."""
    for setting in settings:
        names, _, value = setting.partition("=")
        *outer, last = names.split(".")
        place = body
        for name in outer:
            place = place.setdefault(name, {})
        place[last] = json.loads(value)
    return body


def post(port: int, path: str, body: dict[str, Any]) -> None:
    """Ask, and wait for the answer; ends this process where it is not that all is well."""
    text = json.dumps(body).encode()
    # The answer to 1.0 comes in one piece, and ends with the connection.
    head = f"POST {path} HTTP/1.0\r\nHost: {_LOOPBACK}:{port}\r\nContent-Type: application/json\r\n"
    try:
        with socket.create_connection((_LOOPBACK, port)) as connection:
            connection.sendall(f"{head}Content-Length: {len(text)}\r\n\r\n".encode() + text)
            answer = b""
            while len(answer) < _MOST_BYTES and (data := connection.recv(_READ_BYTES)):
                answer += data
    except OSError as error:
        sys.exit(f"http://{_LOOPBACK}:{port}{path}: {error.strerror or error}")
    status, _, said = answer.partition(b"\r\n\r\n")
    if status.split()[1:2] != [_OK]:
        sys.exit(said.decode(errors="replace").strip() or "no answer")


def main() -> None:
    """Ask what the command line says."""
    port, path, load, unload, *settings = sys.argv[1:]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        post(int(port), path, with_settings(json.loads(load), settings))
        sys.stdout.write("modelmon: loaded\n")
        sys.stdout.flush()
        signal.pause()
    except KeyboardInterrupt:
        post(int(port), path, json.loads(unload))


if __name__ == "__main__":
    main()
