"""A report: what is private is taken out, and nothing of strangers is more than text."""

import getpass
import json
import re
import socket
from html.parser import HTMLParser

import pytest

from modelmon.core.export.items import Code, Mark, Paragraph, Plot, Table
from modelmon.core.export.report import Private, Report, Section, as_markdown
from modelmon.core.export.report_page import as_page
from modelmon.core.messages import Message, changed

EVIL = "</script><img src=x onerror=alert(1)> | [a](http://x) `b` @somebody"


def report(text):
    """One with a text wherever one can be."""
    mark = Mark(text, 0, 5e9, text, 2.0)
    plots = [Plot(kind, text, (mark,), 10e9) for kind in ("bar", "rows", "dots", "curve")]
    table = Table((text, "Time"), ((text, "5.00 s"),), ("", "right"))
    facts = Table((), ((text, text),))
    items = [Paragraph(text, "strong"), *plots, table, facts, Code(text)]
    folded = Section(text, (Paragraph(text),), text)
    return Report(text, (Section(text, tuple(items)), folded), ({"name": text},))


class Reader(HTMLParser):
    """Collects the elements of a page, and what would be loaded."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.addresses, self.text = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        names = ("src", "href", "action", "style", "srcset")
        self.addresses += [value for name, value in attributes if name in names]
        assert not [name for name, _ in attributes if name.startswith("on")]

    def handle_data(self, data):
        self.text.append(data)


def test_that_a_page_loads_nothing_and_shows_names_of_strangers_as_text():
    page = Reader(as_page(report(EVIL)))
    assert page.addresses == ["data:,"]
    assert "img" not in page.tags
    assert "a" not in page.tags
    assert page.tags.count("script") == 1
    data = page.text[page.text.index("\n", page.text.index(EVIL)) :]
    assert [{"name": EVIL}] in [_json(each) for each in data]


def _json(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def test_that_markdown_has_names_of_strangers_as_text():
    text = as_markdown(report(EVIL))
    outside = re.sub(r"^(`{3,})\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"(?<!\\)<(?!/?(details|summary))", outside)
    assert not re.search(r"(?<!\\)\[", outside)
    assert "@somebody" not in outside


def test_that_values_show_where_the_pointer_rests():
    page = as_page(report("5.00 s of 10 s"))
    assert page.count("<title>5.00 s of 10 s</title>") >= 5


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("reads /srv/my models/llama.gguf", "reads …/llama.gguf"),
        ("llama-server -m '/srv/my models/llama.gguf'", "llama-server -m '…/llama.gguf'"),
        ("open /home/anna/.cache/x.bin failed", "open …/x.bin failed"),
        ("ssh://anna@box.example:22/srv/m.gguf", "ssh://…"),
        ("http://models.corp.example/m.gguf", "http://…"),
        ("--host 192.168.1.17 --port 8080", "--host … --port 8080"),
        ("HF_TOKEN=hf_abcdefghijkl serve", "[…] serve"),
        ("~/models/m.gguf", "…/m.gguf"),
        ("nfs4 on /mnt from fileserver:/export/acme, NFS", "nfs4 on /mnt from …, NFS"),
        ("cifs from //nas/team", "cifs from …"),
        # What says nothing of anybody stays.
        ("http://127.0.0.1:8080/health", "http://127.0.0.1:8080/health"),
        ("https://github.com/ggml-org/llama.cpp/pull/20834", None),
        ("3.01 GB/s, 1/2, 0.10.2, 4.5.1 on ext4/vda >/dev/null", None),
        ("listening on 0.0.0.0:8080", None),
    ],
)
def test_that_what_is_private_is_taken_out(text, shown):
    assert Private(["/srv/my models/llama.gguf"])(text) == (text if shown is None else shown)


def test_that_user_and_host_are_taken_out(monkeypatch):
    monkeypatch.setattr(getpass, "getuser", lambda: "anna")
    monkeypatch.setattr(socket, "gethostname", lambda: "box.example")
    hide = Private([])
    assert hide("anna on box.example, box, hannah") == "… on …, …, hannah"
    told = changed(Message("{anna} s, {box} s of anna", anna="3.0", box="box"), hide)
    assert told == "3.0 s, … s of …"
    hidden = report("anna at /srv/anna/models/m.gguf").changed(hide)
    for text in (as_page(hidden), as_markdown(hidden)):
        assert "anna" not in text
