"""Filters that do the same with each pixel, from their formulas.

A function takes straight colors and alpha from 0 to 1, arrays of pixels, and the parameters by their keys, with Core
Image's defaults.
"""
import base64
import math

import numpy as np

import fixture

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])  # ITU-R BT.709


def straight(image):
    """Colors and alpha from 0 to 1; transparent pixels are black."""
    values = image.astype(np.float64) / 255
    alpha = values[..., 3:]
    return np.divide(values[..., :3], alpha, out=np.zeros_like(values[..., :3]), where=alpha > 0), alpha


def premultiplied(colors, alpha):
    """255ths; colors and alpha are brought between 0 and 1 first."""
    alpha = np.clip(alpha, 0, 1)
    return np.concatenate([np.clip(colors, 0, 1) * alpha, alpha], axis=-1) * 255


def luminance(c):
    return (c * LUMINANCE).sum(axis=-1, keepdims=True)


def lerp(a, b, t):
    return a + (b - a) * t


# Light (IEC 61966-2-1) -------------------------------------------------------------------------------------------

def decode(c):
    c = np.clip(c, 0, 1)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def encode(light):
    light = np.maximum(light, 0)
    return np.clip(np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055), 0, 1)


# Adjustments -----------------------------------------------------------------------------------------------------

def color_controls(c, a, inputSaturation=1, inputBrightness=0, inputContrast=1):
    c = lerp(luminance(c), c, inputSaturation)
    return (c - 0.5) * inputContrast + 0.5 + inputBrightness, a


def hue_adjust(c, a, inputAngle=0):
    # Rodrigues: v cos + (k x v) sin + k (k . v)(1 - cos) about the axis of grays.
    axis = np.ones(3) / math.sqrt(3)
    turned = (c * math.cos(inputAngle) + np.cross(np.broadcast_to(axis, c.shape), c) * math.sin(inputAngle)
              + axis * (c @ axis)[..., None] * (1 - math.cos(inputAngle)))
    return turned, a


def color_matrix(c, a, inputRVector=(1, 0, 0, 0), inputGVector=(0, 1, 0, 0), inputBVector=(0, 0, 1, 0),
                 inputAVector=(0, 0, 0, 1), inputBiasVector=(0, 0, 0, 0)):
    pixel = np.concatenate([c, a], axis=-1)
    matrix = np.array([inputRVector, inputGVector, inputBVector, inputAVector], float)
    result = pixel @ matrix.T + np.array(inputBiasVector, float)
    return result[..., :3], result[..., 3:]


def color_clamp(c, a, inputMinComponents=(0, 0, 0, 0), inputMaxComponents=(1, 1, 1, 1)):
    pixel = np.concatenate([c, a], axis=-1)
    result = np.minimum(np.maximum(pixel, inputMinComponents), inputMaxComponents)
    return result[..., :3], result[..., 3:]


def polynomial(values, coefficients):
    return sum(coefficient * values ** power for power, coefficient in enumerate(coefficients))


def color_polynomial(c, a, inputRedCoefficients=(0, 1, 0, 0), inputGreenCoefficients=(0, 1, 0, 0),
                     inputBlueCoefficients=(0, 1, 0, 0), inputAlphaCoefficients=(0, 1, 0, 0)):
    channels = zip((c[..., 0], c[..., 1], c[..., 2], a[..., 0]),
                   (inputRedCoefficients, inputGreenCoefficients, inputBlueCoefficients, inputAlphaCoefficients))
    result = np.stack([polynomial(values, coefficients) for values, coefficients in channels], axis=-1)
    return result[..., :3], result[..., 3:]


def color_cross_polynomial(c, a, inputRedCoefficients=(1,) + (0,) * 9, inputGreenCoefficients=(0, 1) + (0,) * 8,
                           inputBlueCoefficients=(0, 0, 1) + (0,) * 7):
    r, g, b = c[..., 0], c[..., 1], c[..., 2]
    terms = np.stack([r, g, b, r * r, g * g, b * b, r * g, g * b, b * r, np.ones_like(r)], axis=-1)
    weights = np.array([inputRedCoefficients, inputGreenCoefficients, inputBlueCoefficients], float)
    return terms @ weights.T, a


