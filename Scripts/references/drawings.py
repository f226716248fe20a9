"""Edges, light and tones. Beyond its edges an image goes on as the pixels there."""
import math

import numpy as np

import blurs
import color
import fixture
import warps
from screens import noise, places


def luma(image):
    """Of premultiplied colors, from 0 to 1."""
    return (image[..., :3] / 255 * color.LUMINANCE).sum(axis=-1)


def steepness(channel):
    """Sobel's operator with a quarter of its weights."""
    around = blurs.neighbors(channel[..., None], blurs.rectangle(3, 3))[..., 0]
    across = (around[2] + 2 * around[5] + around[8] - around[0] - 2 * around[3] - around[6]) / 4
    down = (around[6] + 2 * around[7] + around[8] - around[0] - 2 * around[1] - around[2]) / 4
    return np.hypot(across, down)


def edges(image, inputIntensity=1):
    result = image.astype(float)
    for c in range(3):
        result[..., c] = np.clip(steepness(image[..., c].astype(float)) * inputIntensity, 0, image[..., 3])
    return result


def edge_work(image, inputRadius=3):
    white = np.clip(1 - 16 * (luma(blurs.gaussian(image, inputRadius)) - luma(image)), 0, 1)
    return color.premultiplied(white[..., None].repeat(3, -1), image[..., 3:] / 255)


def line_overlay(image, inputNRNoiseLevel=0.07, inputNRSharpness=0.71, inputEdgeIntensity=1, inputThreshold=0.1,
                 inputContrast=50):
    quiet = np.clip(blurs.noise_reduction(image, inputNRNoiseLevel, inputNRSharpness), 0, 255)
    lines = np.clip((steepness(luma(quiet)) * inputEdgeIntensity - inputThreshold) * inputContrast, 0, 1)
    result = np.zeros(image.shape)
    result[..., 3] = lines * image[..., 3]
    return result


def comic(image):
    median = blurs.median(image)
    c, a = color.straight(median)
    c = color.posterize(color.lerp(color.luminance(c), c, 1.3), a, 6)[0]
    lines = np.clip((steepness(luma(median)) - 0.15) * 6, 0, 1)
    return color.premultiplied(np.clip(c, 0, 1) * (1 - lines)[..., None], a)


def spot_light(image, inputLightPosition=(400, 600, 150), inputLightPointsAt=(200, 200, 0), inputBrightness=3,
               inputConcentration=0.1, inputColor=(1, 1, 1, 1)):
    position, target = np.array(inputLightPosition, float), np.array(inputLightPointsAt, float)
    x, y = places(image)
    rays = np.stack([x, y, np.zeros_like(x)], axis=-1) - position
    axis = target - position
    cosine = rays @ axis / (np.linalg.norm(rays, axis=-1) * np.linalg.norm(axis))
    light = inputBrightness * np.maximum(cosine, 0) ** (1 / inputConcentration)
    c, a = color.straight(image)
    return color.premultiplied(c * np.array(inputColor[:3]) * light[..., None], a)


def height_field(image, inputRadius=10):
    bright = luma(image) >= 0.5
    y, x = np.mgrid[0:image.shape[0], 0:image.shape[1]]
    dark = np.argwhere(~bright)
    d = np.min([np.hypot(y - row, x - column) for row, column in dark], axis=0)
    height = np.where(bright, np.sqrt(1 - np.clip(1 - d / max(inputRadius, 1e-9), 0, 1) ** 2), 0)
    return color.premultiplied(height[..., None].repeat(3, -1), image[..., 3:] / 255)


def shaded(image, inputShadingImage, inputScale=10):
    around = blurs.neighbors(luma(image)[..., None], [(1, 0), (-1, 0), (0, -1), (0, 1)])[..., 0]
    nx, ny = -inputScale * (around[0] - around[1]) / 2, -inputScale * (around[2] - around[3]) / 2
    length = np.sqrt(nx**2 + ny**2 + 1)
    height, width = inputShadingImage.shape[:2]
    lit = warps.looked_up(inputShadingImage, (1 + nx / length) / 2 * width, (1 + ny / length) / 2 * height)
    return lit * image[..., 3:] / 255


def highlight_shadow(image, inputRadius=0, inputShadowAmount=0, inputHighlightAmount=1):
    c, a = color.straight(image)
    blurred = blurs.gaussian(image, inputRadius)
    y = (np.divide(blurred[..., :3], blurred[..., 3:], out=np.zeros_like(blurred[..., :3]),
                   where=blurred[..., 3:] > 0) * color.LUMINANCE).sum(axis=-1, keepdims=True)
    return color.premultiplied(
        c ** (2 ** (-inputShadowAmount * (1 - y) ** 2)) * (1 - (1 - inputHighlightAmount) * y**2 / 2), a)


SPOTS = {
    "inputCenterColor1": (0.0784, 0.0627, 0.0706), "inputReplacementColor1": (0.4392, 0.1922, 0.1961),
    "inputCloseness1": 0.22, "inputContrast1": 0.98,
    "inputCenterColor2": (0.5255, 0.3059, 0.3451), "inputReplacementColor2": (0.9137, 0.5608, 0.5059),
    "inputCloseness2": 0.15, "inputContrast2": 0.98,
    "inputCenterColor3": (0.9216, 0.4549, 0.3333), "inputReplacementColor3": (0.9098, 0.7529, 0.6078),
    "inputCloseness3": 0.5, "inputContrast3": 0.99,
}


