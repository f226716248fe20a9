"""Filters that look each pixel up at another place: transforms, perspective, lenses, tiles.

Places are arrays of x and y, counted from the lower left corner, the middle of the pixel there being 0.5, 0.5.
"""
import math

import numpy as np

import color
import fixture


def looked_up(image, x, y, transparent=False):
    """The four pixels around each place mixed by how near they are; what is no number is transparent."""
    height, width = image.shape[:2]
    nowhere = np.isnan(x) | np.isnan(y)
    x, y = np.where(nowhere, 0, x) - 0.5, height - np.where(nowhere, 0, y) - 0.5
    if not transparent:
        x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
    left, top = np.floor(x), np.floor(y)
    result = 0
    for dx in (0, 1):
        for dy in (0, 1):
            column, row = (left + dx).astype(int), (top + dy).astype(int)
            weight = np.where(dx, x - left, 1 - (x - left)) * np.where(dy, y - top, 1 - (y - top))
            inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
            pixel = image[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)].astype(float)
            result = result + pixel * (weight * (inside if transparent else 1))[..., None]
    return np.where(nowhere[..., None], 0, result)


def warped(image, place, size=None, transparent=False, samples=1):
    """The image looked up where `place` takes the middle of each pixel; or the mean of n x n places within it."""
    width, height = size or image.shape[1::-1]
    result = 0
    for j in range(samples):
        for i in range(samples):
            y, x = np.mgrid[0:height, 0:width].astype(float)
            x, y = x + (i + 0.5) / samples, height - (y + (j + 0.5) / samples)
            with np.errstate(all="ignore"):
                result = result + looked_up(image, *place(x, y), transparent=transparent)
    return result / samples**2


# Transforms ------------------------------------------------------------------------------------------------------

def inverse(transform):
    a, b, c, d, tx, ty = transform
    matrix = np.linalg.inv(np.array([[a, c, tx], [b, d, ty], [0, 0, 1]]))
    return lambda x, y: (matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2],
                         matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2])


def samples_for(transform):
    a, b, c, d = transform[:4]
    return max(math.ceil(1 / math.sqrt(abs(a * d - b * c)) - 1e-6), 1)


def affine_transform(image, inputTransform):
    a, b, c, d, tx, ty = inputTransform
    height, width = image.shape[:2]
    corners = [(a * x + c * y + tx, b * x + d * y + ty) for x in (0, width) for y in (0, height)]
    left, bottom = (math.floor(min(p[i] for p in corners) + 1e-6) for i in (0, 1))
    right, top = (math.ceil(max(p[i] for p in corners) - 1e-6) for i in (0, 1))
    back = inverse(inputTransform)
    return warped(image, lambda x, y: back(x + left, y + bottom), (right - left, top - bottom), True,
                  samples_for(inputTransform))


def affine_clamp(image, inputTransform):
    return warped(image, inverse(inputTransform), samples=samples_for(inputTransform))


def affine_tile(image, inputTransform):
    back, (height, width) = inverse(inputTransform), image.shape[:2]

    def place(x, y):
        x, y = back(x, y)
        return x % width, y % height

    return warped(image, place, samples=samples_for(inputTransform))


def straighten(image, inputAngle):
    height, width = image.shape[:2]
    scale = abs(math.cos(inputAngle)) + abs(math.sin(inputAngle)) * max(width / height, height / width)
    cosine, sine = math.cos(inputAngle) / scale, math.sin(inputAngle) / scale

    def place(x, y):
        x, y = x - width / 2, y - height / 2
        return cosine * x + sine * y + width / 2, cosine * y - sine * x + height / 2

    return warped(image, place)


def homography(sources, targets):
    """The matrix of the perspective that takes four points to four others, by its eight linear equations."""
    system, right = [], []
    for (u, v), (x, y) in zip(sources, targets):
        system += [[u, v, 1, 0, 0, 0, -u * x, -v * x], [0, 0, 0, u, v, 1, -u * y, -v * y]]
        right += [x, y]
    return np.append(np.linalg.solve(np.array(system, float), np.array(right, float)), 1).reshape(3, 3)


