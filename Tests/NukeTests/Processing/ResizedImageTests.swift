import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Resizing without a pipeline")
struct ResizedImageTests {
  private let image = SampleImage.bitmap(width: 40, height: 20)

  @Test("An image is resized in pixels; by default, it fits into the size and is not enlarged")
  func sizes() throws {
    let square = CGSize(width: 10, height: 10)
    #expect(try image.resized(to: square).pixelSize == [10, 5])
    #expect(try image.resized(to: square, contentMode: .aspectFill).pixelSize == [20, 10])
    #expect(try image.resized(to: square, contentMode: .aspectFill, crop: true).pixelSize == [10, 10])
    let large = CGSize(width: 80, height: 80)
    #expect(try image.resized(to: large) === image)
    #expect(try image.resized(to: large, upscale: true).pixelSize == [80, 40])
  }

  @Test("The pixels are those of the processor")
  func pixels() throws {
    let size = CGSize(width: 7, height: 7)
    let processed = ImageProcessors.Resize(size: size, unit: .pixels, contentMode: .aspectFit).process(image)
    #expect(try image.resized(to: size).pixels == processed?.pixels)
  }

  @Test(
    "A size that no image can have is an error",
    arguments: [
      CGSize(width: 0, height: 10), CGSize(width: -1, height: 10), CGSize(width: CGFloat.nan, height: 10),
      CGSize(width: 10, height: CGFloat.infinity),
    ])
  func invalidSizes(size: CGSize) {
    #expect {
      try image.resized(to: size)
    } throws: {
      if case ImageProcessors.SizeError.invalidSize = $0 { true } else { false }
    }
  }

  @Test("A hostile size is an error, and an empty image has nothing to resize")
  func hostileSize() {
    #expect(throws: ImageProcessors.SizeError.resultTooLarge(width: 40_000, height: 20_000, limit: 100_000_000)) {
      try image.resized(to: CGSize(width: 40_000, height: 40_000), upscale: true)
    }
    #expect(throws: ImageProcessors.SizeError.emptyImage) {
      try PlatformImage().resized(to: CGSize(width: 1, height: 1))
    }
  }

  @Test("An upload becomes a JPEG in three lines")
  func upload() throws {
    let image = try PlatformImage(decoding: SampleImage.png(width: 64, height: 48))
    let small = try image.resized(to: CGSize(width: 32, height: 32))
    let jpeg = try #require(small.jpegData(compressionQuality: 0.8))
    #expect(AssetType(jpeg) == .jpeg)
    #expect(try PlatformImage(decoding: jpeg).pixelSize == [32, 24])
  }
}
