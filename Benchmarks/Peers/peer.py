#!/usr/bin/env python3
"""Runs the benchmarks' rows with one peer, one thread, as ImageBenchmarks --serve does with ours.

Usage: peer.py CORPUS pillow|vips|opencv|specialists. First one line of JSON with the program, its version and its rows; then each
row that a line of standard input names behind a number is run so often, and answered with the milliseconds of processor
time of one run and the growth of the greatest memory use in kilobytes; of encoding with the bytes of the file too.
"""

import io
import json
import os
import pathlib
import resource
import sys
import time

CORPUS = pathlib.Path(sys.argv[1])
THUMBNAILS = {"12 MP": "12mp.jpg", "12 MP progressive": "12mp-progressive.jpg", "24 MP": "24mp.jpg"}
DECODED = {
    "JPEG": "2mp.jpg",
    "JPEG progressive": "2mp-progressive.jpg",
    "PNG": "2mp.png",
    "PNG with alpha": "2mp-alpha.png",
    "PNG interlaced": "2mp-interlaced.png",
    "WebP": "2mp.webp",
    "AVIF": "2mp.avif",
    "PNG of 16 bits": "2mp-16.png",
    "WebP, lossless": "2mp-lossless.webp",
    "TIFF, LZW": "2mp-lzw.tiff",
}
SEPIA = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]
PNG_LEVELS = {", fast": 1, "": 6, ", small": 9}
PNG_FILES = {"": "2mp.png", " of graphics": "graphics.png"}
rows = {}


def data(name):
    return (CORPUS / name).read_bytes()


def row(name, *arguments):
    """Adds a row; the function makes what is measured from the arguments, when it is first asked for."""

    def add(make):
        rows[name] = lambda: make(*arguments)
        return make

    return add


def png_rows(encode):
    """Adds the rows of writing PNG; `encode` makes what is measured of a file and a level of zlib."""
    for subject, file in PNG_FILES.items():
        for effort, level in PNG_LEVELS.items():
            row(f"encode PNG{subject}{effort}", file, level)(encode)


