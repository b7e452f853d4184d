"""Where labels stand: on or beside their dots, the most important first, none on another or beyond the paper."""

from __future__ import annotations

from typing import NamedTuple

from nearly.reporting.scene import HEIGHT, WIDTH, Scene

SIZE = 12.0  # points of the letters
_LETTER = 0.58  # the width of a letter as a share of its height
_WITHIN = 1.8  # labels up to this share of a dot's radius stand on it
_MIDDLE = (0, 0, "middle")
_SIDES = ((1, 0, "start"), (-1, 0, "end"), (0, -1, "middle"), (0, 1, "middle"))


class Label(NamedTuple):
    """A text, where it begins, is centred or ends, and the dot it is of."""

    x: float
    y: float
    anchor: str
    text: str
    dot: int


def placed(scene: Scene) -> list[Label]:
    """The labels that have room, in the order of their importance."""
    made: list[Label] = []
    boxes: list[tuple[float, float, float, float]] = []
    for dot, text in scene.labels.items():
        inside = len(text) * SIZE * _LETTER <= _WITHIN * scene.radius[dot]
        for side in (_MIDDLE, *_SIDES) if inside else _SIDES:
            label, box = _at(scene, dot, text, side)
            seen = box[0] >= 0 and box[1] >= 0 and box[2] <= WIDTH and box[3] <= HEIGHT
            if seen and not any(_meet(box, other) for other in boxes):
                made.append(label)
                boxes.append(box)
                break
    return made


def _at(
    scene: Scene, dot: int, text: str, side: tuple[int, int, str]
) -> tuple[Label, tuple[float, float, float, float]]:
    x, y = (float(value) for value in scene.at[dot])
    across, down, anchor = side
    gap, width = float(scene.radius[dot]) + 3, len(text) * SIZE * _LETTER
    x, y = x + across * gap, y + down * (gap + SIZE / 2) + 0.35 * SIZE
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    return Label(x, y, anchor, text, dot), (left, y - SIZE, left + width, y + 0.25 * SIZE)


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
