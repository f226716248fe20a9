import NukeBase
import NukeImaging
import Testing

@Suite("Pixel buffers")
struct PixelBufferTests {
  @Test("There is memory for every row, aligned for kernels")
  func layout() throws {
    let buffer = try #require(PixelBuffer(width: 7, height: 5))
    #expect(buffer.bytesPerRow == 28)
    #expect(buffer.byteCount == 140)
    #expect(buffer.row(3) == buffer.base + 84)
    #expect(Int(bitPattern: buffer.base) % 64 == 0)
    buffer.clear()
    #expect(buffer.bytes.allSatisfy { $0 == 0 })
  }

  @Test(
    "Invalid sizes are rejected",
    arguments: [(0, 5), (5, 0), (-1, 1), (Int.max, 2), (1 << 40, 1 << 40), (Int.max / 8, 2)])
  func refusals(width: Int, height: Int) { #expect(PixelBuffer(width: width, height: height) == nil) }

  @Test("The memory of a large image is reused for the next one, and released on request")
  func reuse() throws {
    let pool = MemoryPool()
    var address: Int?
    do {
      let buffer = try #require(PixelBuffer(width: 512, height: 512, pool: pool))
      address = Int(bitPattern: buffer.base)
      #expect(pool.keptByteCount == 0)
    }
    #expect(pool.keptByteCount >= 512 * 512 * 4)
    do {
      let buffer = try #require(PixelBuffer(width: 500, height: 510, pool: pool))
      #expect(Int(bitPattern: buffer.base) == address)
      #expect(pool.keptByteCount == 0)
    }
    pool.drain()
    #expect(pool.keptByteCount == 0)
  }

  @Test("Small buffers are not kept, and a kept one is not used for an image of half its size")
  func limits() throws {
    let pool = MemoryPool()
    _ = PixelBuffer(width: 10, height: 10, pool: pool)
    #expect(pool.keptByteCount == 0)
    _ = PixelBuffer(width: 1024, height: 1024, pool: pool)
    let kept = pool.keptByteCount
    let small = try #require(PixelBuffer(width: 512, height: 256, pool: pool))
    #expect(pool.keptByteCount == kept)
    withExtendedLifetime(small) {}
  }

  @Test("Unused memory is kept up to a limit, and the oldest is released first")
  func poolLimit() {
    let pool = MemoryPool(limit: 3 << 20)
    var buffers = (0..<5).map { _ in PixelBuffer(width: 512, height: 512, pool: pool) }
    buffers = []
    #expect(buffers.isEmpty)
    #expect((2 << 20...3 << 20).contains(pool.keptByteCount))
    _ = PixelBuffer(width: 2048, height: 2048, pool: pool)
    #expect(pool.keptByteCount <= 3 << 20, "one that is larger than the limit is not kept at all")
  }
}
