#if AVIF || JPEGXL
  import Foundation
  import NukeBase
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Decoding one image by several threads")
  struct ThreadedDecodingTests {
    private static let formats: [ImageFormat] = [.avif, .jxl].filter(\.isWritable)

    /// Large enough to be divided by both libraries.
    private func data(_ format: ImageFormat) throws -> Data {
      var random = SplitMix64(state: 3)
      let image = try #require(
        Bitmap(pixelWidth: 1100, pixelHeight: 700) { bytes in
          for index in 0..<1100 * 700 * 4 {
            let noise = Int(random.next() % 24)
            bytes[index] = index % 4 == 3 ? 255 : UInt8((index / 1100 / 14 + noise) % 256)
          }
        })
      #if AVIF
        if format == .avif { return try AVIFWriter(quality: 0.6, effort: 0).encode(image) }
      #endif
      #if JPEGXL
        if format == .jxl { return try JXLWriter(quality: 0.8, effort: 1).encode(image) }
      #endif
      return Data()
    }

    @Test("The pixels do not depend on how many threads decode", arguments: formats)
    func same(_ format: ImageFormat) throws {
      let reader = try ImageReaders.reader(for: data(format))
      let shared = try reader.decode(DecodeOptions()).pixelBytes
      // While all processors are used, one thread is left.
      let alone = try IdleProcessors.shared.use(atMost: .max) { _ in try reader.decode(DecodeOptions()).pixelBytes }
      #expect(shared == alone)
      #expect(try reader.decode(DecodeOptions()).pixelBytes == shared)
    }

    @Test("Several images at once give what each gives alone", arguments: formats)
    func concurrently(_ format: ImageFormat) async throws {
      try await expectEqualPixels(of: ImageReaders.reader(for: data(format)), byThreads: 6)
    }
  }
#endif
