"""Halftones and cells. Places count from the lower left, in pixels; the middle of a pixel there is 0.5, 0.5."""
import math

import numpy as np

import color
import fixture


def places(image):
    """The middle of each pixel, x and y."""
    y, x = np.mgrid[0:image.shape[0], 0:image.shape[1]] + 0.5
    return x, image.shape[0] - y


# Halftones -------------------------------------------------------------------------------------------------------

def zigzag(t):
    return np.abs(2 * (t % 1) - 1)


def line(u, v):
    return zigzag(v)


def dot(u, v):
    m = (zigzag(u) + zigzag(v)) / 2
    return np.where(m < 0.5, 2 * m**2, 1 - 2 * (1 - m) ** 2)


def hatch(u, v):
    return np.maximum(zigzag(u), zigzag(v)) ** 2


def ring(u, v):
    return zigzag(np.hypot(u, v))


def screened(image, tone, threshold, inputCenter, inputWidth, inputSharpness, angle):
    x, y = places(image)
    dx, dy = (x - inputCenter[0]) / inputWidth, (y - inputCenter[1]) / inputWidth
    u, v = dx * math.cos(angle) + dy * math.sin(angle), dy * math.cos(angle) - dx * math.sin(angle)
    w = max(1 - inputSharpness, 1 / 256)
    return np.clip((tone * (1 + w) - threshold(u, v)) / w, 0, 1)


def halftone(threshold):
    def apply(image, inputCenter=(150, 150), inputWidth=6, inputSharpness=0.7, inputAngle=0):
        c, a = color.straight(image)
        gray = screened(
            image, color.luminance(c)[..., 0], threshold, inputCenter, inputWidth, inputSharpness, inputAngle)
        return color.premultiplied(gray[..., None].repeat(3, -1), a)
    return apply


def cmyk(image, inputCenter=(150, 150), inputWidth=6, inputSharpness=0.7, inputAngle=0, inputGCR=1, inputUCR=0.5):
    c, a = color.straight(image)
    inks = 1 - c
    black = inks.min(axis=-1) * inputGCR
    inks = np.clip(inks - (black * inputUCR)[..., None], 0, 1)
    shares = [screened(image, tone, dot, inputCenter, inputWidth, inputSharpness, inputAngle + math.radians(turn))
              for tone, turn in ((inks[..., 0], 15), (inks[..., 1], 75), (inks[..., 2], 0), (black, 45))]
    passed = (1 - np.stack(shares[:3], axis=-1)) * (1 - shares[3])[..., None]
    return color.premultiplied(passed, a)


# Cells -----------------------------------------------------------------------------------------------------------

def means(image, labels):
    """Each pixel as the mean of those with its label."""
    result = np.zeros(image.shape)
    for label in np.unique(labels):
        result[labels == label] = image[labels == label].mean(axis=0)
    return result


def nearest(image, seeds):
    """For each pixel which of the seeds is nearest, and how far it is."""
    x, y = places(image)
    distances = np.stack([np.hypot(x - sx, y - sy) for sx, sy in seeds])
    return distances.argmin(axis=0), distances.min(axis=0)


def hexagons(image, inputCenter=(150, 150), inputScale=8):
    """Hexagons are what is nearest to the points of a lattice of triangles."""
    reach = range(-60, 61)
    seeds = [(inputCenter[0] + math.sqrt(3) * inputScale * (q + r / 2), inputCenter[1] + 1.5 * inputScale * r)
             for q in reach for r in reach]
    height, width = image.shape[:2]
    far = 3 * inputScale
    seeds = [s for s in seeds if -far < s[0] < width + far and -far < s[1] < height + far]
    return means(image, nearest(image, seeds)[0])


def noise(x, y):
    """Wellons' lowbias32 of a place, as two numbers from 0 to 1."""
    bits = (x * 0x9E3779B9 + y * 0x85EBCA6B) % 2**32
    bits = ((bits ^ bits >> 16) * 0x7FEB352D) % 2**32
    bits = ((bits ^ bits >> 15) * 0x846CA68B) % 2**32
    bits ^= bits >> 16
    return bits % 65536 / 65536, (bits >> 16) / 65536


