import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
from modelmon.core.remote import Place, Server, parts_of, place_of, server_of

PATHS = st.text(st.characters(exclude_characters="\0"), max_size=40).map(lambda text: "/" + text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("model.gguf", Place("model.gguf")),
        ("/a/b", Place("/a/b")),
        ("ssh://gpu/models/a.gguf", Place("/models/a.gguf", "ssh://gpu")),
        ("ssh://me@gpu-1.lab:2222/a b", Place("/a b", "ssh://me@gpu-1.lab:2222")),
        ("ssh://[fe80::1%eth0]:22/a", Place("/a", "ssh://[fe80::1%eth0]:22")),
        ("ssh://gpu/~/a.gguf", Place("./a.gguf", "ssh://gpu")),
        ("ssh://gpu/~", Place("./", "ssh://gpu")),
        ("ssh://gpu/~a", Place("/~a", "ssh://gpu")),
        ("ssh://gpu", Place("", "ssh://gpu")),
    ],
)
def test_that_a_reference_names_a_path_and_a_server(text, place):
    assert place_of(text) == place


@given(PATHS)
def test_that_every_path_comes_back_as_it_was(path):
    place = Place(path, "ssh://gpu")
    if not f"{path}/".startswith("/~/"):
        assert place_of(str(place)) == place


@pytest.mark.parametrize(
    "text",
    [
        "ssh://-oProxyCommand=touch$IFS/x/a",
        "ssh:///a",
        "ssh://gpu:99999/a",
        "ssh://gpu;reboot/a",
        "ssh://$(reboot)/a",
        "ssh://me@-l/a",
        "ssh://a b/c",
        "ssh://gpu/a\0b",
        "ssh://gpu\n/a",
    ],
)
def test_that_an_address_that_ssh_would_take_for_something_else_is_refused(text):
    with pytest.raises(ConfigError):
        place_of(text)


def test_that_user_and_port_are_told_apart():
    assert server_of("ssh://me@[::1]:2222") == Server("::1", "me", 2222)


@pytest.mark.parametrize("text", ["ssh://", "ssh://a b/c", "ssh://-x", "/a", ""])
def test_that_any_text_of_a_record_can_be_shown(text):
    path, server = parts_of(text)
    assert server + path == text
