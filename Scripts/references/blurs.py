"""Filters that mix a pixel with those around it. Beyond its edges a picture goes on as the pixels there."""
import numpy as np

import blends
import color


def along(picture, axis, weights):
    """The sums of pixels by weights, which are those of the places from -reach to reach."""
    reach = len(weights) // 2
    widths = [(reach, reach) if i == axis else (0, 0) for i in range(3)]
    padded = np.pad(np.asarray(picture, float), widths, mode="edge")
    count = picture.shape[axis]
    return sum(weight * np.take(padded, range(i, i + count), axis=axis) for i, weight in enumerate(weights))


def gaussian(picture, sigma):
    """A Gaussian of this standard deviation in pixels, to eight deviations."""
    if sigma <= 0:
        return np.asarray(picture, float)
    reach = int(np.ceil(8 * sigma))
    bell = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * sigma**2))
    return along(along(picture, 1, bell / bell.sum()), 0, bell / bell.sum())


def box(picture, radius):
    side = 2 * radius + 1
    return along(along(picture, 1, np.full(side, 1 / side)), 0, np.full(side, 1 / side))


def around(picture, reach):
    """For each pixel those of the square around it, as one more axis."""
    padded = np.pad(picture, ((reach, reach), (reach, reach), (0, 0)), mode="edge")
    rows, columns = picture.shape[:2]
    return np.stack([padded[y:y + rows, x:x + columns] for y in range(2 * reach + 1) for x in range(2 * reach + 1)])


def median(picture):
    return np.median(around(picture, 1), axis=0)


def unsharp(picture, inputRadius=2.5, inputIntensity=0.5):
    picture = picture.astype(float)
    result = picture + inputIntensity * (picture - gaussian(picture, inputRadius))
    result[..., 3] = picture[..., 3]
    return result


def sharpen_luminance(picture, inputSharpness=0.4, inputRadius=1.69):
    picture = picture.astype(float)
    difference = color.luminance((picture - gaussian(picture, inputRadius))[..., :3])
    result = picture.copy()
    result[..., :3] += inputSharpness * difference
    return result


def glow(mode):
    def apply(picture, inputRadius=10, inputIntensity=0.5):
        return blends.blended(gaussian(picture, inputRadius), picture, mode, inputIntensity)
    return apply


# Name, formula, parameter sets, and how far results may lie from it, in 255ths: where a difference is added several
# times, what the blur is off by counts as often.
FILTERS = [
    ("CIGaussianBlur", lambda p, inputRadius=10: gaussian(p, inputRadius),
     [{"inputRadius": 1.3}, {"inputRadius": 4}, {}], 1),
    ("CIBoxBlur", lambda p, inputRadius=10: box(p, round(inputRadius)),
     [{"inputRadius": 1}, {"inputRadius": 3.4}, {}], 1),
    ("CIMedianFilter", median, [{}, {}], 0),
    ("CIUnsharpMask", unsharp, [{}, {"inputRadius": 1, "inputIntensity": 2}, {"inputIntensity": -0.6}], 2),
    ("CISharpenLuminance", sharpen_luminance,
     [{}, {"inputRadius": 3, "inputSharpness": 1.5}, {"inputSharpness": -0.5}], 2),
    ("CIBloom", glow("screen"), [{}, {"inputRadius": 2, "inputIntensity": 1}, {"inputRadius": 5}], 1),
    ("CIGloom", glow("multiply"), [{}, {"inputRadius": 2, "inputIntensity": 1}, {"inputRadius": 5}], 1),
]

SOURCES = ["scene", "leaf", "leaf"]


def cases(pictures, make):
    for name, function, sets, within in FILTERS:
        for source, parameters in zip(SOURCES, sets):
            yield make(name, source, parameters, function(pictures[source], **parameters), within=within)