def scattered(image, inputCenter, inputRadius):
    side, seeds = 2 * inputRadius, []
    for i in range(-30, 31):
        for j in range(-30, 31):
            n, m = noise(i, j)
            seeds.append((inputCenter[0] + side * (i + 0.5 + 0.8 * (n - 0.5)),
                          inputCenter[1] + side * (j + 0.5 + 0.8 * (m - 0.5))))
    return nearest(image, seeds)


def crystallize(image, inputRadius=20, inputCenter=(150, 150)):
    return means(image, scattered(image, inputCenter, inputRadius)[0])


def pointillize(image, inputRadius=20, inputCenter=(150, 150)):
    labels, distances = scattered(image, inputCenter, inputRadius)
    result = means(image, labels)
    return np.where((distances <= inputRadius)[..., None], result, result[..., 3:])


# The cases -------------------------------------------------------------------------------------------------------

CENTER, ASIDE = [13.1, 7.3], [8.2, 9.3]
SCREENS = [{"inputCenter": CENTER, "inputWidth": 4.7, "inputAngle": 0.5},
           {"inputCenter": ASIDE, "inputWidth": 6, "inputAngle": -1.2, "inputSharpness": 0.3}]

FILTERS = [
    ("CILineScreen", halftone(line), SCREENS, 1),
    ("CIDotScreen", halftone(dot), SCREENS, 1),
    ("CIHatchedScreen", halftone(hatch), SCREENS, 1),
    ("CICircularScreen", halftone(ring), [
        {"inputCenter": CENTER, "inputWidth": 4.7}, {"inputCenter": ASIDE, "inputSharpness": 0.3}], 1),
    ("CICMYKHalftone", cmyk, [SCREENS[0], SCREENS[1] | {"inputGCR": 0.6, "inputUCR": 0.9}], 1),
    ("CIHexagonalPixellate", hexagons, [
        {"inputCenter": CENTER, "inputScale": 2.6}, {"inputCenter": ASIDE, "inputScale": 4}], 1),
    ("CICrystallize", crystallize, [
        {"inputCenter": CENTER, "inputRadius": 2.2}, {"inputCenter": ASIDE, "inputRadius": 4}], 1),
    ("CIPointillize", pointillize, [
        {"inputCenter": CENTER, "inputRadius": 2.2}, {"inputCenter": ASIDE, "inputRadius": 3}], 1),
]

# Screens as sharp as can be, and soft ones wider than half of the image; cells larger than a part of the image.
SHARP = {"inputCenter": [14.3, 8.2], "inputWidth": 4.5, "inputSharpness": 1}
SOFT = {"inputCenter": [14.3, 8.2], "inputWidth": 11, "inputSharpness": 0.2}
TURNED = [SHARP | {"inputAngle": 0.6}, SOFT | {"inputAngle": -1.2}]
ON_NOISE = {
    "CILineScreen": TURNED,
    "CIDotScreen": TURNED,
    "CIHatchedScreen": TURNED,
    "CICircularScreen": [SHARP, SOFT],
    "CICMYKHalftone": [TURNED[0] | {"inputUCR": 0.4}, TURNED[1] | {"inputGCR": 0.2, "inputUCR": 0.4}],
    "CIHexagonalPixellate": [{"inputCenter": [10.3, 5.9], "inputScale": 7}],
    "CICrystallize": [{"inputCenter": [10.3, 5.9], "inputRadius": radius} for radius in (3, 20)],
    "CIPointillize": [{"inputCenter": [10.3, 5.9], "inputRadius": radius} for radius in (3, 20)],
}

SOURCES = ["scene", "leaf"]


def cases(images, make):
    for name, function, sets, within in FILTERS:
        yield from fixture.cases_of(
            images, make, SOURCES, (name, function, sets, {"within": within}, ON_NOISE.get(name, [])))
