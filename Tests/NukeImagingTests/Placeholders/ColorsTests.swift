import Foundation
import NukeImaging
import Testing

@Suite("The colors of an image")
struct ImageColorsTests {
  /// An image in stripes from the left, each as wide as it says.
  private func stripes(_ stripes: [(width: Int, pixel: [UInt8])], height: Int = 40) throws -> Bitmap {
    let row = stripes.flatMap { stripe in (0..<stripe.width).flatMap { _ in stripe.pixel } }
    return try SampleImages.bitmap(
      row.count / 4, height, isOpaque: stripes.allSatisfy { $0.pixel[3] == 255 },
      pixels: (0..<height).flatMap { _ in row })
  }

  @Test("The mean is computed in linear light")
  func average() throws {
    let halves = try stripes([(20, [0, 0, 0, 255]), (20, [255, 255, 255, 255])])
    #expect(halves.averageColor?.hex == "#BCBCBC")
    #expect(try stripes([(3, [10, 200, 30, 255])]).averageColor?.hex == "#0AC81E")
    #expect(Bitmap().averageColor == nil)
    #expect(Bitmap().dominantColor == nil)
  }

  @Test("Transparent pixels are weighted by their alpha")
  func transparency() throws {
    let half = try stripes([(20, [255, 0, 0, 255]), (20, [0, 0, 0, 0])])
    #expect(half.averageColor?.hex == "#FF000080")
    #expect(half.dominantColor?.hex == "#FF0000")
    let nothing = try stripes([(20, [0, 0, 0, 0])])
    #expect(nothing.averageColor == .clear)
    #expect(nothing.dominantColor == nil)
    // Three quarters of the image are blue, of which little is there.
    let faint = try stripes([(10, [200, 0, 0, 255]), (30, [0, 0, 20, 20])])
    #expect(faint.dominantColor?.hex == "#C80000")
  }

  @Test("The dominant color is that of most pixels, not a mean of different ones")
  func dominant() throws {
    let image = try stripes([(30, [20, 60, 200, 255]), (50, [240, 200, 40, 255]), (20, [250, 250, 250, 255])])
    #expect(image.dominantColor?.hex == "#F0C828")
    #expect(image.dominantColors(maxCount: 5).map(\.hex) == ["#F0C828", "#143CC8", "#FAFAFA"])
    #expect(image.dominantColors(maxCount: 2).count == 2)
    #expect(image.dominantColors(maxCount: 0).isEmpty)
  }

  @Test("Similar shades count together, even across the boundaries of histogram cells")
  func shades() throws {
    // Each shade of green is rarer than the red.
    let greens = (0..<60).map { index in (1, [40 + UInt8(index % 4), 150 + UInt8(index % 7), 60, 255] as [UInt8]) }
    let image = try stripes([(40, [200, 30, 30, 255])] + greens)
    let color = try #require(image.dominantColor)
    #expect(color.green > color.red && color.green > color.blue)
  }

  @Test("A large image has the colors of a reduced one, and the result is reproducible")
  func large() throws {
    let image = try stripes(
      [(900, [20, 60, 200, 255]), (1100, [240, 200, 40, 255])], height: 900)
    #expect(image.dominantColor?.hex == "#F0C828")
    var random = SeededGenerator(seed: 43)
    let noise = try SampleImages.noise(90, 70, isOpaque: true, random: &random)
    let colors = noise.dominantColors(maxCount: 8)
    #expect(colors.count == 8)
    for _ in 0..<5 { #expect(noise.dominantColors(maxCount: 8) == colors) }
  }
}
