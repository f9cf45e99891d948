"""Serves the files of a folder over HTTP, whole or a range of each, to one connection."""

import os
import re
from contextlib import suppress
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler
from pathlib import Path


class _Requests(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        path = Path(self.translate_path(self.path))
        if asked is None or not path.is_file():
            super().do_GET()
            return
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            first = int(asked[1])
            end = min(int(asked[2]) + 1 if asked[2] else size, size)
            if first >= end:
                self.send_error(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
                return
            self.send_response(HTTPStatus.PARTIAL_CONTENT)
            self.send_header("Content-Range", f"bytes {first}-{end - 1}/{size}")
            self.send_header("Content-Length", str(end - first))
            self.end_headers()
            self.connection.sendfile(file, first, end - first)

    def log_message(self, *_):
        """Say nothing: a request is nothing to read about."""


def serve(folder, connection):
    """Answer the requests of a client until it ends, or has gone."""
    no_server = None
    with suppress(ConnectionError):
        _Requests(connection, ("", 0), no_server, directory=str(folder))
