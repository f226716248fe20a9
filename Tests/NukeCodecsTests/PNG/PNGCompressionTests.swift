import CNukeCodecs
import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Compressing PNG")
struct PNGCompressionTests {
  /// Opaque pixels by column, row and channel.
  private func image(_ width: Int, _ height: Int, _ value: (Int, Int, Int) -> Int) throws -> Bitmap {
    try #require(
      Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) { bytes in
        for offset in bytes.indices {
          let (x, y, channel) = (offset / 4 % width, offset / 4 / width, offset % 4)
          bytes[offset] = channel == 3 ? 255 : UInt8(truncatingIfNeeded: value(x, y, channel))
        }
      })
  }

  /// A synthetic photograph: a gradient with noise.
  private func smooth(_ width: Int, _ height: Int) throws -> Bitmap {
    var random = SplitMix64(state: 3)
    return try image(width, height) { x, y, channel in
      x * (channel + 1) / 4 + y * y / 900 + Int.random(in: 0...14, using: &random)
    }
  }

  private func stream(_ data: Data) -> Data { pngChunks("IDAT", of: data).reduce(Data(), +) }

  private func filters(_ data: Data, rowBytes: Int, height: Int) throws -> [UInt8] {
    let stream = [UInt8](stream(data))
    var rows = [UInt8](repeating: 0, count: (rowBytes + 1) * height)
    let count = nuke_png_inflate_whole(stream, stream.count, &rows, rows.count)
    try #require(count == rows.count)
    return (0..<height).map { rows[$0 * (rowBytes + 1)] }
  }

  @Test("Each row is written with a suitable filter", arguments: [1, 6])
  func filterOfEachRow(level: Int) throws {
    // Five bands: small values that are noise; a slope with noise; a copy of a random row; the mean of left and above
    // with noise; a plane of two slopes.
    var random = SplitMix64(state: 11)
    let (width, band) = (300, 40)
    var rows = [[[Int]]](repeating: [[Int]](repeating: [0, 0, 0], count: width), count: band * 5)
    for y in rows.indices {
      for x in 0..<width {
        for channel in 0..<3 {
          let left = x > 0 ? rows[y][x - 1][channel] : 0
          let up = y > 0 ? rows[y - 1][x][channel] : 0
          let corner = x > 0 && y > 0 ? rows[y - 1][x - 1][channel] : 0
          let noise = Int.random(in: 0...2, using: &random)
          let value =
            switch y / band {
            case 0: noise * 2
            case 1: left + noise - (x == 0 ? y * 97 : 0)
            case 2: y % band == 0 ? Int.random(in: 0...255, using: &random) : up + noise
            case 3: (left + up) / 2 + noise
            default: x == 0 || y % 8 == 0 ? left + up + noise * 20 : paeth(left, up, corner) + noise
            }
          rows[y][x][channel] = value & 255
        }
      }
    }
    let image = try image(width, band * 5) { rows[$1][$0][$2] }
    let data = try PNGWriter(compressionLevel: level).encode(image)
    #expect(try Set(filters(data, rowBytes: width * 3, height: band * 5)) == [0, 1, 2, 3, 4])
    #expect(try readByLibpng(data) == image.pixelBytes)
  }

  private func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let estimate = left + up - corner
    return [left, up, corner].min { abs(estimate - $0) < abs(estimate - $1) }!
  }

  @Test("Photographs are compressed with runs only, and repetitive images with matches", arguments: [1, 6])
  func coders(level: Int) throws {
    // By the window that the stream's header declares: a run reaches back one byte.
    let writer = PNGWriter(compressionLevel: level)
    let photograph = try smooth(500, 400)
    let noise = try randomImage(width: 64, height: 1, isOpaque: true).pixelBytes
    let pattern = try image(512, 300) { Int(noise[($0 + $1 * 13) % 64 * 4 + $2]) ^ $1 / 100 }
    let (one, other) = (try writer.encode(photograph), try writer.encode(pattern))
    #expect(stream(one).first == 0x08)
    #expect(stream(other).first == 0x78)
    #expect(try readByLibpng(one) == photograph.pixelBytes)
    #expect(try readByLibpng(other) == pattern.pixelBytes)
  }

  /// Rows of random pixels from a few tiles, as text has glyphs. Some tiles occur again only behind the window of DEFLATE.
  private func graphics(_ width: Int, _ height: Int, _ color: (UInt64) -> SIMD4<UInt8>) throws -> Bitmap {
    var random = SplitMix64(state: 21)
    let tiles = (0..<60).map { _ in (0..<Int.random(in: 1...30, using: &random)).map { _ in random.next() } }
    var pixels: [SIMD4<UInt8>] = []
    while pixels.count < width * height {
      // White between the tiles.
      pixels += repeatElement(SIMD4(repeating: 255), count: Int.random(in: 0...300, using: &random))
      let newest = min(tiles.count, 2 + 100 * pixels.count / (width * height))
      pixels += tiles[Int.random(in: 0..<newest, using: &random)].map(color)
    }
    return try #require(
      Bitmap(pixelWidth: width, pixelHeight: height) { bytes in
        for index in 0..<width * height { for channel in 0..<4 { bytes[index * 4 + channel] = pixels[index][channel] } }
      })
  }

  private func bytes(_ value: UInt64) -> SIMD4<UInt8> {
    SIMD4(
      UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value >> 16),
      255)
  }

  @Test("Graphics are compressed by whole pixels of any size", arguments: 1...4, [1, 3, 6, 7, 8])
  func pixels(sampleCount: Int, level: Int) throws {
    let image = try graphics(701, 600) { value in
      let color = bytes(value)
      let alpha = sampleCount % 2 == 0 ? UInt8(truncatingIfNeeded: value >> 24) : 255
      let gray = SIMD4(color.x, color.x, color.x, 255)
      let pixel = sampleCount < 3 ? gray : color
      return SIMD4(min(pixel.x, alpha), min(pixel.y, alpha), min(pixel.z, alpha), alpha)
    }
    let data = try PNGWriter(compressionLevel: level).encode(image)
    // Gray, RGB, gray with alpha, RGBA.
    #expect(data[data.startIndex + 25] == [0, 4, 2, 6][sampleCount - 1])
    // By the level that the stream's header declares, for levels at which libdeflate declares another.
    // At level 8, only RGB is compressed to nearly as few bytes as by matches of any bytes.
    if (2...7).contains(level) || level == 8 && sampleCount == 3 {
      #expect(stream(data).prefix(2) == Data([0x78, 0x01]))
    }
    #expect(try readByLibpng(data) == image.pixelBytes)
    #expect(data.count < 701 * 600 * sampleCount / 4)
  }

  @Test("A match ends within the last row, and in rows of one pixel", arguments: 1...8)
  func narrow(width: Int) throws {
    for height in [1, 2, 3, 7, 1000] {
      let image = try graphics(width, height, bytes)
      for level in [1, 6, 8] {
        #expect(try readByLibpng(PNGWriter(compressionLevel: level).encode(image)) == image.pixelBytes)
      }
    }
  }

  @Test("A higher level compares each pixel with more others")
  func candidates() throws {
    let image = try graphics(900, 700, bytes)
    let sizes = try [1, 3, 5, 7].map { try PNGWriter(compressionLevel: $0).encode(image).count }
    #expect(sizes == sizes.sorted(by: >))
    #expect(Set(sizes).count == 4)
  }

  @Test("The level with all combinations never produces a larger file than another level")
  func levelNine() throws {
    for image in [try smooth(200, 150), try randomImage(width: 90, height: 90, isOpaque: false)] {
      let sizes = try (0...9).map { try PNGWriter(compressionLevel: $0).encode(image).count }
      #expect(sizes.min() == sizes[9])
    }
  }

  @Test("Runs of every length are read back, and noise grows only slightly")
  func runs() throws {
    var random = SplitMix64(state: 8)
    for longest in [1, 2, 3, 4, 10, 257, 258, 259, 600, 100_000] {
      var bytes: [UInt8] = []
      while bytes.count < 90_000 {
        let count = longest < 1000 ? Int.random(in: 1...longest, using: &random) : longest
        bytes += [UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: count)
      }
      // As gray pixels: the stream holds the bytes, and one zero in front of each row.
      let image = try image(300, 300) { x, y, _ in Int(bytes[y * 300 + x]) }
      for level in [1, 9] {
        let data = try PNGWriter(compressionLevel: level).encode(image)
        #expect(try readByLibpng(data) == image.pixelBytes)
        #expect(data.count < 91_000)
      }
    }
  }

  @Test("Image data longer than the maximum of a chunk is split", arguments: [1, 7, 100, 1000, 1 << 20])
  func chunks(longest: Int) throws {
    var random = SplitMix64(state: 4)
    let pixels = (0..<40 * 30).map { _ in UInt8.random(in: 0...255, using: &random) }
    var (bytes, count): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
    try pixels.withUnsafeBytes { pixels in
      var image = nuke_png_image()
      (image.width, image.height, image.bit_depth, image.samples) = (40, 30, 8, 1)
      (image.level, image.longest_chunk) = (6, longest)
      image.context = UnsafeMutableRawPointer(mutating: pixels.baseAddress)
      image.fill = { context, y, row in
        row!.update(from: (context! + Int(y) * 40).assumingMemoryBound(to: UInt8.self), count: 40)
      }
      try #require(nuke_png_encode(&image, &bytes, &count) == NUKE_PNG_OK)
    }
    let data = Data(bytesNoCopy: try #require(bytes), count: count, deallocator: .free)
    let chunks = pngChunks("IDAT", of: data)
    #expect(chunks.allSatisfy { $0.count <= longest })
    #expect(chunks.dropLast().allSatisfy { $0.count == longest })
    #expect(try readByLibpng(data) == pixels.flatMap { [$0, $0, $0, 255] })
  }
}
