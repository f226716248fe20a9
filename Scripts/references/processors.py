"""What processors must give, by cairo (shapes, laying over), Pillow (sizes, turns), and the formula of a Gaussian."""
import math

import cairo
import numpy as np
from PIL import Image

import blends
import blurs
from color import straight

# cairo covers edges in 15 x 17 samples a pixel, which is off by up to five 255ths: shapes are drawn so many times larger,
# and the mean of each square is taken.
OVERSAMPLING = 8


# cairo -----------------------------------------------------------------------------------------------------------

def surface(image):
    """cairo's pixels are premultiplied too, blue first."""
    height, width = image.shape[:2]
    data = bytearray(np.ascontiguousarray(image[..., [2, 1, 0, 3]]).tobytes())
    return cairo.ImageSurface.create_for_data(data, cairo.FORMAT_ARGB32, width, height, width * 4)


def pixels(target):
    target.flush()
    data = np.frombuffer(target.get_data(), np.uint8).reshape(target.get_height(), target.get_width(), 4)
    return data[..., [2, 1, 0, 3]].copy()


def canvas(width, height):
    target = cairo.ImageSurface(cairo.FORMAT_ARGB32, width, height)
    context = cairo.Context(target)
    context.set_antialias(cairo.ANTIALIAS_BEST)
    context.set_tolerance(0.001)
    return target, context


def outline(context, left, top, right, bottom, corners):
    """A rectangle with quarters of ellipses at its corners: upper left, upper right, lower right, lower left."""
    (a, b), (c, d), (e, f), (g, h) = corners
    context.new_path()
    for x, y, rx, ry, start in ((left + a, top + b, a, b, 2), (right - c, top + d, c, d, 3),
                                (right - e, bottom - f, e, f, 0), (left + g, bottom - h, g, h, 1)):
        if rx > 0 and ry > 0:
            context.save()
            context.translate(x, y)
            context.scale(rx, ry)
            context.arc(0, 0, 1, start * math.pi / 2, (start + 1) * math.pi / 2)
            context.restore()
        else:
            context.line_to(x, y)
    context.close_path()


def clipped(image, corners, border=None, borderWidth=0):
    """The image within a shape, with a line along the inside of its edge that is drawn over it."""
    height, width = image.shape[:2]
    target, context = canvas(width * OVERSAMPLING, height * OVERSAMPLING)
    context.scale(OVERSAMPLING, OVERSAMPLING)
    context.push_group()
    context.set_source_surface(surface(image))
    context.get_source().set_filter(cairo.FILTER_NEAREST)
    context.paint()
    if border:
        context.set_fill_rule(cairo.FILL_RULE_EVEN_ODD)
        inset = [tuple(max(radius - borderWidth, 0) for radius in corner) for corner in corners]
        context.set_source_rgba(*border)
        if min(width, height) > 2 * borderWidth:
            outline(context, borderWidth, borderWidth, width - borderWidth, height - borderWidth, inset)
        else:
            context.new_path()
        context.rectangle(0, 0, width, height)
        context.fill()
        context.set_fill_rule(cairo.FILL_RULE_WINDING)
    context.pop_group_to_source()
    outline(context, 0, 0, width, height, corners)
    context.fill()
    squares = pixels(target).reshape(height, OVERSAMPLING, width, OVERSAMPLING, 4)
    return squares.mean(axis=(1, 3))


def circle(image, **line):
    height, width = image.shape[:2]
    side = min(width, height)
    x, y = (width - side) // 2, (height - side) // 2
    return clipped(image[y:y + side, x:x + side], [(side / 2, side / 2)] * 4, **line)


def ellipse(image, **line):
    return clipped(image, [(image.shape[1] / 2, image.shape[0] / 2)] * 4, **line)


def rounded_corners(image, radii, **line):
    """Radii from the upper left by rows; where two meet all shrink by one factor (CSS Backgrounds and Borders)."""
    upper_left, upper_right, lower_left, lower_right = radii
    height, width = image.shape[:2]
    sides = ((width, upper_left + upper_right), (width, lower_left + lower_right),
             (height, upper_left + lower_left), (height, upper_right + lower_right))
    factor = min([1] + [length / both for length, both in sides if both > 0])
    return clipped(image, [(r * factor,) * 2 for r in (upper_left, upper_right, lower_right, lower_left)], **line)


def border(image, **line):
    return clipped(image, [(0, 0)] * 4, **line)


