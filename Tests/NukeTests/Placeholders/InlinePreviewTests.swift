import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Inline previews", .timeLimit(.minutes(1)))
struct InlinePreviewTests {
  private let image = SampleImage.bitmap(width: 400, height: 300)

  @Test("An inline preview is a short data: URL that a pipeline loads")
  func loads() async throws {
    for (format, type) in [(InlinePreviewFormat.webP, "webp"), (.jpeg, "jpeg")] {
      let url = try image.inlinePreview(format: format)
      #expect(url.absoluteString.hasPrefix("data:image/\(type);base64,"))
      #expect(url.absoluteString.utf8.count < 1300)
      let loaded = try await ImagePipeline.fake(loader: makeLoader()).image(for: url)
      #expect((loaded.pixelWidth, loaded.pixelHeight) == (24, 18))
    }
  }

  @Test("WebP keeps alpha, and small images keep their size")
  func alpha() throws {
    let glass = SampleImage.bitmap(width: 10, height: 5, isOpaque: false)
    let text = try glass.inlinePreview().absoluteString
    let data = try #require(Data(base64Encoded: String(text.split(separator: ",")[1])))
    let decoded = try #require(PlatformImage(data: data))
    #expect((decoded.pixelWidth, decoded.pixelHeight) == (10, 5))
    #expect(!decoded.isOpaque)
  }

  @Test("Size and quality affect the length")
  func options() throws {
    func length(_ side: Int, _ quality: Double) throws -> Int {
      try image.inlinePreview(maxPixelSize: side, quality: quality).absoluteString.utf8.count
    }
    #expect(try length(64, 0.4) > length(24, 0.4))
    #expect(try length(64, 0.9) > length(64, 0.1))
  }

  @Test("An empty image, or a size out of range, is an error")
  func refusals() {
    #expect(throws: PlaceholderError.emptyImage) { try PlatformImage().inlinePreview() }
    for side in [0, -1, 257] {
      #expect(throws: PlaceholderError.sizeOutOfRange(width: side, height: side, limit: 256)) {
        try image.inlinePreview(maxPixelSize: side)
      }
    }
  }
}
