"""One image over another: W3C, Compositing and Blending Level 1; Porter and Duff, Compositing Digital Images."""
import numpy as np

import color

# Red, green and blue in the luminosity of W3C's modes.
LUMINOSITY = np.array([0.3, 0.59, 0.11])


def laid_under(image, shape):
    """A background brought to the size of an image, lower left corners together, transparent beyond its edges."""
    result = np.zeros(shape, np.uint8)
    rows, columns = min(image.shape[0], shape[0]), min(image.shape[1], shape[1])
    result[shape[0] - rows:, :columns] = image[image.shape[0] - rows:, :columns]
    return result


# Modes of one channel: B(backdrop, source).

def multiply(b, s):
    return b * s


def screen(b, s):
    return b + s - b * s


def hard_light(b, s):
    return np.where(s <= 0.5, multiply(b, 2 * s), screen(b, 2 * s - 1))


def color_dodge(b, s):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(b <= 0, 0, np.where(s >= 1, 1, np.minimum(1, b / (1 - s))))


def color_burn(b, s):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(b >= 1, 1, np.where(s <= 0, 0, 1 - np.minimum(1, (1 - b) / s)))


def soft_light(b, s):
    d = np.where(b <= 0.25, ((16 * b - 12) * b + 4) * b, np.sqrt(b))
    return np.where(s <= 0.5, b - (1 - 2 * s) * b * (1 - b), b + (2 * s - 1) * (d - b))


# Modes of a color as a whole.

def lum(c):
    return (c * LUMINOSITY).sum(axis=-1, keepdims=True)