def projected(matrix):
    """Where the matrix takes places; nowhere behind the viewer."""
    def place(x, y):
        u, v, w = (matrix[i, 0] * x + matrix[i, 1] * y + matrix[i, 2] for i in range(3))
        return np.where(w > 0, u / w, np.nan), np.where(w > 0, v / w, np.nan)
    return place


def quadrilateral(image, corners):
    """The image's corners, and those given, from the lower left counterclockwise."""
    height, width = image.shape[:2]
    keys = ("inputBottomLeft", "inputBottomRight", "inputTopRight", "inputTopLeft")
    return [(0, 0), (width, 0), (width, height), (0, height)], [corners[key] for key in keys]


def scale_of(points, image):
    """The root of the image's area by that of a polygon, rounded up."""
    area = abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, points[1:] + points[:1]))) / 2
    return max(math.ceil(math.sqrt(image.shape[0] * image.shape[1] / area) - 1e-6), 1)


def back_from(own, points):
    """From the quadrilateral to the image; the sign is that of what the viewer sees."""
    forth = homography(own, points)
    back = np.linalg.inv(forth)
    middle = np.array([sum(p[0] for p in points) / 4, sum(p[1] for p in points) / 4, 1])
    return projected(back * np.sign(back[2] @ middle))


def perspective_transform(image, **corners):
    own, points = quadrilateral(image, corners)
    left, bottom = (math.floor(min(p[i] for p in points) + 1e-6) for i in (0, 1))
    right, top = (math.ceil(max(p[i] for p in points) - 1e-6) for i in (0, 1))
    back = back_from(own, points)
    return warped(image, lambda x, y: back(x + left, y + bottom), (right - left, top - bottom), True,
                  scale_of(points, image))


def perspective_tile(image, **corners):
    own, points = quadrilateral(image, corners)
    back, (height, width) = back_from(own, points), image.shape[:2]

    def place(x, y):
        x, y = back(x, y)
        return x % width, y % height

    return warped(image, place, samples=scale_of(points, image))


def perspective_correction(image, **corners):
    _, (a, b, c, d) = quadrilateral(image, corners)
    width = max(math.floor(max(math.dist(a, b), math.dist(d, c)) + 0.5), 1)
    height = max(math.floor(max(math.dist(a, d), math.dist(b, c)) + 0.5), 1)
    matrix = homography([(0, 0), (width, 0), (width, height), (0, height)], [a, b, c, d])
    return warped(image, projected(matrix), (width, height), True)


# Lenses: p is counted from the center, r is its length -----------------------------------------------------------

def around_center(function):
    """A filter of which `function` tells from dx, dy, r and the parameters where to look, from the center."""
    def apply(image, inputCenter=(150, 150), transparent=False, **parameters):
        def place(x, y):
            dx, dy = x - inputCenter[0], y - inputCenter[1]
            dx, dy = function(dx, dy, np.hypot(dx, dy), **parameters)
            return inputCenter[0] + dx, inputCenter[1] + dy
        return warped(image, place, transparent=transparent)
    return apply


def turned(x, y, angle):
    """Counterclockwise."""
    return x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)


@around_center
def bump(dx, dy, r, inputRadius=300, inputScale=0.5):
    factor = np.where(r < inputRadius, 1 - inputScale * (1 - r**2 / inputRadius**2) ** 2, 1)
    return dx * factor, dy * factor


@around_center
def bump_linear(dx, dy, r, inputRadius=300, inputAngle=0, inputScale=0.5):
    along, across = turned(dx, dy, -inputAngle)
    near = np.abs(across) < inputRadius
    across = np.where(near, across * (1 - inputScale * (1 - across**2 / inputRadius**2) ** 2), across)
    return turned(along, across, inputAngle)


