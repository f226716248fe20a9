"""The small images that references are made of: premultiplied RGBA, 8 bits a channel, as arrays of rows."""
import colorsys

import numpy as np


def noise(count, seed):
    """Bytes that are the same with every version of NumPy."""
    state, result = seed, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        result.append(state >> 56)
    return np.array(result, np.uint8)


def premultiplied(straight):
    """Straight RGBA8 times alpha, rounded to nearest."""
    straight = np.asarray(straight, np.float64)
    result = straight.copy()
    result[..., :3] = np.floor(straight[..., :3] * straight[..., 3:] / 255 + 0.5)
    return result.astype(np.uint8)


def _colors():
    """Ramps of gray, red, green and blue, circles of hues, near black, near white, noise: 16 x 12, opaque."""
    image = np.zeros((12, 16, 4), np.uint8)
    image[..., 3] = 255
    for x in range(16):
        image[0, x, :3] = x * 17
        for channel in range(3):
            image[1 + channel, x, channel] = x * 17
        for row, saturation, value in ((4, 1, 1), (5, 1, 0.5), (6, 0.5, 1), (7, 0.25, 0.6)):
            image[row, x, :3] = [round(c * 255) for c in colorsys.hsv_to_rgb(x / 16, saturation, value)]
        image[8, x, :3] = x * 2, x, x * 3
        image[9, x, :3] = 255 - x * 2, 255 - x, 255 - x * 3
    image[10:, :, :3] = noise(2 * 16 * 3, 1).reshape(2, 16, 3)
    return image


def _glass():
    """The colors with every kind of alpha, which goes by columns."""
    image = COLORS.copy()
    image[..., 3] = [255, 0, 128, 1, 254, 64, 200, 10, 255, 32, 100, 2, 180, 230, 50, 127]
    return premultiplied(image)


def _scene():
    """A slope of light with a dark bar, a disc, and single bright dots: 24 x 16, opaque."""
    y, x = np.mgrid[0:16, 0:24].astype(float)
    image = np.stack([40 + 7 * x, 200 - 9 * y, 60 + 3 * x + 6 * y, np.full_like(x, 255)], axis=-1)
    image[:, 5:8, :3] = 20, 30, 25
    image[np.hypot(x - 16, y - 7) < 5.2, :3] = 240, 60, 30
    for dx, dy in ((2, 3), (11, 12), (21, 2), (0, 15), (23, 15)):
        image[dy, dx, :3] = 255
    return image.round().astype(np.uint8)


def _leaf():
    """The scene where a soft disc lets it through: 24 x 16, transparent around."""
    y, x = np.mgrid[0:16, 0:24].astype(float)
    image = SCENE.copy()
    image[..., 3] = np.clip((8.5 - np.hypot((x - 10) * 0.8, y - 8)) / 3, 0, 1) * 255
    image[:2, 20:, 3] = 90
    return premultiplied(image)


def _behind():
    """The colors turned round, with alpha by rows."""
    image = COLORS[::-1, ::-1].copy()
    image[..., 3] = np.array([255, 200, 255, 128, 60, 0, 255, 3, 90, 255, 170, 230])[:, None]
    return premultiplied(image)


def _mask():
    """A ramp of grays and two colors: 16 x 12, opaque."""
    image = np.zeros((12, 16, 4), np.uint8)
    image[...] = (np.arange(16) * 17)[None, :, None]
    image[4] = 255, 0, 0, 0
    image[8] = 0, 90, 255, 0
    image[..., 3] = 255
    return image


def _noise(seed, alpha):
    """Pixels that differ from all others: 19 x 13."""
    image = noise(13 * 19 * 4, seed).reshape(13, 19, 4)
    image[..., 3] |= alpha
    return premultiplied(image)


def _gradient():
    """Nine colors in a row of three that are alike, the last ones half transparent."""
    stops = [(10, 0, 40), (60, 0, 90), (140, 20, 80), (200, 60, 40), (250, 120, 10), (255, 190, 50), (240, 240, 120)]
    row = [stop + (255,) for stop in stops] + [(250, 250, 250, 128), (255, 255, 255, 200)]
    return premultiplied([row] * 3)


def _postcard():
    """Sky, sun, a hill with a house, and a soft upper right corner: 32 x 24, what golden images are made of."""
    y, x = np.mgrid[0:24, 0:32].astype(float)
    image = np.stack([90 + 5 * y, 140 + 4 * y, 235 - 2 * y, np.full_like(x, 255)], axis=-1)
    image[np.hypot(x - 8, y - 6) < 3.7, :3] = 255, 225, 90
    hill = y > 15 - 4 * np.sin(x / 6)
    image[hill] = np.stack([40 + 2 * x, 130 - 3 * (y - 12), 30 + x, np.full_like(x, 255)], axis=-1)[hill]
    image[13:20, 17:25, :3] = 200, 60, 45
    image[15:20, 19:21, :3] = 20, 15, 30
    image[14:16, 22:24, :3] = 250, 250, 240
    image[22, ::3, :3] = 255
    image[..., 3] = np.clip((np.hypot(x - 33, y + 2) - 5) * 40, 0, 255)
    return premultiplied(image.round())


def _backdrop():
    """Hues across, from dark to light down, with a transparent band: 32 x 24, what lies behind the postcard."""
    image = np.zeros((24, 32, 4), np.uint8)
    for y in range(24):
        for x in range(32):
            image[y, x, :3] = [round(c * 255) for c in colorsys.hsv_to_rgb(x / 32, 1 - y / 48, (y + 1) / 24)]
    image[..., 3] = 255
    image[17:19, :, 3] = np.arange(32) * 8
    return premultiplied(image)


COLORS = _colors()
GLASS = _glass()
SCENE = _scene()
LEAF = _leaf()
BEHIND = _behind()
MASK = _mask()

ALL = {
    "colors": COLORS,
    "glass": GLASS,
    "scene": SCENE,
    "leaf": LEAF,
    "behind": BEHIND,
    "reverse": COLORS[::-1, ::-1].copy(),
    "grain": _noise(2, 255),
    "mist": _noise(3, 0),
    "postcard": _postcard(),
    "backdrop": _backdrop(),
    "mask": MASK,
    "gradient": _gradient(),
    "patch": premultiplied(np.dstack([noise(9 * 7 * 3, 5).reshape(7, 9, 3), np.full((7, 9), 220, np.uint8)])),
}