def overlay(below, image, origin, opacity=1, mode="normal"):
    """Laid over with cairo's operators, which are those of PDF and W3C."""
    height, width = below.shape[:2]
    target, context = canvas(width, height)
    context.set_source_surface(surface(below))
    context.paint()
    context.set_source_surface(surface(image), *origin)
    context.get_source().set_filter(cairo.FILTER_NEAREST)
    context.set_operator(OPERATORS[mode])
    context.rectangle(*origin, image.shape[1], image.shape[0])
    context.clip()
    context.paint_with_alpha(opacity)
    return pixels(target)


OPERATORS = {
    "normal": cairo.OPERATOR_OVER, "multiply": cairo.OPERATOR_MULTIPLY, "screen": cairo.OPERATOR_SCREEN,
    "overlay": cairo.OPERATOR_OVERLAY, "darken": cairo.OPERATOR_DARKEN, "lighten": cairo.OPERATOR_LIGHTEN,
    "colorDodge": cairo.OPERATOR_COLOR_DODGE, "colorBurn": cairo.OPERATOR_COLOR_BURN,
    "hardLight": cairo.OPERATOR_HARD_LIGHT, "softLight": cairo.OPERATOR_SOFT_LIGHT,
    "difference": cairo.OPERATOR_DIFFERENCE, "exclusion": cairo.OPERATOR_EXCLUSION, "hue": cairo.OPERATOR_HSL_HUE,
    "saturation": cairo.OPERATOR_HSL_SATURATION, "color": cairo.OPERATOR_HSL_COLOR,
    "luminosity": cairo.OPERATOR_HSL_LUMINOSITY,
}


def flatten(image, color):
    height, width = image.shape[:2]
    target, context = canvas(width, height)
    context.set_source_rgb(*color[:3])
    context.paint()
    context.set_source_surface(surface(image))
    context.paint()
    return pixels(target)


def even(like, color):
    rgba = [math.floor(c * 255 + 0.5) for c in color]
    return np.broadcast_to(np.array(rgba, float), like.shape)


def blend(image, color, mode="normal"):
    """A color over the image, where it is: as alpha b B(cb, cs) + (1 - as) cb ab, alpha staying."""
    tint = even(image, color) / 255
    share = tint[..., 3:]
    cb, ab = straight(image)
    mixed = np.clip(blends.MODES[mode](cb, tint[..., :3]), 0, 1)
    return np.concatenate([(cb * (1 - share) + mixed * share) * ab, ab], axis=-1) * 255


# Pillow ----------------------------------------------------------------------------------------------------------

def pillow(image):
    return Image.frombytes("RGBa", image.shape[1::-1], np.ascontiguousarray(image).tobytes())


def rows(image):
    return np.frombuffer(image.tobytes(), np.uint8).reshape(image.height, image.width, 4)


def rotate(image, degrees):
    """Clockwise about the middle; other angles than right ones are bilinear, with nothing around the image."""
    turns = {90: Image.ROTATE_270, 180: Image.ROTATE_180, 270: Image.ROTATE_90}
    if degrees % 360 in turns:
        return rows(pillow(image).transpose(turns[degrees % 360]))
    height, width = image.shape[:2]
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    wide = math.ceil(width * abs(cosine) + height * abs(sine) - 1e-6)
    high = math.ceil(width * abs(sine) + height * abs(cosine) - 1e-6)
    around = 2
    padded = np.pad(image, ((around, around), (around, around), (0, 0)))
    data = (cosine, sine, width / 2 + around - wide / 2 * cosine - high / 2 * sine,
            -sine, cosine, height / 2 + around + wide / 2 * sine - high / 2 * cosine)
    # Channel by channel in floats, which are not rounded.
    channels = [Image.fromarray(padded[..., c].astype(np.float32)).transform(
        (wide, high), Image.AFFINE, data, Image.BILINEAR) for c in range(4)]
    return np.stack([np.asarray(channel, float) for channel in channels], axis=-1)


def flip(image, vertical):
    return rows(pillow(image).transpose(Image.FLIP_TOP_BOTTOM if vertical else Image.FLIP_LEFT_RIGHT))


def crop(image, rectangle):
    x, y, width, height = rectangle
    return rows(pillow(image).crop((x, y, x + width, y + height)))


def pad(image, size, origin, color=(0, 0, 0, 0)):
    alpha = color[3]
    fill = tuple(math.floor(c * alpha * 255 + 0.5) for c in color[:3]) + (math.floor(alpha * 255 + 0.5),)
    result = Image.new("RGBA", tuple(size), fill)
    result.paste(Image.frombytes("RGBA", image.shape[1::-1], np.ascontiguousarray(image).tobytes()), tuple(origin))
    return rows(result)


