"""Filters that put pixels together in other ways. Points count from the lower left, as Core Image's do."""
import numpy as np

import fixture


def pixellate(image, inputCenter=(150, 150), inputScale=8):
    """The mean of each square; squares begin at the center, their edges rounded to whole pixels."""
    height, width = image.shape[:2]

    def parts(count, through):
        steps = np.arange(-2000, 2000) * inputScale + through
        inside = sorted({int(np.floor(s + 0.5)) for s in steps if 0 < np.floor(s + 0.5) < count})
        return list(zip([0] + inside, inside + [count]))

    result = image.astype(float)
    for top, bottom in parts(height, height - inputCenter[1]):
        for left, right in parts(width, inputCenter[0]):
            result[top:bottom, left:right] = image[top:bottom, left:right].mean(axis=(0, 1))
    return result


def crop(image, inputRectangle):
    x, y, width, height = inputRectangle
    rows, columns = image.shape[:2]
    left, right = (int(np.clip(np.floor(v + 0.5), 0, columns)) for v in (x, x + width))
    low, high = (int(np.clip(np.floor(v + 0.5), 0, rows)) for v in (y, y + height))
    return image[rows - high:rows - low, left:right]


def lanczos_weights(count, size):
    """For each of `size` pixels the weights of `count` ones: sinc(x) sinc(x / 3), widened where pixels get fewer."""
    ratio = count / size
    center = (np.arange(size)[:, None] + 0.5) * ratio
    x = (np.arange(count)[None, :] + 0.5 - center) / max(ratio, 1)
    weights = np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)
    return weights / weights.sum(axis=1, keepdims=True)


def lanczos(image, inputScale=1, inputAspectRatio=1):
    height, width = image.shape[:2]
    high, wide = (max(int(np.floor(v + 0.5)), 1) for v in (height * inputScale, width * inputScale * inputAspectRatio))
    # Rows first, each pass within 0...255, as bytes are.
    result = np.clip(np.einsum("xw,hwc->hxc", lanczos_weights(width, wide), image.astype(float)), 0, 255)
    result = np.clip(np.einsum("yh,hxc->yxc", lanczos_weights(height, high), result), 0, 255)
    result[..., :3] = np.minimum(result[..., :3], result[..., 3:])
    return result


FILTERS = [
    ("CIPixellate", pixellate, [
        {"inputCenter": [5, 3], "inputScale": 4}, {"inputCenter": [0, 0], "inputScale": 3.3}, {}], 1),
    ("CICrop", crop, [
        {"inputRectangle": [3, 2, 9, 7]}, {"inputRectangle": [-4, 5.6, 9.5, 40]}, {"inputRectangle": [23, 0, 1, 1]}], 0),
    ("CILanczosScaleTransform", lanczos, [
        {"inputScale": 0.6}, {"inputScale": 1.25, "inputAspectRatio": 0.7}, {"inputScale": 0.3}], 1),
]

SOURCES = ["scene", "leaf", "leaf"]


def cases(images, make):
    for name, function, sets, within in FILTERS:
        yield from fixture.cases_of(images, make, SOURCES, (name, function, sets, {"within": within}, []))
