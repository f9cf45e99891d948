from __future__ import annotations

from modelmon.gui.panels.plot_row import Following


def test_that_the_last_ten_seconds_are_followed_once_there_are_as_many() -> None:
    following = Following()
    following.start(None)
    assert following.on
    assert following.view(4.0) is None
    assert following.view(25.0) == (15.0, 25.0)


def test_that_a_view_that_was_zoomed_keeps_its_width() -> None:
    following = Following()
    following.start((2.0, 5.0))
    assert following.view(30.0) == (27.0, 30.0)


def test_that_zooming_changes_the_width_and_moving_ends_it() -> None:
    following = Following()
    following.start((2.0, 6.0))
    following.on_user_view(3.0, 5.0)
    assert following.on
    assert following.view(30.0) == (28.0, 30.0)
    following.on_user_view(20.0, 22.0)
    assert not following.on
