"""A catalog of images whose pixels say which they are, and an S3 store with their sources, which are computed on request.

    catalog.py ADDRESS PORT DELAY

URL number n is variant n % 10 of source n // 10. A source has one color of its own, and a variant has a size of its own, so
that each answer proves which source and options it belongs to. DELAY is the time in seconds until the store answers. It
prints the number of requests for sources for each line of its input.
"""
import asyncio, struct, sys, zlib

VARIANTS = 10
# Colors differ by at least 4 in a channel, so that rounding in one step cannot make one of another.
MAXIMUM_SOURCES = 1 << 18


def color(source):
    mixed = source * 0x9E3B1 & MAXIMUM_SOURCES - 1
    return tuple(2 + 4 * (mixed >> shift & 63) for shift in (0, 6, 12))


def size(variant):
    return 20 + 4 * variant, 15 + 3 * variant


def path(number):
    width, height = size(number % VARIANTS)
    return f"/unsafe/rs:force:{width}:{height}/plain/s3://catalog/{number // VARIANTS}.png@png"


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def source_image(source, width=120, height=90):
    """A PNG with one color."""
    row = b"\0" + bytes(color(source)) * width
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(row * height, 1)) + chunk(b"IEND", b""))


def first_pixel(image):
    """The size of a PNG and the color of its first pixel; raises an error for what is none, or not complete."""
    if image[:8] != b"\x89PNG\r\n\x1a\n" or image[-8:-4] != b"IEND":
        raise ValueError("not a PNG")
    width, height, depth, kind = struct.unpack(">IIBB", image[16:26])
    position, data, palette = 8, b"", b""
    while position < len(image):
        length, = struct.unpack(">I", image[position:position + 4])
        name, body = image[position + 4:position + 8], image[position + 8:position + 8 + length]
        position += length + 12
        if name == b"IDAT":
            data += body
        elif name == b"PLTE":
            palette = body
    # The first pixel is the same under every filter, as there are none before and above it.
    row = zlib.decompress(data)
    if kind == 3:
        index = row[1] >> 8 - depth
        return (width, height), tuple(palette[3 * index:3 * index + 3])
    if depth != 8:
        raise ValueError(f"a PNG with {depth} bits")
    return (width, height), tuple(row[1:4]) if kind in (2, 6) else (row[1],) * 3


def is_right(number, image):
    """True if an answer is the image of this number."""
    try:
        found_size, found = first_pixel(image)
    except (ValueError, IndexError, struct.error, zlib.error):
        return False
    return found_size == size(number % VARIANTS) and all(
        abs(one - other) <= 1 for one, other in zip(found, color(number // VARIANTS)))


class Store(asyncio.Protocol):
    requests = 0
    delay = 0.0

    def connection_made(self, transport):
        self.transport, self.buffer = transport, b""

    def data_received(self, data):
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
            method, target = head.split(b" ", 2)[:2]
            name = target.split(b"?")[0].removeprefix(b"/catalog/").removesuffix(b".png")
            if method == b"GET" and name.isdigit() and int(name) < MAXIMUM_SOURCES:
                Store.requests += 1
                body = source_image(int(name))
                fields = b'Content-Type: image/png\r\nETag: "%s"\r\n' % name
                answer = b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s" % (fields, len(body), body)
            else:
                answer = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
            asyncio.get_running_loop().call_later(self.delay, self.transport.write, answer)


async def main():
    loop = asyncio.get_running_loop()
    Store.delay = float(sys.argv[3])
    server = await loop.create_server(Store, sys.argv[1], int(sys.argv[2]), backlog=1024)
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.readline():
        print(Store.requests, flush=True)
    server.close()


if __name__ == "__main__":
    asyncio.run(main())
