"""A server that speaks as much of Ollama's API as loads and unloads a model; standard library only.

    ollama serve STORE NOTES PYTHON

It listens at a port of its own choice, which it leaves in NOTES, and loads in a process below it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

SCRIPT = str(Path(__file__).with_name("somebodys_program.py"))


class Ollama(BaseHTTPRequestHandler):
    """One model at a time."""

    runner: subprocess.Popen[bytes] | None = None
    other: subprocess.Popen[bytes] | None = None
    makes_room = False

    def do_POST(self):
        """`/api/generate` without a prompt: loads, or unloads what is to be kept for no time."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with (notes / "requests").open("a") as asked:
            asked.write(f"{self.path} {json.dumps(body)}\n")
        if body["model"] in ("large", "passing"):
            self.hold()
            Ollama.makes_room = body["model"] == "passing"
        blob = self.blob(body["model"])
        if blob is None:
            self.answer(404, {"error": f"model '{body['model']}' not found"})
            return
        unloads = body.get("keep_alive") == 0
        if unloads:
            self.end()
        elif Ollama.runner is None:
            self.run(blob, mapped=body.get("options", {}).get("use_mmap", True))
        reason = "unload" if unloads else "load"
        self.answer(200, {"response": "", "done": True, "done_reason": reason})

    def blob(self, name):
        model, _, tag = name.partition(":")
        manifest = store / "manifests/registry.ollama.ai/library" / model / (tag or "latest")
        if not manifest.exists():
            return None
        digest = json.loads(manifest.read_text())["layers"][0]["digest"]
        return store / "blobs" / digest.replace(":", "-")

    def run(self, blob, *, mapped):
        """A process that has the model when its note is there."""
        if Ollama.makes_room and Ollama.other is not None:
            with Ollama.other as other:
                other.kill()
        deed = "mmap-and-tell" if mapped else "read-and-tell"
        command = [python, "-S", SCRIPT, deed, str(blob), str(notes)]
        Ollama.runner = subprocess.Popen(command, stdout=subprocess.PIPE)
        Ollama.runner.stdout.readline()

    def hold(self):
        """A process that has another model already, in memory of its own."""
        code = "model = open('/dev/zero', 'rb', 0).read(256 << 20); print(flush=True); input()"
        pipe = subprocess.PIPE
        # It stays until the server ends, or makes room for the next.
        Ollama.other = subprocess.Popen([python, "-S", "-c", code], stdin=pipe, stdout=pipe)
        Ollama.other.stdout.readline()

    def end(self):
        if Ollama.runner is not None:
            with Ollama.runner as runner:
                runner.kill()
        Ollama.runner = None

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Nobody reads it."""


if __name__ == "__main__":
    store, notes, python = map(Path, sys.argv[1:])
    (notes / f"{os.getpid()}.pid").touch()
    with HTTPServer(("127.0.0.1", 0), Ollama) as server:
        (notes / "port.part").write_text(str(server.server_port))
        (notes / "port.part").rename(notes / "port")
        server.serve_forever()
