"""Filters that mix a pixel with those around it. Beyond its edges an image goes on as the pixels there."""
import math

import numpy as np

import blends
import color
import fixture
import warps
from images import noise


def along(image, axis, weights):
    """The sums of pixels by weights, which are those of the places from -reach to reach."""
    reach = len(weights) // 2
    widths = [(reach, reach) if i == axis else (0, 0) for i in range(3)]
    padded = np.pad(np.asarray(image, float), widths, mode="edge")
    count = image.shape[axis]
    return sum(weight * np.take(padded, range(i, i + count), axis=axis) for i, weight in enumerate(weights))


def gaussian(image, sigma):
    """A Gaussian of this standard deviation in pixels, to eight deviations."""
    if sigma <= 0:
        return np.asarray(image, float)
    reach = int(np.ceil(8 * sigma))
    bell = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * sigma**2))
    return along(along(image, 1, bell / bell.sum()), 0, bell / bell.sum())


def box(image, radius):
    side = 2 * radius + 1
    return along(along(image, 1, np.full(side, 1 / side)), 0, np.full(side, 1 / side))


def median(image):
    return np.median(neighbors(image, rectangle(3, 3)), axis=0)


def disc(radius):
    """The neighbors at most the radius away, as steps to the right and down."""
    reach = int(radius)
    return [(dx, dy) for dy in range(-reach, reach + 1) for dx in range(-reach, reach + 1)
            if dx**2 + dy**2 <= radius**2]


