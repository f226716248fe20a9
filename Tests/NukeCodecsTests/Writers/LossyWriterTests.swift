import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// A writer that can lose something or nothing: WebP's, AVIF's and JPEG XL's have the same settings.
struct LossyWriter: Sendable, CustomTestStringConvertible {
  let format: ImageFormat
  /// The difference that alpha may have in a lossy file.
  var alphaTolerance = 0
  /// The efforts beyond which a number counts as the nearest: a larger and a smaller one.
  let efforts: (low: Int, high: Int)
  let make: @Sendable (_ quality: Double, _ isLossless: Bool, _ effort: Int) -> any ImageWriter

  var testDescription: String { format.displayName }

  func encode(_ image: Bitmap, quality: Double = 0.8, isLossless: Bool = false, effort: Int = 2) throws -> Data {
    try make(quality, isLossless, effort).encode(image)
  }

  static let all: [LossyWriter] = {
    var all = [
      LossyWriter(format: .webp, efforts: (0, 6)) { WebPWriter(quality: $0, isLossless: $1, effort: $2) }
    ]
    #if AVIF
      if AVIFWriter.isAvailable {
        all.append(LossyWriter(format: .avif, efforts: (0, 10)) { AVIFWriter(quality: $0, isLossless: $1, effort: $2) })
      }
    #endif
    #if JPEGXL
      all.append(
        LossyWriter(format: .jxl, alphaTolerance: 3, efforts: (1, 9)) {
          JXLWriter(quality: $0, isLossless: $1, effort: $2)
        })
    #endif
    return all
  }()
}

@Suite("Lossy and lossless writers")
struct LossyWriterTests {
  private func read(_ data: Data) throws -> Bitmap { try ImageReaders.reader(for: data).decode(DecodeOptions()) }

  @Test("A lossless image is read back with the same pixels", arguments: LossyWriter.all, [true, false])
  func lossless(_ writer: LossyWriter, opaque: Bool) throws {
    let image = try Bitmap.waves(61, 47, opaque: opaque)
    for effort in writer.format == .webp ? [0, 4, 6] : [2] {
      let data = try writer.encode(image, isLossless: true, effort: effort)
      let result = try read(data)
      #expect(largestDifference(result.pixelBytes, image.pixelBytes) == 0)
      #expect(result.isOpaque == opaque)
      let header = try #require(try ImageReaders.header(ofPrefix: data))
      #expect(header.hasAlpha == !opaque && header.bitsPerComponent == 8)
      #expect(header.profileName == (writer.format == .webp ? nil : "sRGB"))
    }
  }

  @Test("A lossy image keeps its alpha, and its colors are close", arguments: LossyWriter.all, [true, false])
  func lossy(_ writer: LossyWriter, opaque: Bool) throws {
    try check(writer.encode(Bitmap.fading(60, 40, opaque: opaque), quality: 0.9), opaque, writer.alphaTolerance)
  }