@around_center
def pinch(dx, dy, r, inputRadius=300, inputScale=0.5):
    factor = np.where((r < inputRadius) & (r > 0), (r / inputRadius) ** (1 / (1 + inputScale) - 1), 1)
    return dx * factor, dy * factor


def swirl(power):
    def function(dx, dy, r, inputRadius=300, inputAngle=math.pi):
        return turned(dx, dy, -inputAngle * np.maximum(1 - r / inputRadius, 0) ** power)
    return around_center(function)


@around_center
def hole(dx, dy, r, inputRadius=150):
    factor = np.where(r > inputRadius, 1 - inputRadius**2 / r**2, np.nan)
    return dx * factor, dy * factor


@around_center
def splash(dx, dy, r, inputRadius=150):
    factor = np.where(r > inputRadius, inputRadius / r, 1)
    return dx * factor, dy * factor


@around_center
def light_tunnel(dx, dy, r, inputRotation=0, inputRadius=100):
    factor = np.where(r > inputRadius, inputRadius / r, 1)
    dx, dy = turned(dx, dy, -inputRotation * (1 - factor))
    return dx * factor, dy * factor


def circular_wrap(image, inputCenter=(150, 150), inputRadius=150, inputAngle=0):
    width = image.shape[1]

    def place(x, y):
        dx, dy = x - inputCenter[0], y - inputCenter[1]
        # Clockwise from above the center, in turns.
        clockwise = np.arctan2(dx, dy) + inputAngle
        return clockwise / (2 * math.pi) % 1 * width, np.hypot(dx, dy) - inputRadius

    return warped(image, place, transparent=True)


def refracted(s, index):
    """Light falling straight on half a round rod of radius 1, s from its middle, arrives here at the flat side."""
    incidence = np.arcsin(s)
    refraction = np.arcsin(np.clip(s / index, -1, 1))
    return s - np.sqrt(1 - s**2) * np.tan(incidence - refraction)


@around_center
def torus_lens(dx, dy, r, inputRadius=160, inputWidth=80, inputRefraction=1.7):
    half = inputWidth / 2
    s = (r - inputRadius) / half
    inside = (np.abs(s) < 1) & (r > 0)
    factor = np.where(inside, (inputRadius + half * refracted(np.where(inside, s, 0), inputRefraction)) / r, 1)
    return dx * factor, dy * factor


def lozenge(image, inputPoint0=(150, 150), inputPoint1=(350, 150), inputRadius=100, inputRefraction=1.7):
    a, b = np.array(inputPoint0, float), np.array(inputPoint1, float)

    def place(x, y):
        along = np.clip(((x - a[0]) * (b - a)[0] + (y - a[1]) * (b - a)[1]) / ((b - a) @ (b - a)), 0, 1)
        nx, ny = a[0] + along * (b - a)[0], a[1] + along * (b - a)[1]
        s = np.hypot(x - nx, y - ny) / inputRadius
        inside = (s < 1) & (s > 0)
        factor = np.where(inside, refracted(np.where(inside, s, 0), inputRefraction) / s, 1)
        return np.where(inside, nx + (x - nx) * factor, x), np.where(inside, ny + (y - ny) * factor, y)

    return warped(image, place)


def at_pixels(other, x, y):
    """The pixels of another image that lie at the lower left, going on beyond its edges."""
    rows = other.shape[0] - 1 - np.clip(np.floor(y).astype(int), 0, other.shape[0] - 1)
    return other[rows, np.clip(np.floor(x).astype(int), 0, other.shape[1] - 1)] / 255


def displacement(image, inputDisplacementImage, inputScale=50):
    def place(x, y):
        pixel = at_pixels(inputDisplacementImage, x, y)
        return x + inputScale * (pixel[..., 0] - 0.5), y + inputScale * (pixel[..., 1] - 0.5)
    return warped(image, place)