def vibrance(c, a, inputAmount=0):
    saturation = c.max(axis=-1, keepdims=True) - c.min(axis=-1, keepdims=True)
    return lerp(luminance(c), c, 1 + inputAmount * (1 - saturation)), a


def planckian(kelvin):
    """CIE 1960 uv of a black body by Kim's cubic splines."""
    t = kelvin
    if t <= 4000:
        x = -0.2661239e9 / t**3 - 0.2343589e6 / t**2 + 0.8776956e3 / t + 0.179910
    else:
        x = -3.0258469e9 / t**3 + 2.1070379e6 / t**2 + 0.2226347e3 / t + 0.240390
    if t <= 2222:
        y = -1.1063814 * x**3 - 1.34811020 * x**2 + 2.18555832 * x - 0.20219683
    elif t <= 4000:
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    return np.array([4 * x, 6 * y]) / (-2 * x + 12 * y + 3)


def white(kelvin, tint):
    """XYZ of the white of a temperature and a tint."""
    kelvin = min(max(kelvin, 1667), 25000)
    along = planckian(kelvin * 1.001) - planckian(kelvin * 0.999)
    normal = np.array([along[1], -along[0]]) / np.hypot(*along)
    if normal[1] > 0:
        normal = -normal  # Green lies above the locus, magenta below.
    u, v = planckian(kelvin) + normal * tint / 3000
    x, y = 3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4)
    return np.array([x / y, 1, (1 - x - y) / y])


def temperature_and_tint(c, a, inputNeutral=(6500, 0), inputTargetNeutral=(6500, 0)):
    bradford = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                       [0.0193339, 0.1191920, 0.9503041]])
    gain = np.diag((bradford @ white(*inputTargetNeutral)) / (bradford @ white(*inputNeutral)))
    cones = bradford @ to_xyz
    matrix = np.linalg.inv(cones) @ gain @ cones
    return encode(decode(c) @ matrix.T), a


# Curves ----------------------------------------------------------------------------------------------------------

def spline(xs, ys):
    """The natural cubic spline through points, level beyond the ends."""
    xs, ys = np.asarray(xs, float), np.asarray(ys, float)
    n, h = len(xs), np.diff(np.asarray(xs, float))
    system, right = np.eye(n), np.zeros(n)
    for i in range(1, n - 1):
        system[i, i - 1:i + 2] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
        right[i] = 6 * ((ys[i + 1] - ys[i]) / h[i] - (ys[i] - ys[i - 1]) / h[i - 1])
    m = np.linalg.solve(system, right)

    def value(x):
        x = np.clip(x, xs[0], xs[-1])
        i = np.clip(np.searchsorted(xs, x) - 1, 0, n - 2)
        a, b = xs[i + 1] - x, x - xs[i]
        return (m[i] * a**3 / (6 * h[i]) + m[i + 1] * b**3 / (6 * h[i])
                + (ys[i] / h[i] - m[i] * h[i] / 6) * a + (ys[i + 1] / h[i] - m[i + 1] * h[i] / 6) * b)

    return value


def exposure(c, a, inputEV=0):
    return encode(decode(c) * 2.0 ** inputEV), a


def gamma(c, a, inputPower=1):
    return np.clip(c, 0, 1) ** inputPower, a


def white_point(c, a, inputColor=(1, 1, 1, 1)):
    return encode(decode(c) * decode(np.array(inputColor[:3], float))), a


def tone_curve(c, a, inputPoint0=(0, 0), inputPoint1=(0.25, 0.25), inputPoint2=(0.5, 0.5), inputPoint3=(0.75, 0.75),
               inputPoint4=(1, 1)):
    points = [inputPoint0, inputPoint1, inputPoint2, inputPoint3, inputPoint4]
    return spline([p[0] for p in points], [p[1] for p in points])(np.clip(c, 0, 1)), a


