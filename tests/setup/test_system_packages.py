import io

import pytest


class _Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def packages(load, programs, monkeypatch):
    """The script for system packages: nobody at the terminal, not in CI, not root."""
    programs.add("apt-get")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    return load("system_packages")


@pytest.mark.parametrize("fails_at", [None, "update", "install"])
def test_that_root_with_nobody_to_ask_installs_if_it_can(packages, programs, monkeypatch, fails_at):
    """An unreachable source of many doesn't end the set-up; an installation that fails does."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    programs.add("apt-get", fails_at=fails_at)
    if fails_at == "install":
        with pytest.raises(packages.SetupError, match="install --yes"):
            packages.provide(["libegl1"], ["xvfb"])
    else:
        packages.provide(["libegl1"], ["xvfb"])
    update, install, *_ = programs.calls
    assert update.endswith(" update")
    assert install.endswith(" install --yes --no-install-recommends libegl1 xvfb")


def test_that_a_user_with_nobody_to_ask_gets_the_exact_line(packages, programs):
    programs.add("sudo")
    with pytest.raises(packages.SetupError, match="missing") as caught:
        packages.provide(["libegl1", "libgl1"])
    assert (
        "\n  sudo apt-get update && sudo apt-get install -y --no-install-recommends libegl1 libgl1"
    ) in str(caught.value)
    assert programs.calls == []


def test_that_ci_installs_where_sudo_asks_nothing(packages, programs, monkeypatch):
    programs.add("sudo")
    monkeypatch.setenv("CI", "true")
    packages.provide(["libegl1"])
    assert programs.calls[0] == "sudo -n true"
    assert programs.calls[-1].startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get")


@pytest.mark.parametrize(("answer", "installs"), [("y\n", True), ("\n", False), ("", False)])
def test_that_someone_at_a_terminal_decides(packages, programs, monkeypatch, answer, installs):
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("sys.stdin", _Terminal(answer))
    if installs:
        packages.provide(["libegl1"])
    else:
        with pytest.raises(packages.SetupError, match="Nothing was installed"):
            packages.provide(["libegl1"])
    assert bool(programs.calls) is installs


def test_that_what_is_only_wanted_never_stops_a_user(packages, programs, capsys):
    packages.provide([], ["xvfb"], "Some tests are left out.")
    said = capsys.readouterr().out
    assert "Some tests are left out." in said
    assert "apt-get install -y --no-install-recommends xvfb" in said
    assert programs.calls == []
