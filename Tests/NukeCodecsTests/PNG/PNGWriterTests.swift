import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Writing PNG")
struct PNGWriterTests {
  /// An image of random premultiplied pixels with every alpha.
  private func bitmap(width: Int = 61, height: Int = 47, isGray: Bool = false, isOpaque: Bool = false) throws -> Bitmap
  {
    var random = SplitMix64(state: 3)
    return try #require(
      Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: isOpaque) { bytes in
        for offset in stride(from: 0, to: bytes.count, by: 4) {
          let alpha = isOpaque ? 255 : UInt8(truncatingIfNeeded: offset / 4)
          bytes[offset] = UInt8.random(in: 0...alpha, using: &random)
          bytes[offset + 1] = isGray ? bytes[offset] : UInt8.random(in: 0...alpha, using: &random)
          bytes[offset + 2] = isGray ? bytes[offset] : UInt8.random(in: 0...alpha, using: &random)
          bytes[offset + 3] = alpha
        }
      })
  }

  private func read(_ data: Data) throws -> Bitmap {
    try PNGReader(data: data, limits: CodecLimits()).decode(DecodeOptions())
  }

  @Test("What is written is read again exactly", arguments: [true, false], [true, false])
  func roundTrip(isGray: Bool, isOpaque: Bool) throws {
    let image = try bitmap(isGray: isGray, isOpaque: isOpaque)
    let data = try PNGWriter().encode(image)
    let again = try read(data)
    #expect(again.pixelBytes == image.pixelBytes)
    #expect(again.isOpaque == isOpaque)
    #expect(try PNGWriter().encode(again) == data)

    let header = try PNGReader(data: data, limits: CodecLimits()).header
    #expect(header.colorModel == (isGray ? .gray : .rgb))
    #expect(header.hasAlpha == !isOpaque)
    #expect(header.profileName == "sRGB")
  }

  @Test("Every premultiplied pair of color and alpha survives")
  func everyPair() throws {
    let image = try #require(
      Bitmap(pixelWidth: 256, pixelHeight: 256) { bytes in
        for alpha in 0..<256 {
          for color in 0..<256 {
            let offset = (alpha * 256 + color) * 4
            bytes[offset] = UInt8(min(color, alpha))
            bytes[offset + 1] = UInt8(max(alpha - color, 0))
            bytes[offset + 3] = UInt8(alpha)
          }
        }
      })
    #expect(try read(PNGWriter().encode(image)).pixelBytes == image.pixelBytes)
  }

  @Test("Colors are divided by alpha to nearest")
  func straightColors() throws {
    let image = try #require(
      Bitmap(pixelWidth: 3, pixelHeight: 1) { $0.copyBytes(from: [64, 128, 1, 128, 3, 2, 1, 3, 0, 0, 0, 0]) })
    let data = try PNGWriter(compressionLevel: 0).encode(image)
    // Stored blocks: the row stands in the file as it is, behind the byte of its filter.
    #expect(data.range(of: Data([0, 128, 255, 2, 128, 255, 170, 85, 3, 0, 0, 0, 0])) != nil)
  }

  @Test("A higher level makes a smaller file, and one outside the range is clamped")
  func levels() throws {
    let smooth = try #require(
      Bitmap(pixelWidth: 256, pixelHeight: 128, isOpaque: true) { bytes in
        for offset in bytes.indices {
          let (x, y) = (offset / 4 % 256, offset / 1024)
          bytes[offset] = offset % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: (x * x / 97 + y * (offset % 4 + 1)) % 251)
        }
      })
    let sizes = try (0...9).map { try PNGWriter(compressionLevel: $0).encode(smooth).count }
    #expect(sizes[9] < sizes[1] && sizes[1] < sizes[0])
    #expect(PNGWriter(compressionLevel: 99).compressionLevel == 9)
    #expect(PNGWriter(compressionLevel: -1).compressionLevel == 0)
    for level in 0...9 {
      #expect(try read(PNGWriter(compressionLevel: level).encode(smooth)).pixelBytes == smooth.pixelBytes)
    }
  }

  @Test("An empty image cannot be written")
  func empty() {
    #expect(throws: CodecError.encodingFailed(.png, reason: "the image is empty")) {
      try PNGWriter().encode(Bitmap())
    }
  }

  @Test(
    "ImageMagick reads what is written", .enabled(if: ImageMagick.isInstalled), arguments: [true, false], [true, false])
  func magick(isGray: Bool, isOpaque: Bool) throws {
    let image = try bitmap(isGray: isGray, isOpaque: isOpaque)
    let pixels = try ImageMagick.straightRGBA(PNGWriter().encode(image))
    #expect(premultipliedByDefinition(pixels) == image.pixelBytes)
  }
}

/// ImageMagick's `convert`, if there is one.
enum ImageMagick {
  private static let program = URL(fileURLWithPath: "/usr/bin/convert")

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

  /// What it decodes a file to.
  static func straightRGBA(_ file: Data, fileExtension: String = "png") throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, output) = (
      folder.appendingPathComponent("in.\(fileExtension)"), folder.appendingPathComponent("out.rgba")
    )
    try file.write(to: input)
    let process = Process()
    process.executableURL = program
    process.arguments = [input.path, "-alpha", "on", "-depth", "8", "rgba:\(output.path)"]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return [UInt8](try Data(contentsOf: output))
  }
}
