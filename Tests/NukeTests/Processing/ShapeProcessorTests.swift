import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Circles, rounded corners and blurs")
struct ShapeProcessorTests {
  typealias Border = ImageProcessingOptions.Border
  typealias Circle = ImageProcessors.Circle
  typealias RoundedCorners = ImageProcessors.RoundedCorners
  typealias GaussianBlur = ImageProcessors.GaussianBlur

  private let image = SampleImage.bitmap(width: 40, height: 20, scale: 2)

  @Test("A circle is cut from the center, and transparent around it")
  func circle() throws {
    let result = try #require(Circle().process(image))
    #expect((result.pixelWidth, result.pixelHeight, result.scale) == (20, 20, 2))
    #expect(!result.isOpaque)
    #expect(result.pixel(0, 0) == [0, 0, 0, 0])
    #expect(result.pixel(10, 10) == image.pixel(20, 10))
    #expect(result.pixel(10, 1) == image.pixel(20, 1))
    // The curve is 0.017 pixels below the top there.
    #expect(result.pixel(10, 0)[3] == 251)
  }

  @Test("A border is inside the circle")
  func circleBorder() throws {
    let border = Border(color: .red, width: 4, unit: .pixels)
    let result = try #require(Circle(border: border).process(image))
    #expect(result.pixel(0, 10) == [251, 0, 0, 251])
    #expect(result.pixel(1, 10) == [255, 0, 0, 255])
    #expect(result.pixel(3, 10) == [255, 0, 0, 255])
    #expect(result.pixel(5, 10) == image.pixel(15, 10))
  }

