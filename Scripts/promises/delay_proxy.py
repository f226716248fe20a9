"""A TCP proxy on loopback that delays what the server sends.

    delay_proxy.py PORT TARGET [HOST]

Each line of its input is the delay from then on, in seconds. Each piece waits on its own, as on a long line, so that the
delay does not limit how much passes.
"""
import asyncio, sys

HOST = sys.argv[3] if len(sys.argv) > 3 else "127.0.0.1"
delay = 0.0


async def pass_on(reader, writer):
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def pass_on_late(reader, writer):
    loop, pieces = asyncio.get_running_loop(), asyncio.Queue()

    async def send():
        while True:
            moment, data = await pieces.get()
            await asyncio.sleep(moment - loop.time())
            if not data:
                return writer.close()
            writer.write(data)

    sending = asyncio.create_task(send())
    try:
        while data := await reader.read(1 << 16):
            pieces.put_nowait((loop.time() + delay, data))
    except OSError:
        pass
    pieces.put_nowait((loop.time() + delay, b""))
    await sending


async def serve(reader, writer):
    try:
        target_reader, target_writer = await asyncio.open_connection(HOST, int(sys.argv[2]))
    except OSError:
        return writer.close()
    await asyncio.gather(pass_on(reader, target_writer), pass_on_late(target_reader, writer), return_exceptions=True)


async def read_delays():
    global delay
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        delay = float(line)


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]), backlog=128)
    await asyncio.gather(server.serve_forever(), read_delays())


asyncio.run(main())
