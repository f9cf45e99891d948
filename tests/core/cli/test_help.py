"""`--help` is short: a line for each command and option, in groups that a person looks for."""

import re

import click
import pytest

from modelmon.core.cli.main import GROUPS, cli

MOST_LETTERS, MOST_WORDS, MOST_CHOICES = 45, 12, 6


def commands(command=cli, context=None, name="modelmon"):
    """Each command that a help shows, by its words."""
    context = context or click.Context(cli, **cli.context_settings)
    if command is not cli:
        yield name, command
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            each = command.get_command(context, word)
            if not each.hidden:
                yield from commands(each, context, f"{name} {word}")


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_that_a_command_is_one_short_line(name):
    line = COMMANDS[name].help.partition("\n\n")[0].replace("\n", " ")
    assert len(line) <= MOST_LETTERS
    assert line.endswith(".")
    # As the list of commands shows it.
    assert COMMANDS[name].get_short_help_str() == line


@pytest.mark.parametrize("name", COMMANDS)
def test_that_an_option_has_a_short_help_and_few_choices(name):
    options = [each for each in COMMANDS[name].params if isinstance(each, click.Option)]
    for option in options:
        text = re.sub(r"\[(default|\d).*", "", option.help or "")
        assert option.help, option.opts
        assert len(text.split()) <= MOST_WORDS, text
        if isinstance(option.type, click.Choice) and len(option.type.choices) > MOST_CHOICES:
            assert option.metavar in {"NAME", "COLUMN"}, option.opts


@pytest.mark.parametrize("name", COMMANDS)
def test_that_a_default_is_shown_once(name):
    context = click.Context(COMMANDS[name], **cli.context_settings)
    records = [each.get_help_record(context) for each in COMMANDS[name].params]
    for option, text in filter(None, records):
        assert text.count("default:") <= 1, (option, text)


def test_that_the_help_has_four_groups_in_the_order_of_use():
    context = click.Context(cli, info_name="modelmon", **cli.context_settings)
    shown = cli.get_help(context)
    assert list(GROUPS) == re.findall(r"^(\w+):$", shown, re.MULTILINE)[1:]
    assert "..." not in shown.replace("[ARGS]...", "")
    for names in GROUPS.values():
        for name in names:
            assert re.search(rf"^  {name} ", shown, re.MULTILINE)