def glass(image, inputTexture, inputCenter=(150, 150), inputScale=200):
    height, width = inputTexture.shape[:2]
    light = (inputTexture[::-1, :, :3] / 255 * color.LUMINANCE).sum(axis=-1)

    def place(x, y):
        i = np.floor((x - inputCenter[0]) % width).astype(int) % width
        j = np.floor((y - inputCenter[1]) % height).astype(int) % height
        across = (light[j, (i + 1) % width] - light[j, (i - 1) % width]) / 2
        up = (light[(j + 1) % height, i] - light[(j - 1) % height, i]) / 2
        return x + inputScale * across, y + inputScale * up

    return warped(image, place)


# Tiles: u and v count them from the center -----------------------------------------------------------------------

def tile(fold):
    """A filter of which `fold` takes u and v to those that are looked up."""
    def apply(image, inputCenter=(150, 150), inputAngle=0, inputWidth=100, inputAcuteAngle=math.pi / 2, **parameters):
        right = np.array([math.cos(inputAngle), math.sin(inputAngle)]) * inputWidth
        up = np.array([math.cos(inputAngle + inputAcuteAngle), math.sin(inputAngle + inputAcuteAngle)]) * inputWidth
        to_tiles = np.linalg.inv(np.stack([right, up], axis=1))

        def place(x, y):
            dx, dy = x - inputCenter[0], y - inputCenter[1]
            u, v = fold(to_tiles[0, 0] * dx + to_tiles[0, 1] * dy, to_tiles[1, 0] * dx + to_tiles[1, 1] * dy,
                        **parameters)
            return inputCenter[0] + right[0] * u + up[0] * v, inputCenter[1] + right[1] * u + up[1] * v

        return warped(image, place)
    return apply


def mirrored(t):
    return 1 - np.abs(t % 2 - 1)


def eightfold(u, v):
    u, v = mirrored(u), mirrored(v)
    return np.maximum(u, v), np.minimum(u, v)


def fourfold_rotated(u, v):
    # Around the corner 1, 1 of a block of four; each quarter is turned into the lower left one.
    x, y = u % 2 - 1, v % 2 - 1
    for _ in range(3):
        elsewhere = ~((x < 0) & (y < 0))
        x, y = np.where(elsewhere, y, x), np.where(elsewhere, -x, y)
    return x + 1, y + 1


def glide_reflected(u, v):
    odd = np.floor(v) % 2 == 1
    return (u + odd * 0.5) % 1, np.where(odd, 1 - v % 1, v % 1)


def op_tile(u, v, inputScale=2.8):
    mu, mv = np.floor(u) + 0.5, np.floor(v) + 0.5
    return mu + (u - mu) * inputScale, mv + (v - mv) * inputScale


def kaleidoscope(image, inputCount=6, inputCenter=(150, 150), inputAngle=0):
    sector = math.pi / round(inputCount)

    def place(x, y):
        dx, dy = x - inputCenter[0], y - inputCenter[1]
        angle = inputAngle + mirrored((np.arctan2(dy, dx) - inputAngle) / sector) * sector
        r = np.hypot(dx, dy)
        return inputCenter[0] + r * np.cos(angle), inputCenter[1] + r * np.sin(angle)

    return warped(image, place)


def folded_into_triangle(x, y, center, side, angle):
    """Mirrored at one side of an upright triangle, turned by the angle, after the other, until it is inside."""
    inner = side / (2 * math.sqrt(3))
    x, y = turned(x - center[0], y - center[1], -angle)
    inside = np.ones_like(x, bool)
    for step in range(600):
        a = math.pi * (2 * (step % 3) / 3 - 0.5)
        beyond = np.maximum(x * math.cos(a) + y * math.sin(a) - inner, 0)
        inside &= beyond == 0 if step < 3 else True
        x, y = x - 2 * beyond * math.cos(a), y - 2 * beyond * math.sin(a)
    x, y = turned(x, y, angle)
    return center[0] + x, center[1] + y, inside