  private func check(_ data: Data, _ opaque: Bool, _ alphaTolerance: Int) throws {
    let image = try Bitmap.fading(60, 40, opaque: opaque)
    let result = try read(data)
    #expect(largestDifference(result.pixelBytes, image.pixelBytes) <= 12)
    let alphas = stride(from: 3, to: image.byteCount, by: 4)
    #expect(
      alphas.allSatisfy { abs(Int(result.pixelBytes[$0]) - Int(image.pixelBytes[$0])) <= alphaTolerance })
    #expect(result.isOpaque == opaque)
  }

  @Test(
    "Higher quality produces a larger file with smaller errors, and values out of range are clamped",
    arguments: LossyWriter.all)
  func quality(_ writer: LossyWriter) throws {
    let image = try Bitmap.waves(80, 60, opaque: true)
    let (low, high) = writer.efforts
    func error(_ data: Data) throws -> Int {
      zip(try read(data).pixelBytes, image.pixelBytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
    func encode(_ quality: Double, effort: Int? = nil) throws -> Data {
      try writer.encode(image, quality: quality, effort: effort ?? low)
    }
    let files = try [0.1, 0.5, 0.9].map { try writer.encode(image, quality: $0, effort: max(low, 1)) }
    #expect(files[0].count < files[1].count && files[1].count < files[2].count)
    #expect(try error(files[0]) > error(files[2]))
    #expect(try encode(7) == encode(1, effort: low - 3))
    #expect(try encode(-7) == encode(0))
    #expect(try encode(.nan) == encode(0.8))
    if writer.format == .webp { #expect(try encode(0.8, effort: 99) == encode(0.8, effort: high)) }
  }

  @Test(
    "The format selects the writer, and the options select lossy or lossless compression", arguments: LossyWriter.all)
  func registered(_ writer: LossyWriter) throws {
    let image = try Bitmap.waves(9, 7, opaque: true)
    let data = try ImageWriters.writer(for: writer.format, options: EncodeOptions(isLossless: true)).encode(image)
    #expect(largestDifference(try read(data).pixelBytes, image.pixelBytes) == 0)
    #expect(writer.format.isWritable)
  }

  @Test("An empty image cannot be written in any format", arguments: ImageFormat.writable)
  func empty(_ format: ImageFormat) throws {
    #expect(throws: CodecError.encodingFailed(format, reason: "the image is empty")) {
      try ImageWriters.writer(for: format).encode(Bitmap())
    }
  }

  @Test("An image too large for its format is rejected")
  func tooLarge() throws {
    for (format, side, reason) in [
      (ImageFormat.webp, 16_384, "16384x1 pixels: a side can have at most 16383 pixels"),
      (.gif, 65_536, "65536x1 pixels: a side can have at most 65535 pixels"),
      (.avif, 65_536, "65536x1 pixels: a side can have at most 65535 pixels"),
      (.jpeg, 65_501, "65501x1 pixels: a side can have at most 65500 pixels"),
    ] where format.isWritable {
      let wide = try #require(Bitmap(pixelWidth: side, pixelHeight: 1) { _ in })
      #expect(throws: CodecError.encodingFailed(format, reason: reason)) {
        try ImageWriters.writer(for: format).encode(wide)
      }
    }
    let largest = try #require(Bitmap(pixelWidth: 16_383, pixelHeight: 1) { _ in })
    #expect(try read(WebPWriter(isLossless: true).encode(largest)).pixelWidth == 16_383)
  }

  #if AVIF
    @Test("AVIF has the requested bit depth, and 8 bits if it is lossless", arguments: [true, false], [8, 10])
    func bits(opaque: Bool, bits: Int) throws {
      let image = try Bitmap.fading(60, 40, opaque: opaque)
      let data = try AVIFWriter(quality: 0.9, effort: 2, bitsPerComponent: bits).encode(image)
      #expect(try ImageReaders.reader(for: data).header.bitsPerComponent == bits)
      try check(data, opaque, 0)
      let exact = try AVIFWriter(isLossless: true, effort: 2, bitsPerComponent: bits).encode(image)
      #expect(try ImageReaders.reader(for: exact).header.bitsPerComponent == 8)
      #expect(try read(exact).pixelBytes == image.pixelBytes)
    }
  #endif

  private static let dwebp = ["/usr/bin/dwebp", "/usr/local/bin/dwebp"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test(
    "dwebp decodes the pixels that were written", .enabled(if: dwebp != nil), arguments: [true, false], [true, false])
  func interchange(opaque: Bool, isLossless: Bool) throws {
    let image = try Bitmap.waves(61, 47, opaque: opaque)
    let data = try WebPWriter(quality: 0.9, isLossless: isLossless).encode(image)
    let written = try converted(data, by: #require(Self.dwebp)) { ["-quiet", $0, "-pam", "-o", $1] }
    #expect(written.range(of: Data("WIDTH 61\nHEIGHT 47\nDEPTH 4\n".utf8)) != nil)
    let expected = isLossless ? image : try read(data)
    let pixels = [UInt8](written.suffix(61 * 47 * 4))
    #expect(largestDifference(premultipliedByDefinition(pixels), expected.pixelBytes) == 0)
  }
}