def resize(image, size, region=None):
    height, width = image.shape[:2]
    box = (0, 0, width, height) if region is None else (
        region[0], region[1], region[0] + region[2], region[1] + region[3])
    return rows(pillow(image).resize(tuple(size), Image.LANCZOS, box=box))


# The formula -----------------------------------------------------------------------------------------------------

def gaussian_blur(image, radius):
    return blurs.gaussian(image, radius)


def sharpen(image, radius, amount):
    return blurs.sharpen_luminance(image, inputSharpness=amount, inputRadius=radius)


RED, MINT, SEA = [1, 0.2, 0, 1], [0.6, 1, 0.8, 0.6], [0, 0.4, 0.6, 0.5]

# Name, reference, how far results may lie from it, and sources with parameters.
PROCESSORS = [
    ("circle", circle, 1, [
        ("scene", {}), ("leaf", {}), ("scene", {"border": RED, "borderWidth": 2}),
        ("leaf", {"border": MINT, "borderWidth": 2.5})]),
    ("ellipse", ellipse, 1, [
        ("scene", {}), ("leaf", {})]),
    ("roundedCorners", rounded_corners, 1, [
        ("scene", {"radii": [6, 6, 6, 6]}), ("scene", {"radii": [2.5, 8, 0, 5]}), ("leaf", {"radii": [30, 10, 4, 20]}),
        ("scene", {"radii": [7, 0, 3, 8], "border": MINT, "borderWidth": 1.75}),
        ("leaf", {"radii": [5, 5, 5, 5], "border": RED, "borderWidth": 3})]),
    ("border", border, 1, [
        ("scene", {"border": RED, "borderWidth": 1}), ("scene", {"border": SEA, "borderWidth": 2.5}),
        ("leaf", {"border": SEA, "borderWidth": 9})]),
    ("overlay", overlay, 1, [
        ("scene", {"image": "patch", "origin": [13, 8]}), ("leaf", {"image": "patch", "origin": [-3, 11], "opacity": 0.5}),
    ] + [("scene" if index % 2 else "leaf", {"image": "glass", "origin": [4, 2], "mode": mode})
         for index, mode in enumerate(OPERATORS) if mode != "normal"]),
    ("flatten", flatten, 1, [("leaf", {"color": [1, 1, 1, 1]}), ("glass", {"color": [0.2, 0.4, 0.6, 0]})]),
    ("blend", blend, 1, [
        ("leaf", {"color": SEA}), ("scene", {"color": MINT, "mode": "multiply"}),
        ("glass", {"color": [0.9, 0.3, 0.1, 0.7], "mode": "softLight"}),
        ("glass", {"color": [0.1, 0.3, 0.9, 1], "mode": "hue"})]),
    ("rotate", rotate, 0, [("leaf", {"degrees": degrees}) for degrees in (90, 180, 270)]),
    ("rotate", rotate, 1, [("scene", {"degrees": 30}), ("leaf", {"degrees": 200.5}), ("leaf", {"degrees": -3})]),
    ("flip", flip, 0, [("leaf", {"vertical": 0}), ("leaf", {"vertical": 1})]),
    ("crop", crop, 0, [("leaf", {"rectangle": [3, 5, 11, 8]}), ("scene", {"rectangle": [0, 0, 24, 1]})]),
    ("pad", pad, 0, [
        ("patch", {"size": [14, 9], "origin": [2, 1]}),
        ("patch", {"size": [9, 16], "origin": [0, 9], "color": [0.9, 0.5, 0.1, 0.4]})]),
    ("resize", resize, 1, [
        ("scene", {"size": [11, 7]}), ("leaf", {"size": [30, 20]}), ("leaf", {"size": [6, 20]}),
        ("scene", {"size": [9, 9], "region": [4, 0, 16, 16]})]),
    ("gaussianBlur", gaussian_blur, 1, [
        ("scene", {"radius": 1}), ("leaf", {"radius": 3}), ("leaf", {"radius": 8}), ("scene", {"radius": 40})]),
    # What the blur is off by counts as often as it is added.
    ("sharpen", sharpen, 2, [
        ("scene", {"radius": 1, "amount": 0.5}), ("leaf", {"radius": 2, "amount": 2})]),
]


def cases(images, make):
    for name, function, within, sets in PROCESSORS:
        for source, parameters in sets:
            given = {key: images[value] if key == "image" else value for key, value in parameters.items()}
            yield make(name, source, parameters, function(images[source], **given), within=within)