def triangle_tile(image, inputCenter=(150, 150), inputAngle=0, inputWidth=100):
    return warped(image, lambda x, y: folded_into_triangle(x, y, inputCenter, inputWidth, inputAngle)[:2])


def triangle_kaleidoscope(image, inputPoint=(150, 150), inputSize=700, inputRotation=5.924285296593801,
                          inputDecay=0.85):
    result = warped(image, lambda x, y: folded_into_triangle(x, y, inputPoint, inputSize, inputRotation)[:2])
    y, x = np.mgrid[0:image.shape[0], 0:image.shape[1]] + 0.5
    y = image.shape[0] - y
    inside = folded_into_triangle(x, y, inputPoint, inputSize, inputRotation)[2]
    r = np.hypot(x - inputPoint[0], y - inputPoint[1])
    result[..., :3] *= np.where(inside, 1, inputDecay ** (r / inputSize))[..., None]
    return result


# The cases -------------------------------------------------------------------------------------------------------

NEAR, FAR = [0.8, 0.3, -0.2, 0.9, 2, 1], [0.6, -0.25, 0.3, 0.55, -1.3, 6.4]
CORNERS = [
    {"inputTopLeft": [3, 15], "inputTopRight": [21, 13.5], "inputBottomRight": [19, 2], "inputBottomLeft": [5, 4]},
    {"inputTopLeft": [-4, 20.5], "inputTopRight": [20, 24], "inputBottomRight": [29.3, -2], "inputBottomLeft": [1, 3]},
]
CENTER, ASIDE = [13, 7.3], [8.2, 9]

