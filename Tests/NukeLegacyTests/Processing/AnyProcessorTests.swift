import Foundation
import NukeLegacy
import NukeTesting
import Testing

private struct Named: Processing, Hashable {
  let name: String
  func process(_ image: Image) -> Image? { image }
}

private struct Nothing: Processing {
  func process(_ image: Image) -> Image? { nil }
}

@Suite("A type-erased processor")
struct AnyProcessorTests {
  private let image = SampleImage.bitmap(width: 12, height: 12)

  @Test("It is equal to one with an equal processor only")
  func equality() {
    #expect(AnyProcessor(Every(nth: 2)) == AnyProcessor(Every(nth: 2)))
    #expect(AnyProcessor(Every(nth: 2)) != AnyProcessor(Every(nth: 3)))
    #expect(AnyProcessor(Named(name: "a")) == AnyProcessor(AnyProcessor(Named(name: "a"))))
    #expect(AnyProcessor(Named(name: "a")) != AnyProcessor(Nothing()))
  }

  @Test("It returns the result of its processor")
  func processing() {
    #expect(AnyProcessor(Every(nth: 3)).process(image)?.pixelWidth == 4)
    #expect(AnyProcessor(Nothing()).process(image) == nil)
  }

  @Test("A decompressor changes nothing")
  func decompressor() {
    #expect(AnyProcessor(Decompressor()).process(image) === image)
    #expect(Decompressor().process(image) === image)
    #expect(AnyProcessor(Decompressor()) == AnyProcessor(Decompressor()))
  }
}