def posterize(c, a, inputLevels=6):
    levels = math.floor(inputLevels)
    return np.minimum(np.floor(c * levels + 1 / 4096) / max(levels - 1, 1e-9), 1), a


def threshold(c, a, inputThreshold=0.5):
    return np.where(c >= inputThreshold, 1.0, 0.0), a


# Effects ---------------------------------------------------------------------------------------------------------

def sepia(c, a, inputIntensity=1):
    # W3C, Filter Effects Module Level 1, sepia(100%).
    matrix = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
    return lerp(c, c @ matrix.T, inputIntensity), a


def monochrome(c, a, inputColor=(0.6, 0.45, 0.3, 1), inputIntensity=1):
    return lerp(c, luminance(c) * np.array(inputColor[:3]), inputIntensity), a


def false_color(c, a, inputColor0=(0.3, 0, 0, 1), inputColor1=(1, 0.9, 0.8, 1)):
    return lerp(np.array(inputColor0[:3], float), np.array(inputColor1[:3], float), luminance(c)), a


def by_luminance(c, stops):
    """Linear between colors at even distances."""
    stops = np.asarray(stops, float)
    at = np.clip(luminance(c)[..., 0], 0, 1)
    places = np.linspace(0, 1, len(stops))
    return np.stack([np.interp(at, places, stops[:, i]) for i in range(stops.shape[1])], axis=-1)


