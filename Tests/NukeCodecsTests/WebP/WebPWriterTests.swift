import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Writing WebP")
struct WebPWriterTests {
  /// Waves, either opaque or with every alpha and every color that alpha allows somewhere.
  private func bitmap(_ width: Int, _ height: Int, opaque: Bool) throws -> Bitmap {
    try #require(
      Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: opaque) { bytes in
        for y in 0..<height {
          for x in 0..<width {
            let alpha = opaque ? 255 : (x * 7 + y * 3) % 256
            let pixel = (y * width + x) * 4
            for (channel, color) in [x * 5, y * 11, x + y * 2].enumerated() {
              bytes[pixel + channel] = UInt8(color % 256 * alpha / 255)
            }
            bytes[pixel + 3] = UInt8(alpha)
          }
        }
      })
  }

  private func read(_ data: Data) throws -> Bitmap {
    try WebPReader(data: data, limits: CodecLimits()).decode(DecodeOptions())
  }

  @Test("An image written without loss comes back with the same pixels", arguments: [true, false])
  func lossless(opaque: Bool) throws {
    let image = try bitmap(61, 47, opaque: opaque)
    for effort in [0, 4, 6] {
      let data = try WebPWriter(isLossless: true, effort: effort).encode(image)
      let result = try read(data)
      #expect(largestDifference(result.pixelBytes, image.pixelBytes) == 0)
      #expect(result.isOpaque == opaque)
      #expect(try #require(try WebPReader.header(ofPrefix: data)).hasAlpha == !opaque)
    }
  }

  @Test("A lossy image keeps its alpha exactly and its colors nearly", arguments: [true, false])
  func lossy(opaque: Bool) throws {
    let image = try #require(
      Bitmap(pixelWidth: 60, pixelHeight: 40, isOpaque: opaque) { bytes in
        for pixel in 0..<60 * 40 {
          let alpha = opaque ? 255 : min(pixel / 8, 255)
          for (channel, color) in [200, 120, 40].enumerated() {
            bytes[pixel * 4 + channel] = UInt8(color * alpha / 255)
          }
          bytes[pixel * 4 + 3] = UInt8(alpha)
        }
      })
    let result = try read(try WebPWriter(quality: 0.9).encode(image))
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
    let files = try [0.1, 0.5, 0.9].map { try WebPWriter(quality: $0).encode(image) }
    #expect(files[0].count < files[1].count && files[1].count < files[2].count)
    #expect(try error(files[0]) > error(files[2]))
    #expect(try WebPWriter(quality: 7).encode(image) == WebPWriter(quality: 1).encode(image))
    #expect(try WebPWriter(quality: -7).encode(image) == WebPWriter(quality: 0).encode(image))
    #expect(try WebPWriter(quality: .nan).encode(image) == WebPWriter().encode(image))
    #expect(try WebPWriter(effort: 99).encode(image) == WebPWriter(effort: 6).encode(image))
  }

  @Test("An empty image and one too large for the format are refused")
  func refused() throws {
    #expect(throws: CodecError.encodingFailed(.webp, reason: "the image is empty")) {
      try WebPWriter().encode(Bitmap())
    }
    let wide = try #require(Bitmap(pixelWidth: 16_384, pixelHeight: 1) { _ in })
    #expect(throws: CodecError.encodingFailed(.webp, reason: "16384x1 pixels, where a side may have 16383")) {
      try WebPWriter().encode(wide)
    }
    let largest = try #require(Bitmap(pixelWidth: 16_383, pixelHeight: 1) { _ in })
    #expect(try read(WebPWriter(isLossless: true).encode(largest)).pixelWidth == 16_383)
  }

  private static let dwebp = ["/usr/bin/dwebp", "/usr/local/bin/dwebp"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  @Test("What is written is what dwebp reads", .enabled(if: dwebp != nil), arguments: [true, false], [true, false])
  func interchange(opaque: Bool, isLossless: Bool) throws {
    let image = try bitmap(61, 47, opaque: opaque)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, output) = (folder.appendingPathComponent("a.webp"), folder.appendingPathComponent("a.pam"))
    let data = try WebPWriter(quality: 0.9, isLossless: isLossless).encode(image)
    try data.write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.dwebp))
    process.arguments = ["-quiet", file.path, "-pam", "-o", output.path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)

    let written = try Data(contentsOf: output)
    let pixels = [UInt8](written.suffix(61 * 47 * 4))
    #expect(written.range(of: Data("WIDTH 61\nHEIGHT 47\nDEPTH 4\n".utf8)) != nil)
    let expected = isLossless ? image : try read(data)
    #expect(largestDifference(premultipliedByDefinition(pixels), expected.pixelBytes) == 0)
  }
}
