"""A, B and further runs are told apart by everybody, whatever cones their eyes lack."""

from itertools import combinations

import numpy as np
import pytest

from modelmon.gui.widgets.theme import DARK, LIGHT

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency", 2009: what is seen of linear red, green and blue, at full severity.
EYES = {
    "all cones": np.eye(3),
    "no long cones": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "no medium cones": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "no short cones": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
) / np.array([[0.95047], [1.0], [1.08883]])
# CIE 1976 distances: 2.3 can just be noticed side by side; thin lines apart need several times it.
ARMS_APART = 50.0
RUNS_APART = 15.0


def seen(colour, eye):
    """L*, a* and b* of a colour as an eye sees it."""
    channels = np.array(colour.getRgbF()[:3])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    x, y, z = TO_XYZ @ np.clip(EYES[eye] @ linear, 0.0, 1.0)
    fx, fy, fz = (np.cbrt(v) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def apart(one, other, eye):
    return float(np.linalg.norm(seen(one, eye) - seen(other, eye)))


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_arms_and_further_runs_are_told_apart_by_colour(theme, eye):
    assert apart(theme.a, theme.b, eye) >= ARMS_APART
    close = [
        (one.name(), other.name(), round(apart(one, other, eye), 1))
        for one, other in combinations(theme.overlays, 2)
        if apart(one, other, eye) < RUNS_APART
    ]
    assert close == []
