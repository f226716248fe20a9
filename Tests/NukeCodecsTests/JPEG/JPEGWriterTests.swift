import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("JPEG writer")
struct JPEGWriterTests {
  /// A smooth image of odd sides.
  private func gradient(_ width: Int = 61, _ height: Int = 35) throws -> Bitmap {
    try .drawn(width, height, isOpaque: true) { x, y in
      Bitmap.premultiplied(x * 255 / width, y * 255 / height, (x + y) * 255 / (width + height), alpha: 255)
    }
  }

  private static let forms: [JPEGWriter] = [false, true].flatMap { isProgressive in
    ChromaSubsampling.allCases.map {
      JPEGWriter(quality: 0.9, isProgressive: isProgressive, subsampling: $0)
    }
  }

  @Test("Our reader decodes the written files", arguments: forms)
  func roundTrip(_ writer: JPEGWriter) throws {
    let image = try gradient()
    let reader = try JPEGReader(data: writer.encode(image))
    #expect(reader.header.isProgressive == writer.isProgressive)
    #expect(try #require(PixelDifference(reader.decode(), rgb: image.rgb)).psnr > 38)
  }

  @Test(
    "djpeg decodes the written files", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/djpeg")),
    arguments: forms)
  func djpeg(_ writer: JPEGWriter) throws {
    let image = try gradient()
    let ppm = try converted(writer.encode(image), by: "/usr/bin/djpeg") { ["-strict", "-ppm", "-outfile", $1, $0] }
    let pixels = ppm.suffix(image.pixelWidth * image.pixelHeight * 3)
    #expect(try #require(PixelDifference(image, rgb: pixels)).psnr > 38)
  }

  @Test("Higher quality produces a larger file with smaller errors")
  func quality() throws {
    let image = try gradient()
    let files = try [0.1, 0.5, 0.95].map { try JPEGWriter(quality: $0).encode(image) }
    #expect(files[0].count < files[1].count && files[1].count < files[2].count)
    let distances = try files.map { try #require(PixelDifference(JPEGReader(data: $0).decode(), rgb: image.rgb)).psnr }
    #expect(distances[0] < distances[1] && distances[1] < distances[2])
  }

  @Test("A quality out of range is clamped", arguments: [-3, 0, 7, .infinity, .nan] as [CGFloat])
  func qualityOutOfRange(_ quality: CGFloat) throws {
    let data = try JPEGWriter(quality: quality).encode(gradient())
    #expect(try JPEGReader(data: data).header.storedWidth == 61)
  }

  @Test("The color resolution is halved only on request")
  func subsampling() throws {
    for (subsampling, factors) in [(ChromaSubsampling.yuv420, UInt8(0x22)), (.yuv444, 0x11)] {
      let data = try JPEGWriter(subsampling: subsampling).encode(gradient())
      let frame = try #require(data.firstRange(of: Data([0xFF, 0xC0]))).upperBound
      #expect(data[frame + 9] == factors)
    }
  }

  @Test("Optimized Huffman tables make a smaller file of the same pixels")
  func optimizedTables() throws {
    let image = try gradient(601, 603)
    var writer = JPEGWriter()
    let plain = try writer.encode(image)
    writer.optimizesHuffmanTables = true
    let optimized = try writer.encode(image)
    #expect(optimized.count < plain.count)
    #expect(try JPEGReader(data: optimized).decode().pixelBytes == JPEGReader(data: plain).decode().pixelBytes)
  }

  @Test("The options of all formats reach the writer")
  func options() throws {
    var options = EncodeOptions(quality: 0.6)
    #expect(JPEGWriter(options).optimizesHuffmanTables == nil)
    (options.isProgressive, options.chromaSubsampling, options.effort) = (true, .yuv444, 1)
    let writer = JPEGWriter(options)
    #expect(writer.quality == 0.6 && writer.isProgressive && writer.subsampling == .yuv444)
    #expect(writer.optimizesHuffmanTables == true)
    options.effort = 0
    #expect(JPEGWriter(options).optimizesHuffmanTables == false)
  }

  @Test("Transparent pixels are drawn over the background")
  func background() throws {
    // Left half clear, right half red at half strength.
    let image = try Bitmap.drawn(32, 16) { x, _ in x < 16 ? SIMD4() : SIMD4(128, 0, 0, 128) }
    func check(_ writer: JPEGWriter, left: [Int], right: [Int]) throws {
      let result = try JPEGReader(data: writer.encode(image)).decode()
      result.withUnsafeBytes { pixels in
        for channel in 0..<3 {
          #expect(abs(Int(pixels[8 * 128 + 4 * 4 + channel]) - left[channel]) <= 3)
          #expect(abs(Int(pixels[8 * 128 + 28 * 4 + channel]) - right[channel]) <= 3)
        }
      }
    }
    try check(.init(quality: 1, subsampling: .yuv444), left: [255, 255, 255], right: [255, 127, 127])
    try check(
      .init(quality: 1, subsampling: .yuv444, background: .init(red: 0, green: 0, blue: 1)), left: [0, 0, 255],
      right: [128, 0, 127])
  }

  @Test("A file larger than the initial buffer is written")
  func growth() throws {
    var state: UInt32 = 1
    let noise = try #require(
      Bitmap(pixelWidth: 640, pixelHeight: 480, isOpaque: true) { pixels in
        for index in pixels.indices {
          state = state &* 1_664_525 &+ 1_013_904_223
          pixels[index] = index % 4 == 3 ? 255 : UInt8(state >> 24)
        }
      })
    for isProgressive in [false, true] {
      let data = try JPEGWriter(quality: 1, isProgressive: isProgressive, subsampling: .yuv444).encode(noise)
      #expect(data.count > 200_000)
      #expect(data.suffix(2) == Data([0xFF, 0xD9]))
      #expect(try #require(PixelDifference(JPEGReader(data: data).decode(), rgb: noise.rgb)).psnr > 40)
    }
  }
}