  @Test("Rounded corners keep size, scale, and everything except the corners")
  func roundedCorners() throws {
    let result = try #require(RoundedCorners(radius: 6, unit: .pixels).process(image))
    #expect((result.pixelWidth, result.pixelHeight, result.scale) == (40, 20, 2))
    for (x, y) in [(0, 0), (39, 0), (0, 19), (39, 19)] { #expect(result.pixel(x, y)[3] == 0) }
    for (x, y) in [(6, 0), (33, 0), (0, 6), (39, 13), (20, 10)] {
      #expect(result.pixel(x, y) == image.pixel(x, y))
    }
    let round = try #require(RoundedCorners(radius: .infinity, unit: .pixels).process(image))
    #expect(round.pixels == RoundedCorners(radius: 10, unit: .pixels).process(image)?.pixels)
  }

  @Test("An invalid radius leaves the image unchanged", arguments: [0, -5, .nan, -.infinity] as [CGFloat])
  func senselessRadii(radius: CGFloat) throws {
    let processor = RoundedCorners(radius: radius, unit: .pixels)
    #expect(processor.process(image) === image)
    #expect(processor == RoundedCorners(radius: 0))
    let border = Border(color: .black, width: radius, unit: .pixels)
    #expect(border == Border(color: .black, width: 0))
    #expect(RoundedCorners(radius: radius, border: border).process(image) === image)
    // A border alone keeps an opaque image opaque.
    let framed = try #require(RoundedCorners(radius: radius, border: Border(color: .black)).process(image))
    #expect(framed.isOpaque)
  }

  @Test("A blur keeps size, scale and opacity, and blends neighbors")
  func blur() throws {
    let result = try #require(GaussianBlur().process(image))
    #expect((result.pixelWidth, result.pixelHeight, result.scale, result.isOpaque) == (40, 20, 2, true))
    func contrast(_ image: PlatformImage) -> Int {
      (1..<40).reduce(0) { $0 + abs(Int(image.pixel($1, 9)[0]) - Int(image.pixel($1 - 1, 9)[0])) }
    }
    #expect(contrast(result) * 2 < contrast(image))
    for radius in [0, -1, .min] { #expect(GaussianBlur(radius: radius).process(image) === image) }
    #expect(GaussianBlur(radius: .max).process(image)?.pixelWidth == 40)
  }

  @Test("Other properties of an image are kept")
  func containers() throws {
    let container = ImageContainer(image: image, type: .gif, data: Data([1]), userInfo: ["key": 7])
    for processor: any ImageProcessing in [Circle(), RoundedCorners(radius: 3), GaussianBlur(radius: 1)] {
      let result = try processor.processed(container)
      #expect(result.type == .gif)
      #expect(result.userInfo["key"] as? Int == 7)
      #expect(result.image !== image)
    }
  }

  @Test("Processors are equal if they do the same, and only then, also by identifier")
  func equality() {
    let red = Border(color: .red, width: 2, unit: .pixels)
    let circles = [
      Circle(), Circle(border: red), Circle(border: Border(color: .blue, width: 2, unit: .pixels)),
      Circle(border: Border(color: .red, width: 3, unit: .pixels)),
    ]
    #expect(Set(circles).count == 4)
    #expect(Set(circles.map(\.identifier)).count == 4)
    #expect(Circle(border: red).hashableIdentifier == Circle(border: red).hashableIdentifier)
    let corners = [
      RoundedCorners(radius: 4, unit: .pixels), RoundedCorners(radius: 5, unit: .pixels),
      RoundedCorners(radius: 4, unit: .pixels, border: red),
    ]
    #expect(Set(corners).count == 3)
    #expect(Set(corners.map(\.identifier)).count == 3)
    #expect(Set([GaussianBlur(), GaussianBlur(radius: 8), GaussianBlur(radius: 9)]).count == 2)
    #expect(GaussianBlur(radius: -1) == GaussianBlur(radius: 0))
  }

  @Test("Identifiers and descriptions contain everything, in pixels")
  func identifiers() {
    let border = Border(color: .red, width: 2.5, unit: .pixels)
    #expect(Circle().identifier == "org.nuke.circle?border=none")
    #expect(Circle(border: border).identifier == "org.nuke.circle?border=#FF0000/2.5")
    #expect(
      RoundedCorners(radius: 4, unit: .pixels, border: border).identifier
        == "org.nuke.rounded_corners?radius=4.0,border=#FF0000/2.5")
    #expect(GaussianBlur(radius: 12).identifier == "org.nuke.gaussian_blur?radius=12")
    #expect("\(border)" == "Border(color: #FF0000, width: 2.5 pixels)")
    #expect("\(Circle())" == "Circle(border: nil)")
    #expect("\(RoundedCorners(radius: 4, unit: .pixels))" == "RoundedCorners(radius: 4.0 pixels, border: nil)")
    #expect("\(GaussianBlur())" == "GaussianBlur(radius: 8)")
  }

  @Test("There are short forms")
  func factories() {
    let border = Border(color: .black)
    let processors: [any ImageProcessing] = [
      .circle(), .circle(border: border), .roundedCorners(radius: 0),
      .roundedCorners(radius: 4, unit: .pixels, border: border),
      .gaussianBlur(), .gaussianBlur(radius: 3),
    ]
    #expect(processors[0] as? Circle == Circle())
    #expect(processors[1] as? Circle == Circle(border: border))
    #expect(processors[2] as? RoundedCorners == RoundedCorners(radius: 0))
    #expect(processors[3] as? RoundedCorners == RoundedCorners(radius: 4, unit: .pixels, border: border))
    #expect(processors[4] as? GaussianBlur == GaussianBlur(radius: 8))
    #expect(processors[5] as? GaussianBlur == GaussianBlur(radius: 3))
  }

  @Test("Gray images stay gray, and transparent ones stay correctly premultiplied")
  func grayAndTransparent() throws {
    let gray = try #require(
      PlatformImage(pixelWidth: 20, pixelHeight: 20, isOpaque: true) { bytes in
        for i in 0..<400 { for c in 0..<4 { bytes[i * 4 + c] = c == 3 ? 255 : UInt8(i % 251) } }
      })
    let glass = SampleImage.bitmap(width: 20, height: 20, isOpaque: false)
    for processor: any ImageProcessing in [
      Circle(), RoundedCorners(radius: 5), GaussianBlur(radius: 2), GaussianBlur(radius: 7),
    ] {
      let pixels = try #require(processor.process(gray)).pixels
      for i in stride(from: 0, to: pixels.count, by: 4) {
        #expect(pixels[i] == pixels[i + 1] && pixels[i] == pixels[i + 2])
      }
      #expect(try #require(processor.process(glass)).isPremultiplied)
    }
  }
}
