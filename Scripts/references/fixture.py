"""How references are kept: a sheet of images and a list of cases for each family.

A sheet is an opaque PNG. Its left half holds the premultiplied colors of the results, its right half, at the same
places, their alpha as gray: nothing is lost by multiplying, and one can look at it.
"""
import json

import numpy as np
from PIL import Image

COLUMNS = 12


class Case:
    """What is done, to what, and what must come of it."""

    def __init__(self, name, source, parameters, result, within=1, psnr=None):
        self.name = name
        self.source = source
        self.parameters = parameters
        # Exact values, in 255ths.
        self.result = result
        self.within = within
        self.psnr = psnr


def cases_of(images, make, sources, entry):
    """One case for each source and set of parameters, and one on opaque noise and one on transparent noise for each
    further set. What a parameter names is an image, if there is one of that name.

    An entry is a name, a function, the sets of parameters, the keywords of `Case`, and further sets.
    """
    name, function, sets, keywords, noisy = entry
    pairs = list(zip(sources, sets)) + [(source, parameters) for parameters in noisy for source in ("grain", "mist")]
    for source, parameters in pairs:
        values = {
            key: images.get(value, value) if isinstance(value, str) else value for key, value in parameters.items()}
        yield make(name, source, parameters, function(images[source], **values), **keywords)


def rounded(result):
    """Exact values as bytes, color within alpha."""
    result = np.clip(np.floor(np.asarray(result, np.float64) + 0.5), 0, 255).astype(np.uint8)
    result[..., :3] = np.minimum(result[..., :3], result[..., 3:])
    return result


def places(images):
    """Where images lie on a sheet, row by row, and the sheet's half size."""
    result, x, y, height, width = [], 0, 0, 0, 0
    for index, image in enumerate(images):
        if index % COLUMNS == 0:
            x, y, height = 0, y + height, 0
        result.append((x, y))
        x, height = x + image.shape[1], max(height, image.shape[0])
        width = max(width, x)
    return result, (width, y + height)


def sheet(images):
    where, (width, height) = places(images)
    canvas = np.zeros((height, width * 2, 3), np.uint8)
    for image, (x, y) in zip(images, where):
        rows, columns = image.shape[:2]
        canvas[y:y + rows, x:x + columns] = image[..., :3]
        canvas[y:y + rows, width + x:width + x + columns] = image[..., 3:]
    return canvas, where


def manifest(cases, images, where):
    lines = []
    for case, image, (x, y) in zip(cases, images, where):
        entry = {"name": case.name, "source": case.source}
        if case.parameters:
            entry["parameters"] = case.parameters
        entry["frame"] = [x, y, image.shape[1], image.shape[0]]
        if case.psnr is None:
            entry["within"] = case.within
        else:
            entry["psnr"] = case.psnr
        lines.append(json.dumps(entry, separators=(",", ":")))
    return "[\n" + ",\n".join(lines) + "\n]\n"


def write(folder, family, cases):
    images = [rounded(case.result) for case in cases]
    canvas, where = sheet(images)
    Image.fromarray(canvas).save(folder / f"{family}.png", optimize=True)
    (folder / f"{family}.json").write_text(manifest(cases, images, where))


def differences(folder, family, cases):
    """What of a committed family is not what the references give, as sentences."""
    images = [rounded(case.result) for case in cases]
    canvas, where = sheet(images)
    if (folder / f"{family}.json").read_text() != manifest(cases, images, where):
        return [f"{family}.json lists other cases"]
    committed = np.asarray(Image.open(folder / f"{family}.png").convert("RGB")).astype(int)
    if committed.shape != canvas.shape:
        return [f"{family}.png has another size"]
    half = canvas.shape[1] // 2
    found = []
    for case, image, (x, y) in zip(cases, images, where):
        rows, columns = image.shape[:2]
        for side, name in ((0, "color"), (half, "alpha")):
            part = np.s_[y:y + rows, side + x:side + x + columns]
            # Another library's sine may round to the neighbor.
            difference = np.abs(committed[part] - canvas[part].astype(int)).max()
            if difference > 1:
                found.append(f"{family}: {name} of {case.name} {case.parameters} differs by {difference}")
    return found
