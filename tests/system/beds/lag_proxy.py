"""A line of known round trip and bandwidth, between clients and servers on this machine."""

import queue
import socket
import threading
import time
from contextlib import suppress

_PIECE_BYTES = 128 * 1024
# What the line may catch up where a thread woke too late, so that its bandwidth is as asked.
_SLACK_S = 0.005


class Line:
    """What a client says arrives after a round trip, as much at once as it likes; the answers
    of all connections share the bandwidth.
    """

    def __init__(self, round_trip_s, bytes_per_s):
        self._round_trip_s = round_trip_s
        self._bytes_per_s = bytes_per_s
        self._free_s = 0.0
        self._lock = threading.Lock()

    def connect(self, client, serve):
        """Give the client a `serve` of its own at the other end; returns at once."""
        near, far = socket.socketpair()
        requests = queue.SimpleQueue()
        for work, given in (
            (self._take, (client, requests)),
            (self._deliver, (requests, near)),
            (self._answer, (near, client)),
        ):
            threading.Thread(target=work, args=given, daemon=True).start()
        # This process outlives its servers: they end when their clients do.
        threading.Thread(target=_serve, args=(serve, far)).start()

    def _take(self, client, requests):
        data = b"-"
        while data:
            try:
                data = client.recv(_PIECE_BYTES)
            except OSError:
                data = b""
            requests.put((time.monotonic() + self._round_trip_s, data))

    def _deliver(self, requests, server):
        # A server that has gone needs no more.
        with suppress(OSError):
            while True:
                due_s, data = requests.get()
                time.sleep(max(0.0, due_s - time.monotonic()))
                if not data:
                    break
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)

    def _answer(self, server, client):
        with server, client:
            # A client that has gone reads no more of what it asked for.
            with suppress(OSError):
                while data := server.recv(_PIECE_BYTES):
                    time.sleep(max(0.0, self._carried_s(len(data)) - time.monotonic()))
                    client.sendall(data)
            # Whoever still waits for one of the two is to notice.
            for one in (server, client):
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def _carried_s(self, nbytes):
        """When the line has carried so much more."""
        with self._lock:
            begin_s = max(self._free_s, time.monotonic() - _SLACK_S)
            self._free_s = begin_s + nbytes / self._bytes_per_s
            return self._free_s


def _serve(serve, connection):
    with connection:
        serve(connection)