def color_map(c, a, inputGradientImage=None):
    colors, alphas = straight(inputGradientImage[inputGradientImage.shape[0] // 2])
    return by_luminance(c, colors), a * by_luminance(c, alphas)


def cube_data(side, function):
    """Entries in the order of the reference: red fastest."""
    entries = [function(r / (side - 1), g / (side - 1), b / (side - 1))
               for b in range(side) for g in range(side) for r in range(side)]
    return base64.b64encode(np.array(entries, "<f4").tobytes()).decode()


def color_cube(c, a, inputCubeDimension=2, inputCubeData=""):
    side = int(inputCubeDimension)
    table = np.frombuffer(base64.b64decode(inputCubeData), "<f4").astype(float).reshape(side, side, side, 4)
    place = np.clip(c, 0, 1) * (side - 1)
    low = np.minimum(np.floor(place).astype(int), side - 2)
    part = place - low
    result = 0
    for corner in range(8):
        step = np.array([corner & 1, corner >> 1 & 1, corner >> 2])
        weight = np.where(step == 1, part, 1 - part).prod(axis=-1, keepdims=True)
        at = low + step
        result = result + weight * table[at[..., 2], at[..., 1], at[..., 0]]
    alpha = result[..., 3:]
    colors = np.divide(result[..., :3], alpha, out=np.zeros_like(result[..., :3]), where=alpha > 0)
    return colors, a * alpha


def mask_to_alpha(c, a):
    return np.ones_like(c), luminance(c)


def places(c):
    """The middle of each pixel, from the upper left."""
    y, x = np.mgrid[0:c.shape[0], 0:c.shape[1]] + 0.5
    return x, y


def vignette(c, a, inputIntensity=0, inputRadius=1):
    x, y = places(c)
    height, width = c.shape[:2]
    t = np.hypot(x - width / 2, y - height / 2) / (inputRadius * math.hypot(width, height) / 2)
    return c * (1 - inputIntensity * np.clip(t, 0, 1) ** 2)[..., None], a


def vignette_effect(c, a, inputCenter=(150, 150), inputRadius=150, inputIntensity=1, inputFalloff=0.5):
    x, y = places(c)
    distance = np.hypot(x - inputCenter[0], y - (c.shape[0] - inputCenter[1]))
    inner = inputRadius * (1 - inputFalloff)
    t = np.clip((distance - inner) / (inputRadius - inner), 0, 1)
    return c * (1 - inputIntensity * (3 * t**2 - 2 * t**3))[..., None], a


def toned(saturation, *channels):
    """A look: saturation, then a spline for each channel through values at 0, 1/4, 1/2, 3/4 and 1."""
    curves = [spline(np.linspace(0, 1, 5), values) for values in (channels if len(channels) == 3 else channels * 3)]

    def apply(c, a):
        c = np.clip(lerp(luminance(c), c, saturation), 0, 1)
        return np.stack([curve(c[..., i]) for i, curve in enumerate(curves)], axis=-1), a

    return apply


# The cases -------------------------------------------------------------------------------------------------------

def opposite(r, g, b):
    return (1 - r, 1 - g, 1 - b, 1)


def glassy(r, g, b):
    alpha = 0.25 + 0.75 * g
    return (b * alpha, r * alpha, g * alpha * r, alpha)


ADJUSTMENTS = [
    ("CIColorControls", color_controls, [
        {"inputSaturation": 0.3, "inputBrightness": 0.1, "inputContrast": 1.4}, {"inputSaturation": 2.5},
        {"inputContrast": 0.4, "inputBrightness": -0.2}, {"inputSaturation": 0, "inputBrightness": 0.1},
        {"inputSaturation": 1.7, "inputBrightness": -0.2, "inputContrast": 0.6}]),
    ("CIHueAdjust", hue_adjust, [
        {"inputAngle": 1}, {"inputAngle": -2.2}, {"inputAngle": math.pi}, {"inputAngle": 2}, {"inputAngle": 0.5}]),
    ("CIColorMatrix", color_matrix, [
        {"inputRVector": [0.5, 0.25, 0.1, 0], "inputGVector": [-0.3, 1.2, 0, 0], "inputBVector": [0, 0.4, 0.7, 0],
         "inputBiasVector": [0.05, -0.1, 0.2, 0]},
        {"inputAVector": [0, 0, 0, 0.5], "inputRVector": [1, 0, 0, 0.3]},
        {"inputAVector": [0.3, 0.4, 0.1, 0.1], "inputBiasVector": [0, 0, 0, 0.1], "inputGVector": [0, 6, 0, 0]},
        {"inputRVector": [0.2, 0.5, -0.1, 0], "inputBiasVector": [0.1, 0, -0.2, 0]},
        {"inputAVector": [0, 0, 0, 0.25]}, {"inputGVector": [0, 9, 0, 0.3], "inputAVector": [0.5, 0, 0, 0.5]}]),
    ("CIColorClamp", color_clamp, [
        {"inputMinComponents": [0.2, 0.1, 0, 0], "inputMaxComponents": [0.8, 0.6, 0.9, 1]},
        {"inputMinComponents": [0, 0, 0.3, 0.2], "inputMaxComponents": [1, 0.7, 1, 0.6]},
        {"inputMaxComponents": [0.5, 0.5, 0.5, 1]}]),
    ("CIColorPolynomial", color_polynomial, [
        {"inputRedCoefficients": [0.1, 0.6, 0.5, -0.3], "inputBlueCoefficients": [0.9, -0.8, 0, 0.2]},
        {"inputGreenCoefficients": [0, 0, 1, 0], "inputAlphaCoefficients": [0.1, 0.2, 0.4, 0.1]},
        {"inputRedCoefficients": [1, -1, 0, 0], "inputGreenCoefficients": [0, 3, -3, 1]},
        {"inputRedCoefficients": [0.1, 0.2, 0.3, 0.4], "inputBlueCoefficients": [1, -1, 0, 0]},
        {"inputAlphaCoefficients": [0, 0, 1, 0]}]),
    ("CIColorCrossPolynomial", color_cross_polynomial, [
        {"inputRedCoefficients": [0.2, 0.1, 0, 0.3, 0, 0.1, 0.2, 0.1, 0.4, 0.05]},
        {"inputGreenCoefficients": [0, 0.5, 0, 0, 0.5, 0, -0.6, 0.2, 0, 0.1],
         "inputBlueCoefficients": [0, 0, 0, 0, 0, 0, 0, 0, 1, 0]},
        {"inputRedCoefficients": [0, 0, 0, 0, 0, 0, 0, 1, 0, 0],
         "inputBlueCoefficients": [-0.5, 0, 1.2, 0, 0, 0.2, 0, 0, 0, 0.2]}]),
    ("CIVibrance", vibrance, [
        {"inputAmount": 0.8}, {"inputAmount": -0.9}, {"inputAmount": 0.3}, {"inputAmount": 1}, {"inputAmount": -0.6}]),
    ("CITemperatureAndTint", temperature_and_tint, [
        {"inputTargetNeutral": [3200, 0]}, {"inputNeutral": [5000, 20], "inputTargetNeutral": [9000, -30]},
        {"inputNeutral": [6500, 0], "inputTargetNeutral": [2000, 60]}]),
]

CURVES = [
    ("CIExposureAdjust", exposure, [{"inputEV": 1}, {"inputEV": -1.5}, {"inputEV": 0.3}, {"inputEV": 2}]),
    ("CIGammaAdjust", gamma, [
        {"inputPower": 2.2}, {"inputPower": 0.6}, {"inputPower": 0.75}, {"inputPower": 0.45}, {"inputPower": 3}]),
    ("CIWhitePointAdjust", white_point, [
        {"inputColor": [1, 0.8, 0.5, 1]}, {"inputColor": [0.3, 0.9, 1, 1]}, {"inputColor": [0.5, 0.5, 0.5, 0.2]}]),
    ("CIToneCurve", tone_curve, [
        {"inputPoint1": [0.25, 0.15], "inputPoint3": [0.75, 0.9]},
        {"inputPoint0": [0.1, 0.2], "inputPoint1": [0.3, 0.6], "inputPoint2": [0.4, 0.5], "inputPoint3": [0.8, 0.7],
         "inputPoint4": [0.9, 1]},
        {"inputPoint0": [0, 1], "inputPoint1": [0.25, 0.8], "inputPoint3": [0.75, 0.1], "inputPoint4": [1, 0]},
        {"inputPoint0": [0, 0.1], "inputPoint1": [0.2, 0.4], "inputPoint2": [0.4, 0.3], "inputPoint3": [0.6, 0.9],
         "inputPoint4": [0.8, 0.7]}]),
    ("CILinearToSRGBToneCurve", lambda c, a: (encode(c), a), [{}, {}]),
    ("CISRGBToneCurveToLinear", lambda c, a: (decode(c), a), [{}, {}]),
    ("CIColorPosterize", posterize, [
        {}, {"inputLevels": 3}, {"inputLevels": 10}, {"inputLevels": 2}, {"inputLevels": 17.9}]),
    ("CIColorThreshold", threshold, [{}, {"inputThreshold": 0.3}, {"inputThreshold": 0.81}]),
    ("CIColorInvert", lambda c, a: (1 - c, a), [{}, {}]),
]

EFFECTS = [
    ("CISepiaTone", sepia, [{}, {"inputIntensity": 0.6}, {"inputIntensity": -0.4}, {"inputIntensity": 0}, {"inputIntensity": 0.35}]),
    ("CIColorMonochrome", monochrome, [
        {}, {"inputColor": [0.2, 0.7, 1, 1], "inputIntensity": 0.7}, {"inputColor": [1, 1, 1, 1]},
        {"inputColor": [1, 0, 0, 1], "inputIntensity": 0.5}]),
    ("CIFalseColor", false_color, [
        {}, {"inputColor0": [0.9, 0.9, 0.1, 1], "inputColor1": [0, 0.1, 0.6, 1]},
        {"inputColor0": [0, 0, 0, 1], "inputColor1": [0, 1, 0, 0.5]},
        {"inputColor0": [1, 1, 1, 1], "inputColor1": [0, 0, 1, 1]}]),
    ("CIColorMap", color_map, [{"inputGradientImage": "gradient"}, {"inputGradientImage": "gradient"}]),
    ("CIColorCube", color_cube, [
        {"inputCubeDimension": 2, "inputCubeData": cube_data(2, opposite)},
        {"inputCubeDimension": 3, "inputCubeData": cube_data(3, glassy)},
        {"inputCubeDimension": 4, "inputCubeData": cube_data(4, lambda r, g, b: (g * g, r, b ** 0.5, 1))}]),
    ("CIMaskToAlpha", mask_to_alpha, [{}, {}]),
    ("CIMinimumComponent", lambda c, a: (c.min(axis=-1, keepdims=True).repeat(3, -1), a), [{}, {}]),
    ("CIMaximumComponent", lambda c, a: (c.max(axis=-1, keepdims=True).repeat(3, -1), a), [{}, {}]),
    ("CIVignette", vignette, [
        {"inputIntensity": 1}, {"inputIntensity": 0.6, "inputRadius": 0.5}, {"inputIntensity": -1, "inputRadius": 1.4},
        {"inputIntensity": 0.8, "inputRadius": 0.9}]),
    ("CIVignetteEffect", vignette_effect, [
        {"inputCenter": [8, 6], "inputRadius": 9},
        {"inputCenter": [3, 9], "inputRadius": 8, "inputFalloff": 0.9, "inputIntensity": 0.7},
        {"inputCenter": [15, 0], "inputRadius": 12, "inputFalloff": 0.25, "inputIntensity": -0.5}]),
    # Designs of the package's own, from the colors that it names.
    ("CIXRay", lambda c, a: (
        by_luminance(c, [(0.93, 0.97, 1), (0.55, 0.68, 0.75), (0.16, 0.24, 0.3), (0, 0.01, 0.02)]), a), [{}, {}]),
    ("CIThermal", lambda c, a: (
        by_luminance(c, [(0, 0, 0.25), (0.25, 0, 0.6), (0.75, 0.05, 0.5), (0.95, 0.35, 0.1), (1, 0.8, 0.2),
                         (1, 1, 0.95)]), a), [{}, {}]),
]

# Designs of the package's own, from the values that it names.
LOOKS = [
    ("CIPhotoEffectMono", lambda c, a: ((luminance(c).repeat(3, -1) - 0.5) * 0.88 + 0.5, a), [{}, {}]),
    ("CIPhotoEffectTonal", lambda c, a: (luminance(c).repeat(3, -1), a), [{}, {}]),
    ("CIPhotoEffectNoir", toned(0, (0, 0.13, 0.48, 0.86, 1)), [{}, {}]),
    ("CIPhotoEffectChrome", toned(
        1.3, (0, 0.24, 0.54, 0.81, 1), (0, 0.23, 0.52, 0.8, 1), (0.02, 0.24, 0.5, 0.77, 0.98)), [{}, {}]),
    ("CIPhotoEffectFade", toned(0.65, (0.09, 0.31, 0.54, 0.76, 0.95)), [{}, {}]),
    ("CIPhotoEffectInstant", toned(
        0.8, (0.05, 0.3, 0.58, 0.82, 0.98), (0.04, 0.28, 0.55, 0.79, 0.96), (0.12, 0.32, 0.51, 0.7, 0.87)), [{}, {}]),
    ("CIPhotoEffectProcess", toned(
        0.9, (0, 0.2, 0.47, 0.76, 0.96), (0.02, 0.27, 0.54, 0.8, 1), (0.08, 0.33, 0.58, 0.8, 0.98)), [{}, {}]),
    ("CIPhotoEffectTransfer", toned(
        0.85, (0.05, 0.31, 0.6, 0.85, 1), (0.03, 0.26, 0.52, 0.78, 0.97), (0.06, 0.25, 0.46, 0.68, 0.88)), [{}, {}]),
]

FAMILIES = {"adjustments": ADJUSTMENTS, "curves": CURVES, "effects": EFFECTS, "looks": LOOKS}
SOURCES = ["colors", "glass", "glass", "colors", "glass", "glass"]


def cases(family, images, make):
    """Three or more parameter sets of each filter, or two of one without parameters: opaque first, then with alpha."""
    for name, function, sets in FAMILIES[family]:
        def filtered(image, **values):
            return premultiplied(*function(*straight(image), **values))
        yield from fixture.cases_of(images, make, SOURCES, (name, filtered, sets, {}, []))