FILTERS = [
    ("CIAffineTransform", affine_transform, [{"inputTransform": NEAR}, {"inputTransform": FAR}]),
    ("CIAffineClamp", affine_clamp, [{"inputTransform": NEAR}, {"inputTransform": FAR}]),
    ("CIAffineTile", affine_tile, [{"inputTransform": NEAR}, {"inputTransform": FAR}]),
    ("CIStraightenFilter", straighten, [{"inputAngle": 0.3}, {"inputAngle": -1.1}]),
    ("CIPerspectiveTransform", perspective_transform, CORNERS),
    ("CIPerspectiveTile", perspective_tile, CORNERS),
    ("CIPerspectiveCorrection", perspective_correction, CORNERS),
    ("CIBumpDistortion", bump, [
        {"inputCenter": CENTER, "inputRadius": 10}, {"inputCenter": ASIDE, "inputRadius": 7, "inputScale": -0.8}]),
    ("CIBumpDistortionLinear", bump_linear, [
        {"inputCenter": CENTER, "inputRadius": 8, "inputAngle": 0.4},
        {"inputCenter": ASIDE, "inputRadius": 6, "inputAngle": 2, "inputScale": -0.7}]),
    ("CIPinchDistortion", pinch, [
        {"inputCenter": CENTER, "inputRadius": 11}, {"inputCenter": ASIDE, "inputRadius": 7, "inputScale": 1.3}]),
    ("CITwirlDistortion", swirl(2), [
        {"inputCenter": CENTER, "inputRadius": 12}, {"inputCenter": ASIDE, "inputRadius": 9, "inputAngle": -2}]),
    ("CIVortexDistortion", swirl(4), [
        {"inputCenter": CENTER, "inputRadius": 14, "inputAngle": 5},
        {"inputCenter": ASIDE, "inputRadius": 9, "inputAngle": -3}]),
    ("CIHoleDistortion", hole, [
        {"inputCenter": CENTER, "inputRadius": 4}, {"inputCenter": ASIDE, "inputRadius": 2.2}]),
    ("CICircleSplashDistortion", splash, [
        {"inputCenter": CENTER, "inputRadius": 5}, {"inputCenter": ASIDE, "inputRadius": 3}]),
    ("CILightTunnel", light_tunnel, [
        {"inputCenter": CENTER, "inputRadius": 4, "inputRotation": 2},
        {"inputCenter": ASIDE, "inputRadius": 3, "inputRotation": -1}]),
    ("CICircularWrap", circular_wrap, [
        {"inputCenter": CENTER, "inputRadius": 1.5}, {"inputCenter": ASIDE, "inputRadius": 3, "inputAngle": 1}]),
    ("CITorusLensDistortion", torus_lens, [
        {"inputCenter": CENTER, "inputRadius": 6, "inputWidth": 6},
        {"inputCenter": ASIDE, "inputRadius": 4, "inputWidth": 5, "inputRefraction": 0.7}]),
    ("CIGlassLozenge", lozenge, [
        {"inputPoint0": [6, 6], "inputPoint1": [17, 9], "inputRadius": 6},
        {"inputPoint0": [12, 3], "inputPoint1": [5, 12], "inputRadius": 5, "inputRefraction": 1.2}]),
    ("CIDisplacementDistortion", displacement, [
        {"inputDisplacementImage": "reverse", "inputScale": 6}, {"inputDisplacementImage": "glass", "inputScale": -4}]),
    ("CIGlassDistortion", glass, [
        {"inputTexture": "mask", "inputCenter": [3.3, 2.2], "inputScale": 12},
        {"inputTexture": "backdrop", "inputCenter": ASIDE, "inputScale": 15}]),
    ("CIFourfoldTranslatedTile", tile(lambda u, v: (u % 1, v % 1)), [
        {"inputCenter": CENTER, "inputWidth": 6, "inputAngle": 0.2},
        {"inputCenter": ASIDE, "inputWidth": 5, "inputAngle": 1, "inputAcuteAngle": 1.2}]),
    ("CIFourfoldReflectedTile", tile(lambda u, v: (mirrored(u), mirrored(v))), [
        {"inputCenter": CENTER, "inputWidth": 6, "inputAngle": 0.2},
        {"inputCenter": ASIDE, "inputWidth": 5, "inputAngle": 1, "inputAcuteAngle": 1.2}]),
    ("CIParallelogramTile", tile(lambda u, v: (mirrored(u), mirrored(v))), [
        {"inputCenter": CENTER, "inputWidth": 7, "inputAngle": -0.4, "inputAcuteAngle": 0.9},
        {"inputCenter": ASIDE, "inputWidth": 4}]),
    ("CIEightfoldReflectedTile", tile(eightfold), [
        {"inputCenter": CENTER, "inputWidth": 6, "inputAngle": 0.2}, {"inputCenter": ASIDE, "inputWidth": 5}]),
    ("CIFourfoldRotatedTile", tile(fourfold_rotated), [
        {"inputCenter": CENTER, "inputWidth": 6, "inputAngle": 0.2}, {"inputCenter": [8.2, 9.3], "inputWidth": 5}]),
    ("CIGlideReflectedTile", tile(glide_reflected), [
        {"inputCenter": CENTER, "inputWidth": 6, "inputAngle": 0.2}, {"inputCenter": [8.2, 9.3], "inputWidth": 5}]),
    ("CIOpTile", tile(op_tile), [
        {"inputCenter": CENTER, "inputWidth": 6, "inputAngle": 0.2},
        {"inputCenter": [8.2, 9.3], "inputWidth": 7, "inputScale": 0.8}]),
    ("CIKaleidoscope", kaleidoscope, [
        {"inputCenter": CENTER}, {"inputCenter": ASIDE, "inputCount": 3, "inputAngle": 0.7}]),
    ("CITriangleTile", triangle_tile, [
        {"inputCenter": CENTER, "inputWidth": 8}, {"inputCenter": ASIDE, "inputWidth": 6, "inputAngle": 0.5}]),
    ("CITriangleKaleidoscope", triangle_kaleidoscope, [
        {"inputPoint": CENTER, "inputSize": 10}, {"inputPoint": ASIDE, "inputSize": 7, "inputRotation": 1,
                                                   "inputDecay": 0.4}]),
]

