#if AVIF
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Writing AVIF", .enabled(if: AVIFWriter.isAvailable))
  struct AVIFWriterTests {
    private func bitmap(_ width: Int, _ height: Int, opaque: Bool) throws -> Bitmap {
      try .waves(width, height, opaque: opaque)
    }

    private func read(_ data: Data) throws -> Bitmap {
      try AVIFReader(data: data, limits: CodecLimits()).decode(DecodeOptions())
    }

    @Test("An image written without loss comes back with the same pixels", arguments: [true, false])
    func lossless(opaque: Bool) throws {
      let image = try bitmap(61, 47, opaque: opaque)
      let data = try AVIFWriter(isLossless: true, effort: 2, bitsPerComponent: 10).encode(image)
      let result = try read(data)
      #expect(largestDifference(result.pixelBytes, image.pixelBytes) == 0)
      #expect(result.isOpaque == opaque)
      let header = try #require(try AVIFReader.header(ofPrefix: data))
      #expect(header.hasAlpha == !opaque && header.profileName == "sRGB" && header.bitsPerComponent == 8)
    }

    @Test("A lossy image keeps its alpha exactly and its colors nearly", arguments: [true, false], [8, 10])
    func lossy(opaque: Bool, bits: Int) throws {
      let image = try Bitmap.fading(60, 40, opaque: opaque)
      let data = try AVIFWriter(quality: 0.9, effort: 2, bitsPerComponent: bits).encode(image)
      #expect(try AVIFReader(data: data, limits: CodecLimits()).header.bitsPerComponent == bits)
      let result = try read(data)
      #expect(largestDifference(result.pixelBytes, image.pixelBytes) <= 12)
      let alphas = stride(from: 3, to: image.byteCount, by: 4)
      #expect(alphas.allSatisfy { result.pixelBytes[$0] == image.pixelBytes[$0] })
      #expect(result.isOpaque == opaque)
    }

    @Test("More quality makes a larger file, nearer to the image; values out of range count as the nearest")
    func quality() throws {
      let image = try bitmap(80, 60, opaque: true)
      func error(_ data: Data) throws -> Int {
        zip(try read(data).pixelBytes, image.pixelBytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      }
      let files = try [0.1, 0.5, 0.9].map { try AVIFWriter(quality: $0, effort: 1).encode(image) }
      #expect(files[0].count < files[1].count && files[1].count < files[2].count)
      #expect(try error(files[0]) > error(files[2]))
      #expect(try AVIFWriter(quality: 7, effort: 0).encode(image) == AVIFWriter(quality: 1, effort: -3).encode(image))
      #expect(try AVIFWriter(quality: .nan, effort: 0).encode(image) == AVIFWriter(effort: 0).encode(image))
    }

    @Test("An empty image and one too large for the format are refused")
    func refused() throws {
      #expect(throws: CodecError.encodingFailed(.avif, reason: "the image is empty")) {
        try AVIFWriter().encode(Bitmap())
      }
      let wide = try #require(Bitmap(pixelWidth: 65_536, pixelHeight: 1) { _ in })
      #expect(throws: CodecError.encodingFailed(.avif, reason: "65536x1 pixels, where a side may have 65535")) {
        try AVIFWriter().encode(wide)
      }
    }

    @Test("The writer is found by its format")
    func registered() throws {
      let image = try bitmap(9, 7, opaque: true)
      let data = try ImageWriters.writer(for: .avif, options: EncodeOptions(isLossless: true)).encode(image)
      #expect(largestDifference(try read(data).pixelBytes, image.pixelBytes) == 0)
      #expect(ImageFormat.avif.isWritable)
    }
  }
#endif
