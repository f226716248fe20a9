import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("The quality scale of all formats")
struct QualityScaleTests {
  private static let formats: [ImageFormat] = [.webp, .avif, .jxl]

  // From the table that Benchmarks/Peers/quality.py prints.
  @Test(
    "A quality of JPEG becomes the one of another format that looks like it",
    arguments: [
      (ImageFormat.webp, [0.5: 0.5, 0.7: 0.77, 0.8: 0.84]), (.avif, [0.5: 0.43, 0.7: 0.54, 0.8: 0.63]),
      (.jxl, [0.5: 0.67, 0.7: 0.81, 0.8: 0.87]), (.jpeg, [0.5: 0.5, 0.8: 0.8]), (.png, [0.5: 0.5]),
    ])
  func measured(format: ImageFormat, pairs: [Double: Double]) {
    for (jpeg, other) in pairs {
      #expect(QualityScale.quality(of: format, likeJPEG: jpeg) == other)
      #expect(QualityScale.qualityOfJPEG(like: other, of: format) == jpeg)
    }
  }

  @Test("Higher qualities stay higher, the ends stay, and what is converted there and back stays", arguments: formats)
  func scale(format: ImageFormat) {
    let qualities = (0...100).map { Double($0) / 100 }
    let values = qualities.map { QualityScale.quality(of: format, likeJPEG: $0) }
    #expect(values.first == 0 && values.last == 1)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    for quality in qualities {
      let back = QualityScale.quality(of: format, likeJPEG: QualityScale.qualityOfJPEG(like: quality, of: format))
      #expect(abs(back - quality) < 0.0001)
    }
    #expect(QualityScale.quality(of: format, likeJPEG: 7) == 1 && QualityScale.quality(of: format, likeJPEG: -7) == 0)
    #expect(QualityScale.quality(of: format, likeJPEG: .nan).isNaN)
  }

  @Test("Options for any format are on the scale of JPEG, a writer's own quality on that of its library")
  func writers() {
    let options = EncodeOptions(quality: 0.8)
    #expect(JPEGWriter(options).quality == 0.8)
    #expect(WebPWriter(options).quality == 0.84 && WebPWriter(quality: 0.8).quality == 0.8)
    #if AVIF
      #expect(AVIFWriter(options).quality == 0.63 && AVIFWriter(quality: 0.8).quality == 0.8)
      // The chroma of a good image is not reduced, whatever the number of the library.
      #expect(AVIFWriter(EncodeOptions(quality: 0.9)).subsampling == .yuv444)
    #endif
    #if JPEGXL
      #expect(JXLWriter(options).quality == 0.87 && JXLWriter(quality: 0.8).quality == 0.8)
    #endif
  }

  @Test("A lower quality makes smaller files in the formats that have a quality", arguments: ImageFormat.writable)
  func hasQuality(_ format: ImageFormat) throws {
    let image = try randomImage(width: 48, height: 32, isOpaque: true)
    let sizes = try [0.3, 0.9].map { quality in
      try ImageWriters.writer(for: format, options: EncodeOptions(quality: quality)).encode(image).count
    }
    #expect((sizes[0] < sizes[1]) == format.hasQuality)
  }
}
