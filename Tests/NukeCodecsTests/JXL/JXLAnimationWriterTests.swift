#if JPEGXL
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Writing animated JPEG XL") struct JXLAnimationWriterTests {
    /// Waves that move. Those with alpha begin with an opaque frame.
    private func frames(_ count: Int, opaque: Bool) throws -> [Bitmap] {
      try (0..<count).map { step in
        try .drawn(40, 30, isOpaque: opaque || step == 0) { x, y in
          let alpha = opaque || step == 0 ? 255 : (x * 6 + y * 3 + step * 20) % 256
          return Bitmap.premultiplied(x * 6, y * 8, step * 30, alpha: alpha)
        }
      }
    }

    private func read(_ data: Data) throws -> Animation {
      try #require(try JXLReader(data: data, limits: CodecLimits()).animation())
    }

    @Test("Lossless frames are read back with the same pixels and delays", arguments: [true, false])
    func lossless(opaque: Bool) throws {
      let sequence = try frames(5, opaque: opaque)
      let data = try JXLWriter(isLossless: true).encode(animation(sequence, [0.04, 0.1, 0.5, 0.0334, 2], loops: 3))
      #expect(ImageFormat(sniffing: data) == .jxl)
      let read = try read(data)
      #expect(read.frameCount == 5)
      #expect(read.loopCount == 3)
      for (delay, wanted) in zip(read.delays, [0.04, 0.1, 0.5, 0.033, 2]) { #expect(abs(delay - wanted) < 0.0011) }
      #expect(abs(read.duration - 2.6734) < 0.001)
      for (one, other) in zip(try NukeCodecsTests.frames(of: read), sequence) {
        #expect(largestDifference(one.image.pixelBytes, other.pixelBytes) <= (opaque ? 0 : 1), "frame \(one.index)")
      }
    }

    @Test("Lossy frames are close, and a lower quality makes a smaller file")
    func lossy() throws {
      let sequence = try frames(4, opaque: true)
      let data = try JXLWriter(quality: 0.9).encode(animation(sequence))
      for (one, other) in zip(try NukeCodecsTests.frames(of: read(data)), sequence) {
        let sum = zip(one.image.pixelBytes, other.pixelBytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(sum / one.image.byteCount <= 6, "frame \(one.index)")
      }
      #expect(try JXLWriter(quality: 0.1).encode(animation(sequence)).count < data.count)
    }

    @Test("Loop counts are read back", arguments: [0, 1, 7, 65_535])
    func loops(count: Int) throws {
      let data = try JXLWriter(isLossless: true).encode(animation(frames(2, opaque: true), loops: count))
      #expect(try read(data).loopCount == count)
    }

    @Test("Metadata is written")
    func metadata() throws {
      var writer = JXLWriter(isLossless: true)
      writer.metadata = ImageMetadata(xmp: Data("<x:xmpmeta>Title</x:xmpmeta>".utf8))
      let data = try writer.encode(animation(frames(2, opaque: true)))
      #expect(try JXLReader(data: data, limits: CodecLimits()).metadata.xmp == writer.metadata.xmp)
    }
  }
#endif