def clip_color(c):
    l, n, x = lum(c), c.min(axis=-1, keepdims=True), c.max(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        c = np.where(n < 0, l + (c - l) * l / (l - n), c)
        return np.where(x > 1, l + (c - l) * (1 - l) / (x - l), c)


def set_lum(c, l):
    return clip_color(c + (l - lum(c)))


def sat(c):
    return c.max(axis=-1, keepdims=True) - c.min(axis=-1, keepdims=True)


def set_sat(c, s):
    low, span = c.min(axis=-1, keepdims=True), sat(c)
    return np.where(span > 0, (c - low) * s / np.where(span > 0, span, 1), 0)


MODES = {
    "multiply": multiply,
    "screen": screen,
    "overlay": lambda b, s: hard_light(s, b),
    "darken": np.minimum,
    "lighten": np.maximum,
    "colorDodge": color_dodge,
    "colorBurn": color_burn,
    "hardLight": hard_light,
    "softLight": soft_light,
    "difference": lambda b, s: np.abs(b - s),
    "exclusion": lambda b, s: b + s - 2 * b * s,
    "hue": lambda b, s: set_lum(set_sat(s, sat(b)), lum(b)),
    "saturation": lambda b, s: set_lum(set_sat(b, sat(s)), lum(b)),
    "color": lambda b, s: set_lum(s, lum(b)),
    "luminosity": lambda b, s: set_lum(b, lum(s)),
    "normal": lambda b, s: s,
}

# Core Image's own, composited as W3C's are.
OTHERS = {
    "linearBurn": lambda b, s: s + b - 1,
    "linearDodge": lambda b, s: s + b,
    "linearLight": lambda b, s: b + 2 * s - 1,
    "pinLight": lambda b, s: np.where(s <= 0.5, np.minimum(b, 2 * s), np.maximum(b, 2 * s - 1)),
    "vividLight": lambda b, s: np.where(s <= 0.5, color_burn(b, 2 * s), color_dodge(b, 2 * s - 1)),
    # A hair, so that what adds up to one does.
    "hardMix": lambda b, s: np.where(s + b >= 1 - 1e-6, 1, 0),
    "divide": lambda b, s: np.where(s > 0, b / np.where(s > 0, s, 1), 1),
    "subtract": lambda b, s: s - b,
}


def blended(above, below, mode, opacity=1.0):
    """co = cs as (1 - ab) + cb ab (1 - as) + as ab B(cb, cs), of premultiplied bytes."""
    cs, a_s = color.straight(above)
    cb, a_b = color.straight(below)
    a_s = a_s * opacity
    mixed = np.clip((MODES | OTHERS)[mode](cb, cs), 0, 1)
    colors = cs * a_s * (1 - a_b) + cb * a_b * (1 - a_s) + a_s * a_b * mixed
    return np.concatenate([colors, a_s + a_b - a_s * a_b], axis=-1) * 255


def porter_duff(fa, fb):
    """The shares of both by their alphas, at most 1."""
    def combine(above, below):
        s, b = above / 255.0, below / 255.0
        return np.minimum(s * fa(s[..., 3:], b[..., 3:]) + b * fb(s[..., 3:], b[..., 3:]), 1) * 255
    return combine


def mode(name):
    return lambda above, below: blended(above, below, name)


FILTERS = [
    ("CISourceOverCompositing", porter_duff(lambda s, b: 1, lambda s, b: 1 - s)),
    ("CISourceInCompositing", porter_duff(lambda s, b: b, lambda s, b: 0)),
    ("CISourceOutCompositing", porter_duff(lambda s, b: 1 - b, lambda s, b: 0)),
    ("CISourceAtopCompositing", porter_duff(lambda s, b: b, lambda s, b: 1 - s)),
    ("CIAdditionCompositing", porter_duff(lambda s, b: 1, lambda s, b: 1)),
    ("CIMaximumCompositing", np.maximum),
    ("CIMinimumCompositing", np.minimum),
    ("CIMultiplyCompositing", mode("multiply")),
] + [
    (f"CI{name[0].upper()}{name[1:]}BlendMode", mode(name)) for name in MODES | OTHERS if name != "normal"
]

# An image, and what lies behind it: opaque, glass over opaque, both transparent in places.
PAIRS = [("colors", "reverse"), ("glass", "reverse"), ("glass", "behind")]


def cases(images, make):
    for name, function in FILTERS:
        for source, background in PAIRS:
            below = laid_under(images[background], images[source].shape)
            yield make(name, source, {"inputBackgroundImage": background}, function(images[source], below))
    below = laid_under(images["patch"], images["glass"].shape)
    yield make("CISourceOverCompositing", "glass", {"inputBackgroundImage": "patch"},
               porter_duff(lambda s, b: 1, lambda s, b: 1 - s)(images["glass"], below))
    for source, background, mask in (
            ("colors", "reverse", "mask"), ("glass", "behind", "mask"), ("glass", "patch", "colors")):
        share = color.luminance(color.straight(images[mask])[0])
        below = laid_under(images[background], images[source].shape)
        yield make("CIBlendWithMask", source, {"inputBackgroundImage": background, "inputMaskImage": mask},
                   color.lerp(below.astype(float), images[source].astype(float), share))
    for name, channel in (("Alpha", 3), ("Red", 0), ("Blue", 2)):
        for source, mask in (("colors", "glass"), ("glass", "behind")):
            share = images[mask][..., channel:channel + 1] / 255
            yield make(f"CIBlendWith{name}Mask", source, {"inputBackgroundImage": "behind", "inputMaskImage": mask},
                       color.lerp(images["behind"].astype(float), images[source].astype(float), share))
    for source in ("colors", "glass"):
        above, below = images[source].astype(float), images["behind"].astype(float)
        difference = np.abs(above - below)
        difference[..., 3] = above[..., 3]
        yield make("CIColorAbsoluteDifference", source, {"inputImage2": "behind"},
                   np.minimum(difference, above[..., 3:]))
        for share in (0, 0.3, 0.6, 1):
            yield make("CIMix", source, {"inputBackgroundImage": "behind", "inputAmount": share},
                       blended(images[source], images["behind"], "normal", share))
            yield make("CIDissolveTransition", source, {"inputTargetImage": "behind", "inputTime": share},
                       color.lerp(above, below, share))