def rectangle(width, height):
    """Even sides are one more."""
    return [(dx, dy) for dy in range(-(height // 2), height // 2 + 1) for dx in range(-(width // 2), width // 2 + 1)]


def neighbors(image, steps):
    """For each step the image as its pixels see it there, as one more axis in front."""
    reach = max(max(abs(dx), abs(dy)) for dx, dy in steps)
    padded = np.pad(image, ((reach, reach), (reach, reach), (0, 0)), mode="edge").astype(float)
    rows, columns = image.shape[:2]
    return np.stack([padded[reach + dy:reach + dy + rows, reach + dx:reach + dx + columns] for dx, dy in steps])


def motion(image, inputRadius=20, inputAngle=0):
    """One place in each column, or in each row where the line is steep, between the two nearest pixels there."""
    across, down = math.cos(inputAngle), -math.sin(inputAngle)
    steep = abs(down) > abs(across)
    main, other = (down, across) if steep else (across, down)
    steps, result = int(inputRadius * abs(main)), 0
    for step in range(-steps, steps + 1):
        place = step * other / main
        low = math.floor(place)
        for offset, weight in ((low, low + 1 - place), (low + 1, place - low)):
            result = result + weight * neighbors(image, [(offset, step) if steep else (step, offset)])[0]
    return result / (2 * steps + 1)


def zoom(image, inputCenter=(150, 150), inputAmount=20):
    """The mean of 32 places on the way towards the center, as far as `inputAmount` percent of it."""
    cx, cy = inputCenter
    ways = [1 - inputAmount / 100 * i / 31 for i in range(32)]
    return sum(warps.warped(image, lambda x, y: (cx + (x - cx) * way, cy + (y - cy) * way)) for way in ways) / 32


def by_mask(image, radius, mask):
    """Gaussians of 0, 1/4, 1/2, 3/4 and the whole radius, and between the two nearest by a mask from 0 to 1."""
    result = image.astype(float)
    for level in range(1, 5):
        share = np.clip(mask * 4 - (level - 1), 0, 1)
        result = color.lerp(result, gaussian(image, radius * level / 4), share)
    return result


def masked_variable(image, inputMask, inputRadius=5):
    mask = blends.laid_under(inputMask, image.shape) / 255
    return by_mask(image, inputRadius, color.luminance(mask[..., :3]))


def depth_of_field(image, inputPoint0=(0, 300), inputPoint1=(300, 300), inputSaturation=1.5,
                   inputUnsharpMaskRadius=2.5, inputUnsharpMaskIntensity=0.5, inputRadius=6):
    sharp = np.clip(unsharp(image, inputUnsharpMaskRadius, inputUnsharpMaskIntensity), 0, image[..., 3:])
    alpha = sharp[..., 3:] / 255
    straight = np.divide(sharp[..., :3], alpha * 255, out=np.zeros_like(sharp[..., :3]), where=alpha > 0)
    vivid = color.premultiplied(color.lerp(color.luminance(straight), straight, inputSaturation), alpha)
    y, x = np.mgrid[0:image.shape[0], 0:image.shape[1]] + 0.5
    (x0, y0), (x1, y1) = inputPoint0, inputPoint1
    height = image.shape[0]
    distance = np.abs((x1 - x0) * (height - y - y0) - (y1 - y0) * (x - x0)) / math.hypot(x1 - x0, y1 - y0)
    t = np.clip(distance / (height / 2), 0, 1)
    return by_mask(vivid, inputRadius, (3 * t**2 - 2 * t**3)[..., None])


def noise_reduction(image, inputNoiseLevel=0.02, inputSharpness=0.4):
    image = image.astype(float)
    mean = box(image, 1)
    difference = (image - mean)[..., :3]
    result = image.copy()
    smooth = np.abs(color.luminance(difference)) < inputNoiseLevel * 255
    result[..., :3] = np.where(smooth, mean[..., :3], image[..., :3] + inputSharpness * difference)
    return np.minimum(result, image[..., 3:])


def extreme(pick, shape):
    return lambda image, **parameters: pick(neighbors(image, shape(**parameters)), axis=0)


def morphology_gradient(image, inputRadius=5):
    seen = neighbors(image, disc(inputRadius))
    result = seen.max(axis=0)
    result[..., :3] -= seen[..., :3].min(axis=0)
    return result


def convolution(width, height, keeps_alpha):
    """The sum of pixels times weights, in rows from the top, plus the bias."""
    def apply(image, inputWeights, inputBias=0):
        steps = rectangle(width, height)
        result = np.tensordot(np.array(inputWeights), neighbors(image, steps), 1) + inputBias * 255
        if keeps_alpha:
            result[..., 3] = image[..., 3]
        return result
    return apply


def weights(count, seed):
    """Of both signs, with the sum 1."""
    values = noise(count, seed) / 255 - 0.4
    return [round(float(value), 4) for value in values / values.sum()]


def unsharp(image, inputRadius=2.5, inputIntensity=0.5):
    image = image.astype(float)
    result = image + inputIntensity * (image - gaussian(image, inputRadius))
    result[..., 3] = image[..., 3]
    return result


def sharpen_luminance(image, inputSharpness=0.4, inputRadius=1.69):
    image = image.astype(float)
    difference = color.luminance((image - gaussian(image, inputRadius))[..., :3])
    result = image.copy()
    result[..., :3] += inputSharpness * difference
    return result


def glow(mode):
    def apply(image, inputRadius=10, inputIntensity=0.5):
        return blends.blended(gaussian(image, inputRadius), image, mode, inputIntensity)
    return apply


# Name, formula, parameter sets, and how far results may lie from it, in 255ths: where a difference is added several
# times, what the blur is off by counts as often.
FILTERS = [
    ("CIGaussianBlur", lambda p, inputRadius=10: gaussian(p, inputRadius),
     [{"inputRadius": 1.3}, {"inputRadius": 4}, {}], 1),
    ("CIBoxBlur", lambda p, inputRadius=10: box(p, round(inputRadius)),
     [{"inputRadius": 1}, {"inputRadius": 3.4}, {}], 1),
    ("CIMedianFilter", median, [{}, {}], 0),
    ("CIDiscBlur", lambda p, inputRadius=8: neighbors(p, disc(inputRadius)).mean(axis=0),
     [{"inputRadius": 2.3}, {"inputRadius": 5}], 1),
    ("CIMotionBlur", motion, [{"inputRadius": 4, "inputAngle": 0.6}, {"inputRadius": 6.5, "inputAngle": 1.9}], 1),
    ("CIZoomBlur", zoom, [{"inputCenter": [13, 7.3]}, {"inputCenter": [3, 14], "inputAmount": -60}], 1),
    ("CIMaskedVariableBlur", masked_variable, [{"inputMask": "mask", "inputRadius": 3}, {"inputMask": "scene"}], 1),
    ("CIDepthOfField", depth_of_field, [
        {"inputPoint0": [0, 4], "inputPoint1": [24, 7], "inputRadius": 3},
        {"inputPoint0": [3, 9], "inputPoint1": [20, 9], "inputRadius": 2, "inputSaturation": 0.5,
         "inputUnsharpMaskIntensity": 1}], 2),
    # Levels that no pixel is near: the mean that is compared with them has been rounded to bytes.
    ("CINoiseReduction", noise_reduction,
     [{"inputNoiseLevel": 0.095}, {"inputNoiseLevel": 0.11, "inputSharpness": 1.5}], 2),
    ("CIMorphologyMaximum", extreme(np.max, lambda inputRadius: disc(inputRadius)),
     [{"inputRadius": 1}, {"inputRadius": 3.2}], 0),
    ("CIMorphologyMinimum", extreme(np.min, lambda inputRadius: disc(inputRadius)),
     [{"inputRadius": 1.5}, {"inputRadius": 4}], 0),
    ("CIMorphologyGradient", morphology_gradient, [{"inputRadius": 1}, {"inputRadius": 2.5}], 0),
    ("CIMorphologyRectangleMaximum", extreme(
        np.max, lambda inputWidth=5, inputHeight=5: rectangle(inputWidth, inputHeight)),
     [{"inputWidth": 2, "inputHeight": 3}, {"inputWidth": 1, "inputHeight": 6}], 0),
    ("CIMorphologyRectangleMinimum", extreme(
        np.min, lambda inputWidth=5, inputHeight=5: rectangle(inputWidth, inputHeight)), [{}, {"inputWidth": 3}], 0),
    ("CIUnsharpMask", unsharp, [{}, {"inputRadius": 1, "inputIntensity": 2}, {"inputIntensity": -0.6}], 2),
    ("CISharpenLuminance", sharpen_luminance,
     [{}, {"inputRadius": 3, "inputSharpness": 1.5}, {"inputSharpness": -0.5}], 2),
    ("CIBloom", glow("screen"), [{}, {"inputRadius": 2, "inputIntensity": 1}, {"inputRadius": 5}], 1),
    ("CIGloom", glow("multiply"), [{}, {"inputRadius": 2, "inputIntensity": 1}, {"inputRadius": 5}], 1),
]

FILTERS += [
    (f"CIConvolution{'RGB' if keeps_alpha else ''}{name}", convolution(width, height, keeps_alpha),
     [{"inputWeights": weights(width * height, width), "inputBias": 0.1 * keeps_alpha},
      {"inputWeights": weights(width * height, height + 10), "inputBias": -0.05}], 1)
    for keeps_alpha in (False, True)
    for name, width, height in (
        ("3X3", 3, 3), ("5X5", 5, 5), ("7X7", 7, 7), ("9Horizontal", 9, 1), ("9Vertical", 1, 9))
]

# Radii larger than the image, steep lines, places far beyond the edges, weights that sum to anything.
ON_NOISE = {
    "CIBoxBlur": [{"inputRadius": 3.2}, {"inputRadius": 50}],
    "CIMedianFilter": [{}],
    "CIDiscBlur": [{"inputRadius": 7}],
    "CIMotionBlur": [{}, {"inputRadius": 9, "inputAngle": -1.3}],
    "CIZoomBlur": [{"inputCenter": [8.3, 5.9], "inputAmount": 150}],
    "CINoiseReduction": [{"inputNoiseLevel": 0.3, "inputSharpness": 0.9}, {"inputNoiseLevel": 1, "inputSharpness": 0}],
    "CIMorphologyMaximum": [{"inputRadius": 2.6}, {"inputRadius": 7}],
    "CIMorphologyMinimum": [{"inputRadius": 2.6}, {"inputRadius": 7}],
    "CIMorphologyGradient": [{"inputRadius": 2.6}, {"inputRadius": 7}],
    "CIMorphologyRectangleMaximum": [{"inputWidth": 9, "inputHeight": 12}],
    "CIMorphologyRectangleMinimum": [{"inputWidth": 4, "inputHeight": 1}],
} | {
    f"CIConvolution{kind}{name}": [
        {"inputWeights": [round(3 * weight, 4) for weight in weights(count, 7 * count)], "inputBias": 0.25}]
    for kind in ("", "RGB")
    for name, count in (("3X3", 9), ("5X5", 25), ("7X7", 49), ("9Horizontal", 9), ("9Vertical", 9))
}

SOURCES = ["scene", "leaf", "leaf"]


def cases(images, make):
    for name, function, sets, within in FILTERS:
        yield from fixture.cases_of(
            images, make, SOURCES, (name, function, sets, {"within": within}, ON_NOISE.get(name, [])))