def spot_color(image, **given):
    values = SPOTS | given
    c, a = color.straight(image)
    for number in "123":
        center, replacement = (np.array(values[f"input{key}Color{number}"][:3]) for key in ("Center", "Replacement"))
        closeness, contrast = values[f"inputCloseness{number}"], values[f"inputContrast{number}"]
        d = np.linalg.norm(c - center, axis=-1, keepdims=True)
        width = max(closeness * (1 - contrast), 1e-9)
        c = color.lerp(c, replacement, np.clip((closeness - d) / width, 0, 1))
    return color.premultiplied(c, a)


def dither(image, inputIntensity=0.1):
    n = np.array([[noise(x, y)[0] for x in range(image.shape[1])] for y in range(image.shape[0])])
    c, a = color.straight(image)
    return color.premultiplied(c + inputIntensity * (n - 0.5)[..., None], a)


SOFT_SPOTS = {f"inputContrast{number}": 0.3 for number in "123"}

FILTERS = [
    ("CIEdges", edges, [{}, {"inputIntensity": 3}], {"within": 1}),
    # The blur is in bytes, and what it is off by counts sixteen times.
    ("CIEdgeWork", edge_work, [{}, {"inputRadius": 1.5}], {"psnr": 32}),
    # What is made quiet is in bytes, and its edges count many times.
    ("CILineOverlay", line_overlay, [
        {"inputNRNoiseLevel": 0.095, "inputContrast": 5},
        {"inputNRNoiseLevel": 0.11, "inputThreshold": 0.05, "inputContrast": 3}], {"psnr": 38}),
    ("CIComicEffect", comic, [{}, {}], {"within": 1}),
    ("CISpotLight", spot_light, [
        {"inputLightPosition": [20, 22, 9], "inputLightPointsAt": [9, 6, 0]},
        {"inputLightPosition": [3, 3, 15], "inputLightPointsAt": [14, 8, 2], "inputBrightness": 1.5,
         "inputConcentration": 0.4, "inputColor": [1, 0.8, 0.4, 1]}], {"within": 1}),
    ("CIHeightFieldFromMask", height_field, [{"inputRadius": 3}, {"inputRadius": 6.5}], {"within": 1}),
    ("CIShadedMaterial", shaded, [
        {"inputShadingImage": "backdrop"}, {"inputShadingImage": "postcard", "inputScale": 3}], {"within": 1}),
    ("CIHighlightShadowAdjust", highlight_shadow, [
        {"inputShadowAmount": 0.8, "inputHighlightAmount": 0.2},
        {"inputShadowAmount": -0.6, "inputHighlightAmount": 0.7, "inputRadius": 2}], {"within": 2}),
    ("CISpotColor", spot_color, [
        SOFT_SPOTS, SOFT_SPOTS | {"inputCenterColor2": [0.2, 0.5, 0.3, 1], "inputCloseness2": 0.5}], {"within": 1}),
    ("CIDither", dither, [{}, {"inputIntensity": 1.2}], {"within": 1}),
]

# Far away, and so near that its edge is sharp.
LIGHTS = [
    {"inputLightPosition": [400, 600, 150], "inputLightPointsAt": [0, 0, 0], "inputConcentration": 1},
    {"inputLightPosition": [3, 3, 20], "inputLightPointsAt": [9, 3, 15], "inputBrightness": 2,
     "inputConcentration": 0.02, "inputColor": [1, 0.8, 0.5, 1]}]
SPOTS_OF_COLOR = [
    {"inputCenterColor1": [1, 0, 0, 1], "inputReplacementColor1": [0, 0, 1, 1], "inputCloseness1": closeness,
     "inputContrast1": contrast, "inputCloseness2": 0, "inputCloseness3": closeness / 2,
     "inputCenterColor3": [0.5, 0.5, 0.5, 1], "inputReplacementColor3": [1, 1, 1, 1], "inputContrast3": 0}
    for closeness, contrast in ((0.8, 0.9), (0.5, 0), (1.2, 1))]

ON_NOISE = {
    "CIEdges": [{"inputIntensity": 0.4}],
    "CIComicEffect": [{}],
    "CISpotLight": LIGHTS,
    "CIHeightFieldFromMask": [{"inputRadius": 0}, {"inputRadius": 10}],
    "CIShadedMaterial": [{"inputShadingImage": "mist", "inputScale": 0}, {"inputShadingImage": "grain"}],
    "CIHighlightShadowAdjust": [
        {"inputShadowAmount": 1, "inputHighlightAmount": 0}, {"inputShadowAmount": -0.6, "inputHighlightAmount": 0.4},
        {"inputRadius": 4, "inputShadowAmount": 0.8, "inputHighlightAmount": 0.5}],
    "CISpotColor": SPOTS_OF_COLOR,
    "CIDither": [{"inputIntensity": 4}],
}

SOURCES = ["scene", "leaf"]


def cases(images, make):
    for name, function, sets, tolerance in FILTERS:
        yield from fixture.cases_of(
            images, make, SOURCES, (name, function, sets, tolerance, ON_NOISE.get(name, [])))
