import Foundation
import Testing

@testable import Nuke

@Suite("The sizes at which an image is stored")
struct StoredSizesTests {
  typealias Resize = ImageProcessors.Resize

  /// The sizes of the stored results that can be used, by their width.
  private func larger(
    _ stored: [Resize], than resize: Resize, of source: StoredSizes.Source = .init(width: 1000, height: 800)
  ) -> [String] {
    StoredSizes(source, targets: stored.map(\.target)).larger(than: resize).map {
      "\($0.geometry.sourceWidth)x\($0.geometry.sourceHeight) to \($0.geometry.outputWidth)x\($0.geometry.outputHeight)"
    }
  }

  private func width(_ width: CGFloat, upscale: Bool = false) -> Resize {
    .init(width: width, unit: .pixels, upscale: upscale)
  }

  private func fill(_ width: CGFloat, _ height: CGFloat, crop: Bool = true, upscale: Bool = false) -> Resize {
    .init(size: CGSize(width: width, height: height), unit: .pixels, crop: crop, upscale: upscale)
  }

  @Test("Results with twice the sides can be used, the smallest first")
  func smallestFirst() {
    let stored = [width(900), width(400), width(399), width(100), width(401)]
    #expect(larger(stored, than: width(200)) == ["400x320 to 200x160", "401x321 to 200x160", "900x720 to 200x160"])
  }

  @Test("A side that is rounded may lack a pixel")
  func rounded() {
    // 668 x 0.4 is 267.2, and 668 x 0.2 is 133.6.
    let source = StoredSizes.Source(width: 1000, height: 668)
    #expect(larger([width(400), width(398)], than: width(200), of: source) == ["400x267 to 200x134"])
    let strip = StoredSizes.Source(width: 1000, height: 3)
    #expect(larger([width(400), width(199)], than: width(100), of: strip) == ["400x1 to 100x1"])
  }

  @Test("The result has the size that it would have if it was made from the original")
  func exactSize() {
    // 667 x 0.301 is 200.767, but 401 x 301 / 602 would be 200.5, and 402 x 0.5 would be 201.
    let source = StoredSizes.Source(width: 1000, height: 667)
    #expect(larger([width(602)], than: width(301), of: source) == ["602x402 to 301x201"])
    // 667 x 0.303 is 202.1, but 405 x 303 / 607 is 202.2 and 404 x 303 / 606 is 202.
    #expect(larger([width(607)], than: width(303), of: source) == ["607x405 to 303x202"])
  }

  @Test("The sides of a reduced original are rounded up, as the decoder does")
  func reduced() {
    let source = StoredSizes.Source(width: 4000, height: 2667, scaleDenominators: [1, 2, 4, 8])
    // At 1/8, the original has 500x334 pixels.
    #expect(larger([width(1000)], than: width(500), of: source) == ["1000x667 to 500x334"])
    let whole = StoredSizes.Source(width: 4000, height: 2667)
    #expect(larger([width(1000)], than: width(500), of: whole) == ["1000x667 to 500x333"])
  }

  @Test("An original that was smaller than its target can be used, and an enlarged one cannot")
  func notEnlarged() {
    #expect(larger([width(2000)], than: width(500)) == ["1000x800 to 500x400"])
    #expect(larger([width(2000)], than: width(501)) == [])
    #expect(larger([width(2000, upscale: true)], than: width(500, upscale: true)) == [])
    #expect(larger([width(900, upscale: true)], than: width(450, upscale: true)) == ["900x720 to 450x360"])
  }

  @Test("A cropped result can be used for the same part of the original")
  func cropped() {
    #expect(larger([fill(400, 400)], than: fill(200, 200)) == ["400x400 to 200x200"])
    #expect(larger([fill(400, 300)], than: fill(200, 150)) == ["400x300 to 200x150"])
    #expect(larger([fill(400, 300), fill(400, 401), fill(800, 400)], than: fill(200, 200)) == [])
    // Too small to be scaled, and cut to whole pixels.
    #expect(larger([fill(3001, 1000)], than: fill(300, 100)) == [])
  }

  @Test("The shape of the target does not matter if nothing is cropped")
  func notCropped() {
    #expect(larger([fill(400, 100, crop: false)], than: fill(100, 160, crop: false)) == ["400x320 to 200x160"])
    #expect(larger([fill(300, 100, crop: false)], than: fill(100, 160, crop: false)) == [])
  }

  @Test("Only resizes with other targets belong together")
  func families() {
    let family = width(100).family
    #expect(family != nil && family == width(200).family && family == Resize(height: 7, unit: .points).family)
    #expect(Resize(width: 100, unit: .pixels, filter: .nearest).family == nil)
    let others = [
      width(100, upscale: true), fill(100, 100), fill(100, 100, crop: false),
      Resize(width: 100, unit: .pixels, filter: .area), Resize(width: 100, unit: .pixels, linearLight: true),
      Resize(width: 100, unit: .pixels, reduction: .none),
    ]
    #expect(Set(others.map(\.family) + [family]).count == others.count + 1)
    for resize in others { #expect(resize.with(resize.target) == resize) }
  }

  @Test("The list has a limit")
  func limited() {
    var sizes = StoredSizes(.init(width: 1000, height: 800))
    for side in 0..<100 { sizes.insert(width(CGFloat(side + 100)).target) }
    #expect(sizes.targets.count == StoredSizes.limit)
    #expect(sizes.targets.last?.width == 199)
    sizes.insert(width(199).target)
    #expect(sizes.targets.count == StoredSizes.limit)
    #expect(sizes.encoded.flatMap { StoredSizes($0) } == sizes)
  }

  @Test("Damaged and forged lists are ignored")
  func damaged() throws {
    let sizes = StoredSizes(.init(width: 1000, height: 800), targets: [width(400).target])
    let data = try #require(sizes.encoded)
    #expect(StoredSizes(data) == sizes)
    for count in 0..<data.count { #expect(StoredSizes(data.prefix(count)) == nil) }
    #expect(StoredSizes(data + Data(repeating: 0x20, count: 5000)) == nil)
    for side in ["0", "-1", "16777217", "9223372036854775807", "1e30"] {
      let json = "{\"source\":{\"width\":\(side),\"height\":1,\"scaleDenominators\":[1]},\"targets\":[]}"
      #expect(StoredSizes(Data(json.utf8)) == nil)
    }
  }

  @Test("A forged list of strange numbers is harmless")
  func strange() throws {
    let json = """
      {"source":{"width":16777216,"height":1,"scaleDenominators":[0,-8,9223372036854775807]},
      "targets":[{"width":-1},{},{"width":1e300,"height":1e-300},{"width":0,"height":0}]}
      """
    let sizes = try #require(StoredSizes(Data(json.utf8)))
    for resize in [width(100), width(0), fill(1, 1), fill(.infinity, 1)] {
      for larger in sizes.larger(than: resize) {
        #expect(larger.geometry.sourceWidth <= 1 << 24)
        #expect(larger.geometry.outputWidth * 2 <= larger.geometry.sourceWidth)
      }
    }
  }
}