def pillow():
    import PIL
    from PIL import Image, ImageOps, features

    def thumbnail(file, denominator):
        content = data(file)

        def run():
            image = Image.open(io.BytesIO(content))
            image.draft("RGB", (image.width // denominator, image.height // denominator))
            return ImageOps.fit(image, (320, 240), Image.LANCZOS).convert("RGBA").tobytes()

        return run

    def decode(file):
        content = data(file)
        return lambda: Image.open(io.BytesIO(content)).convert("RGBA")

    def encode(file, **options):
        image = Image.open(io.BytesIO(data(file))).convert("RGB")

        def run():
            file = io.BytesIO()
            image.save(file, **options)
            return file.tell()

        return run

    def frames(file):
        content = data(file)

        def run():
            image = Image.open(io.BytesIO(content))
            for index in range(image.n_frames):
                image.seek(index)
                image.convert("RGBA")

        return run

    def resize(file, mode):
        image = Image.open(io.BytesIO(data(file))).convert("RGBA")
        # "RGBX" is four channels of which none is alpha, "RGBa" is premultiplied, as our pixels are.
        image = Image.frombytes("RGBX", image.size, image.tobytes()) if mode == "RGBX" else image.convert(mode)
        return lambda: image.resize((640, 360), Image.LANCZOS)

    def blur(radius):
        from PIL import ImageFilter

        image = Image.open(io.BytesIO(data("2mp.png"))).convert("RGBA")
        image = Image.frombytes("RGBX", image.size, image.tobytes())
        return lambda: image.filter(ImageFilter.GaussianBlur(radius))

    def sepia():
        image = Image.open(io.BytesIO(data("2mp.png"))).convert("RGB")
        matrix = [number for line in SEPIA for number in (*line, 0)]
        return lambda: image.convert("RGB", matrix)

    for name, file in THUMBNAILS.items():
        for denominator in (4, 8):
            row(f"thumbnail {name}, 1/{denominator}", file, denominator)(thumbnail)
    for name, file in DECODED.items():
        # This build of Pillow has no AVIF.
        if name != "AVIF" or features.check("avif"):
            row(f"decode {name}", file)(decode)
    for radius in (2, 8, 50):
        row(f"Gaussian blur of {radius}", radius)(blur)
    row("sepia")(sepia)
    row("decode GIF, 40 frames", "moving.gif")(frames)
    row("resize to 640x360, opaque", "2mp.png", "RGBX")(resize)
    row("resize to 640x360, with alpha", "2mp-alpha.png", "RGBa")(resize)
    row("encode JPEG", "2mp.png")(lambda file: encode(file, format="JPEG", quality=80))
    png_rows(lambda file, level: encode(file, format="PNG", compress_level=level))
    row("encode WebP", "2mp.png")(lambda file: encode(file, format="WEBP", quality=80))
    # Pillow-SIMD's versions are those of Pillow with ".postN".
    is_simd = "post" in PIL.__version__
    return ("Pillow-SIMD" if is_simd else "Pillow"), PIL.__version__


def vips():
    os.environ["VIPS_CONCURRENCY"] = "1"
    import pyvips

    pyvips.cache_set_max(0)

    def rgba(image):
        return (image if image.bands == 4 else image.addalpha()).write_to_memory()

    def thumbnail(file, denominator):
        content = data(file)

        def run():
            reduced = pyvips.Image.jpegload_buffer(content, shrink=denominator, access="sequential")
            return rgba(reduced.thumbnail_image(320, height=240, crop="centre"))

        return run

    def decode(file):
        content = data(file)
        return lambda: rgba(pyvips.Image.new_from_buffer(content, "", access="sequential"))

    def frames(file):
        content = data(file)
        return lambda: rgba(pyvips.Image.new_from_buffer(content, "", n=-1, access="sequential"))

    def source(file):
        image = pyvips.Image.new_from_buffer(data(file), "")
        image = image if image.bands == 4 else image.addalpha()
        pixels, width, height = image.write_to_memory(), image.width, image.height
        return lambda: pyvips.Image.new_from_memory(pixels, width, height, 4, "uchar").copy(interpretation="srgb")

    def resize_opaque(file):
        image = source(file)
        return lambda: image().resize(1 / 3, kernel="lanczos3").write_to_memory()

    def resize_alpha(file):
        image = source(file)

        def run():
            small = image().premultiply().resize(1 / 3, kernel="lanczos3").unpremultiply()
            return small.cast("uchar").write_to_memory()

        return run

    def blur(radius):
        image = source("2mp.png")
        return lambda: image().gaussblur(radius, precision="approximate").write_to_memory()

    def sepia():
        image = source("2mp.png")
        matrix = [[*line, 0] for line in SEPIA] + [[0, 0, 0, 1]]
        return lambda: image().recomb(matrix).cast("uchar").write_to_memory()

    def rounded(radius):
        image = pyvips.Image.new_from_memory(
            source("2mp.png")().thumbnail_image(512, height=512, crop="centre").write_to_memory(), 512, 512, 4, "uchar"
        ).copy(interpretation="srgb")
        shape = f'<svg width="512" height="512"><rect width="512" height="512" rx="{radius}"/></svg>'

        def run():
            mask = pyvips.Image.svgload_buffer(shape.encode())[3]
            return image[0:3].bandjoin(mask).write_to_memory()

        return run

    def encode(file, suffix, **options):
        image = source(file)
        return lambda: len(image()[0:3].write_to_buffer(suffix, **options))

    for name, file in THUMBNAILS.items():
        for denominator in (4, 8):
            row(f"thumbnail {name}, 1/{denominator}", file, denominator)(thumbnail)
    for name, file in DECODED.items():
        row(f"decode {name}", file)(decode)
    for radius in (2, 8, 50):
        row(f"Gaussian blur of {radius}", radius)(blur)
    for radius in (8, 64, 256):
        row(f"rounded corners of {radius}, 512x512", radius)(rounded)
    row("sepia")(sepia)
    row("decode GIF, 40 frames", "moving.gif")(frames)
    row("resize to 640x360, opaque", "2mp.png")(resize_opaque)
    row("resize to 640x360, with alpha", "2mp-alpha.png")(resize_alpha)
    row("encode JPEG", "2mp.png")(lambda file: encode(file, ".jpg", Q=80))
    # By default it chooses no filter, which suits graphics: the file of a photograph is 1.7 times as long as others'.
    png_rows(
        lambda file, level: encode(
            file, ".png", compression=level, filter="none" if file == "graphics.png" else "all"))
    row("encode WebP", "2mp.png")(lambda file: encode(file, ".webp", Q=80))
    return "libvips", ".".join(str(pyvips.version(part)) for part in range(3))


def opencv():
    import cv2
    import numpy

    cv2.setNumThreads(1)

    def pixels(file):
        return numpy.frombuffer(data(file), numpy.uint8)

    def thumbnail(file, denominator):
        content = pixels(file)
        mode = {4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}[denominator]

        def run():
            image = cv2.imdecode(content, mode)
            # Fill and crop, as the others do.
            height, width = image.shape[:2]
            if width * 3 > height * 4:
                cut = (width - height * 4 // 3) // 2
                image = image[:, cut : width - cut]
            else:
                cut = (height - width * 3 // 4) // 2
                image = image[cut : height - cut]
            return cv2.cvtColor(cv2.resize(image, (320, 240), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2RGBA)

        return run

    def decode(file):
        content = pixels(file)
        if file == "2mp-alpha.png":
            return lambda: cv2.cvtColor(cv2.imdecode(content, cv2.IMREAD_UNCHANGED), cv2.COLOR_BGRA2RGBA)
        return lambda: cv2.cvtColor(cv2.imdecode(content, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGBA)

    def rgba():
        return cv2.cvtColor(cv2.imdecode(pixels("2mp.png"), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGBA)

    def blur(radius):
        image = rgba()
        return lambda: cv2.GaussianBlur(image, (0, 0), radius, borderType=cv2.BORDER_REPLICATE)

    def sepia():
        image = rgba()
        matrix = numpy.array([[*line, 0] for line in SEPIA] + [[0, 0, 0, 1]], numpy.float32)
        return lambda: cv2.transform(image, matrix)

    def encode(file, suffix, options):
        image = cv2.imdecode(pixels(file), cv2.IMREAD_COLOR)
        return lambda: len(cv2.imencode(suffix, image, options)[1])

    for name, file in THUMBNAILS.items():
        for denominator in (4, 8):
            row(f"thumbnail {name}, 1/{denominator}", file, denominator)(thumbnail)
    for name, file in DECODED.items():
        # OpenCV may be built without AVIF.
        if name != "AVIF" or cv2.haveImageReader(str(CORPUS / file)):
            row(f"decode {name}", file)(decode)
    for radius in (2, 8, 50):
        row(f"Gaussian blur of {radius}", radius)(blur)
    row("sepia")(sepia)
    row("encode JPEG", "2mp.png", ".jpg", [cv2.IMWRITE_JPEG_QUALITY, 80])(encode)
    strategy = [cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_DEFAULT]
    png_rows(lambda file, level: encode(file, ".png", [cv2.IMWRITE_PNG_COMPRESSION, level, *strategy]))
    row("encode WebP", "2mp.png", ".webp", [cv2.IMWRITE_WEBP_QUALITY, 80])(encode)
    return "OpenCV", cv2.__version__


def specialists():
    """Libraries for one format or a few, each with its own build of the C library."""
    import importlib.metadata

    import av
    import imagecodecs
    import pillow_heif
    import resvg_py
    import simplejpeg

    def by(decode, file, **options):
        content = data(file)
        return lambda: decode(content, **options)

    def heic(file):
        content = data(file)
        return lambda: pillow_heif.read_heif(io.BytesIO(content)).data

    def svg(file):
        content = data(file).decode()
        return lambda: resvg_py.svg_to_bytes(svg_string=content, width=512)

    def poster(file):
        content = data(file)

        def run():
            with av.open(io.BytesIO(content)) as video:
                video.streams.video[0].codec_context.thread_count = 1
                next(video.decode(video=0)).to_ndarray(format="rgba")

        return run

    for name in ("JPEG", "JPEG progressive"):
        row(f"decode {name}", simplejpeg.decode_jpeg, DECODED[name])(lambda *call: by(*call, colorspace="RGBA"))
    for name in ("PNG", "PNG with alpha"):
        row(f"decode {name}", imagecodecs.spng_decode, DECODED[name])(by)
    for name, decode in (
        ("PNG of 16 bits", imagecodecs.png_decode), ("WebP", imagecodecs.webp_decode),
        ("WebP, lossless", imagecodecs.webp_decode), ("AVIF", imagecodecs.avif_decode),
    ):
        row(f"decode {name}", decode, DECODED[name])(by)
    row("decode JPEG XL", imagecodecs.jpegxl_decode, "2mp.jxl")(lambda *call: by(*call, numthreads=1))
    row("decode HEIC", "2mp.heic")(heic)
    row("draw SVG of 3,700 paths, 512 px", "map.svg")(svg)
    row("first frame of a video", "clip.mp4")(poster)
    names = ("simplejpeg", "imagecodecs", "pillow-heif", "resvg-py", "av")
    return "specialists", "(" + ", ".join(f"{name} {importlib.metadata.version(name)}" for name in names) + ")"


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main():
    program, version = {"pillow": pillow, "vips": vips, "opencv": opencv, "specialists": specialists}[sys.argv[2]]()
    print(json.dumps({"program": program, "version": version, "rows": list(rows)}), flush=True)
    prepared = {}
    for line in sys.stdin:
        count, name = line.rstrip("\n").split(" ", 1)
        count = int(count)
        if name not in prepared:
            prepared[name] = rows[name]()
        memory, start = peak_memory(), time.process_time()
        for _ in range(count):
            result = prepared[name]()
        spent = (time.process_time() - start) / count
        answer = {"ms": spent * 1000, "kilobytes": peak_memory() - memory}
        if isinstance(result, int):
            answer["bytes"] = result
        print(json.dumps(answer), flush=True)


main()