# Lenses that reach beyond the image, as strong as can be; obtuse tiles; transforms that mirror, shear and lead far away.
MIDDLE = {"inputCenter": [8.3, 5.9]}
WIDE = MIDDLE | {"inputRadius": 18}
TILES = [
    MIDDLE | {"inputAngle": 0.4, "inputWidth": 4.1}, MIDDLE | {"inputAngle": -1.1, "inputWidth": 9.3}]
SLANTED = [TILES[0] | {"inputAcuteAngle": 0.9}, TILES[1] | {"inputAcuteAngle": 1.9}]
MAPS = [{"inputTransform": [1.2, 0, 0.5, -1, 10, 30]}, {"inputTransform": [2, 0.1, 0.2, 1.7, 0, 0]}]
ON_NOISE = {
    "CIAffineTransform": [
        {"inputTransform": [1, 0, 0, 1, 0.25, -0.5]}, {"inputTransform": [0.4, 0, 0, -0.3, 100, 7]},
        {"inputTransform": [1, 0, 1.5, 2, 0, 0]}],
    "CIAffineClamp": MAPS,
    "CIAffineTile": MAPS,
    "CIStraightenFilter": [{"inputAngle": 2}],
    "CIPerspectiveCorrection": [
        {"inputBottomLeft": [-2, 2.5], "inputBottomRight": [28, -3.5], "inputTopRight": [33, 18],
         "inputTopLeft": [5, 11]},
        {"inputBottomLeft": [0, 0], "inputBottomRight": [19, 0], "inputTopRight": [19, 13], "inputTopLeft": [0, 13]}],
    "CIBumpDistortion": [WIDE | {"inputScale": 1}],
    "CIBumpDistortionLinear": [WIDE | {"inputScale": 1, "inputAngle": 1}],
    "CIPinchDistortion": [WIDE | {"inputScale": 1}],
    "CITwirlDistortion": [WIDE | {"inputAngle": 3}],
    "CIVortexDistortion": [WIDE | {"inputAngle": 20}],
    "CIHoleDistortion": [MIDDLE | {"inputRadius": 6.1}],
    "CICircleSplashDistortion": [MIDDLE | {"inputRadius": 6.1}],
    "CILightTunnel": [MIDDLE | {"inputRadius": 6.1, "inputRotation": 2}],
    "CICircularWrap": [MIDDLE | {"inputRadius": 3.1, "inputAngle": 1}],
    "CITorusLensDistortion": [MIDDLE | {"inputRadius": 6.1, "inputWidth": 4, "inputRefraction": 2}],
    "CIGlassLozenge": [{"inputPoint0": [4, 6], "inputPoint1": [12, 6], "inputRadius": 6.1, "inputRefraction": 3}],
    "CIDisplacementDistortion": [{"inputDisplacementImage": "mist", "inputScale": -20}],
    "CIGlassDistortion": [{"inputTexture": "grain", "inputCenter": [3, 11], "inputScale": -20}],
    "CIFourfoldTranslatedTile": SLANTED,
    "CIFourfoldReflectedTile": SLANTED,
    "CIParallelogramTile": SLANTED,
    "CIEightfoldReflectedTile": TILES,
    "CIFourfoldRotatedTile": TILES,
    "CIGlideReflectedTile": TILES,
    "CIOpTile": [TILES[0] | {"inputScale": 0.9}, TILES[1] | {"inputScale": 1.9}],
    "CIKaleidoscope": [MIDDLE | {"inputCount": 8, "inputAngle": -1.1}],
    "CITriangleTile": TILES,
    "CITriangleKaleidoscope": [
        {"inputPoint": [8, 6], "inputSize": 12, "inputRotation": 0, "inputDecay": decay} for decay in (0, 0.3, 1)],
}

SOURCES = ["scene", "leaf"]


def cases(images, make):
    for name, function, sets in FILTERS:
        yield from fixture.cases_of(images, make, SOURCES, (name, function, sets, {}, ON_NOISE.get(name, [])))
