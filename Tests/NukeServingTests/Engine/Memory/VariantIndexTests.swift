import Foundation
import NukeCodecs
import Testing

@testable import NukeServing

@Suite("Smaller variants of an image")
struct VariantIndexTests {
  private let index = VariantIndex()

  private func request(_ width: Int, _ height: Int, _ change: (inout RenditionRequest) -> Void = { _ in })
    -> RenditionRequest
  {
    var request = ServiceFixture.request(width: width)
    request.options.height = height
    change(&request)
    return request
  }

  @Test("Variants are returned in order, the largest first")
  func order() {
    for width in [100, 800, 400, 200] { index.note(request(width, 0)) }
    #expect(index.smaller(than: request(500, 0)).map(\.options.width) == [400, 200, 100])
  }

  @Test("Variants have the same aspect ratio, except for rounding")
  func shape() {
    for (width, height) in [(100, 100), (100, 67), (100, 0), (0, 100)] { index.note(request(width, height)) }
    let found = index.smaller(than: request(300, 200))
    #expect(found.map(\.options.height) == [67])
  }

  @Test("Variants may have another pixel density")
  func density() {
    index.note(request(100, 0) { $0.options.dpr = 3 })
    #expect(index.smaller(than: request(100, 0) { $0.options.dpr = 4 }).count == 1)
    #expect(index.smaller(than: request(100, 0) { $0.options.dpr = 2 }).isEmpty)
  }

  @Test("Variants differ in no other option")
  func others() {
    index.note(request(100, 0) { $0.format = .jpeg })
    index.note(request(100, 0) { $0.options.blur = 2 })
    index.note(request(100, 0) { $0.source = URL(string: "https://images.example/b.jpg")! })
    #expect(index.smaller(than: request(200, 0)).isEmpty)
  }

  @Test("A fitted variant can replace a filled one if both show the whole image")
  func whole() {
    index.note(request(100, 0))
    index.note(request(100, 100) { $0.options.resizing = .fill })
    #expect(index.smaller(than: request(0, 0)).map(\.options.resizing) == [.fit])
    #expect(index.smaller(than: request(0, 0) { $0.options.resizing = .fill }).isEmpty)
  }
  @Test("The index keeps 16 sizes for each of the most recent images, in 6 MB regardless of URL lengths")
  func bounded() {
    for width in 1...40 { index.note(request(width, 0)) }
    #expect(index.smaller(than: request(1000, 0)).map(\.options.width) == Array((25...40).reversed()))
    let long = String(repeating: "a", count: 4000)
    for number in 0..<VariantIndex.imageLimit {
      index.note(request(1, 0) { $0.source = URL(string: "https://images.example/\(number)/\(long)")! })
    }
    #expect(index.smaller(than: request(1000, 0)).isEmpty)
    #expect(holdsNothing(VariantIndex.Size.self))
    let bytes = VariantIndex.imageLimit * (VariantIndex.sizesEach * MemoryLayout<VariantIndex.Size>.stride + 64)
    #expect(bytes <= 6_000_000)
  }

  /// That nothing hangs on a value is checked by the compiler.
  private func holdsNothing(_: (some BitwiseCopyable).Type) -> Bool { true }
}
