import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Decode options")
struct DecodeOptionsTests {
  private func files() throws -> [Data] {
    let turned = try #require(PNGFixture.all.first { $0.orientation == 6 })
    return [
      try JPEGFixture.data("orientation-6"), try turned.data(), try FrameFixture.webp("orientation-6").data(),
      try FrameFixture.webp("animated-orientation").data(),
    ]
  }

  @Test("The image can be decoded in the stored orientation, or in another one than the file states")
  func orientation() throws {
    for data in try files() {
      let reader = try ImageReaders.reader(for: data)
      let upright = try reader.decode(.init())
      let stored = try reader.decode(.init(orientation: .up))
      #expect((stored.pixelWidth, stored.pixelHeight) == (reader.header.storedWidth, reader.header.storedHeight))
      let buffer = try #require(stored.buffer)
      let turned = try #require(reader.header.orientation.apply(to: buffer))
      #expect(Bitmap(turned, isOpaque: true).rgb == upright.rgb)
      let mirrored = try #require(Orientation.upMirrored.apply(to: buffer))
      #expect(try reader.decode(.init(orientation: .upMirrored)).rgb == Bitmap(mirrored, isOpaque: true).rgb)
    }
  }

  @Test("An image of reduced size can be decoded in the stored orientation")
  func reduced() throws {
    let reader = try ImageReaders.reader(for: JPEGFixture.data("orientation-6"))
    let stored = try reader.decode(.init(scaleDenominator: 2, orientation: .up))
    #expect(stored.pixelWidth == (reader.header.storedWidth + 1) / 2)
    #expect(stored.pixelHeight == (reader.header.storedHeight + 1) / 2)
  }
}
