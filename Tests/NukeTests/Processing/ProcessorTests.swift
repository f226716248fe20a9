import Foundation
import Nuke
import NukeTesting
import Testing

@Suite("Processors")
struct ProcessorTests {
  typealias Resize = ImageProcessors.Resize

  private let image = SampleImage.bitmap(width: 40, height: 20)

  private func size(of processor: any ImageProcessing) -> [Int]? { processor.process(image)?.pixelSize }

  @Test("Resize keeps the aspect ratio, fills or fits, crops, and enlarges only on request")
  func resizing() {
    let square = CGSize(width: 10, height: 10)
    #expect(size(of: Resize(size: square, unit: .pixels)) == [20, 10])
    #expect(size(of: Resize(size: square, unit: .pixels, contentMode: .aspectFit)) == [10, 5])
    #expect(size(of: Resize(size: square, unit: .pixels, crop: true)) == [10, 10])
    #expect(size(of: Resize(width: 20, unit: .pixels)) == [20, 10])
    #expect(size(of: Resize(height: 5, unit: .pixels)) == [10, 5])
    #expect(size(of: Resize(width: 80, unit: .pixels)) == [40, 20])
    #expect(size(of: Resize(width: 80, unit: .pixels, upscale: true)) == [80, 40])
  }

  @Test("Resize uses the requested filter, in sRGB or in linear light")
  func filters() throws {
    // Columns of black and white.
    let lines = try #require(
      PlatformImage(pixelWidth: 40, pixelHeight: 20, isOpaque: true) { bytes in
        for index in bytes.indices { bytes[index] = index % 8 < 4 || index % 4 == 3 ? 255 : 0 }
      })
    func middle(_ filter: ImageProcessingOptions.ResizeFilter, linearLight: Bool = false) throws -> UInt8 {
      let processor = Resize(width: 10, unit: .pixels, filter: filter, linearLight: linearLight)
      let result = try #require(processor.process(lines))
      #expect((result.pixelWidth, result.pixelHeight) == (10, 5))
      return result.pixels[(2 * 10 + 5) * 4]
    }
    #expect(try middle(.area) == 128)
    #expect((126...129).contains(try middle(.bilinear)))
    #expect((126...129).contains(try middle(.lanczos)))
    #expect([0, 255].contains(try middle(.nearest)))
    #expect(try middle(.area, linearLight: true) == 188, "half of the light")
    #expect(try middle(.nearest, linearLight: true) == middle(.nearest))
  }

  @Test(
    "Resize fails with an invalid size, and states the size",
    arguments: [0, -5, .nan, .infinity, -.infinity] as [CGFloat])
  func invalidSizes(side: CGFloat) {
    for processor in [
      Resize(width: side, unit: .pixels), Resize(height: side, unit: .pixels),
      Resize(size: CGSize(width: side, height: side), unit: .pixels, upscale: true),
      Resize(size: CGSize(width: 10, height: side), unit: .pixels, crop: true),
    ] {
      #expect(processor.process(image) == nil)
      #expect {
        try processor.processed(image)
      } throws: { if case ImageProcessors.SizeError.invalidSize = $0 { true } else { false } }
    }
  }

  @Test(
    "Cropping without enlarging gives smaller images the aspect ratio of the size",
    arguments: [
      ((640, 480), (960, 960), (480, 480)), ((100, 100), (500, 500), (100, 100)), ((640, 480), (600, 600), (480, 480)),
      ((640, 480), (320, 320), (320, 320)), ((3, 2), (1000, 100), (3, 1)), ((640, 480), (640, 480), (640, 480)),
    ])
  func croppingWithoutEnlarging(source: (Int, Int), target: (Int, Int), expected: (Int, Int)) throws {
    let source = SampleImage.bitmap(width: source.0, height: source.1)
    let size = CGSize(width: target.0, height: target.1)
    let cropped = try #require(Resize(size: size, unit: .pixels, crop: true).process(source))
    #expect((cropped.pixelWidth, cropped.pixelHeight) == expected)
    let enlarged = try #require(Resize(size: size, unit: .pixels, crop: true, upscale: true).process(source))
    #expect((enlarged.pixelWidth, enlarged.pixelHeight) == target)
    // What is not scaled keeps its pixels.
    guard expected != target else { return }
    let (x, y) = ((source.pixelWidth - expected.0) / 2, (source.pixelHeight - expected.1) / 2)
    for row in 0..<expected.1 {
      let start = ((y + row) * source.pixelWidth + x) * 4
      let ownStart = row * expected.0 * 4
      #expect(
        cropped.pixels[ownStart..<ownStart + expected.0 * 4].elementsEqual(
          source.pixels[start..<start + expected.0 * 4]))
    }
  }

  @Test("Descriptions contain the size, the content mode and the options")
  func descriptions() {
    #expect(
      "\(Resize(size: CGSize(width: 10, height: 20), unit: .pixels, crop: true))"
        == "Resize(size: (10.0, 20.0) pixels, contentMode: .aspectFill, crop: true, upscale: false)")
    #expect(
      "\(Resize(width: 10, unit: .pixels))"
        == "Resize(size: (10.0, any) pixels, contentMode: .aspectFit, crop: false, upscale: false)")
    #expect(
      "\(ImageProcessingOptions.Border(color: .red, width: 2, unit: .pixels))"
        == "Border(color: #FF0000, width: 2.0 pixels)")
  }

  @Test("Resize rejects results above all limits")
  func tooLarge() {
    #expect(
      Resize(width: 1e9, unit: .pixels, upscale: true).error(image)
        == "the result would have 1000000000x500000000 pixels, and a side may have at most 65536")
    #expect(
      Resize(width: 60_000, unit: .pixels, upscale: true).error(image)
        == "the result would have 60000x30000 pixels, more than the 100000000 allowed")
  }

  @Test("Processors are equal if they do the same, and only then")
  func equality() {
    #expect(Resize(width: 10, unit: .pixels) == Resize(width: 10, unit: .pixels))
    #expect(Resize(width: 10, unit: .pixels).hashableIdentifier == Resize(width: 10, unit: .pixels).hashableIdentifier)
    let others: [Resize] = [
      Resize(width: 11, unit: .pixels), Resize(height: 10, unit: .pixels),
      Resize(width: 10, unit: .pixels, upscale: true),
      Resize(size: CGSize(width: 10, height: 10), unit: .pixels),
      Resize(size: CGSize(width: 10, height: 10), unit: .pixels, crop: true),
      Resize(size: CGSize(width: 10, height: 10), unit: .pixels, contentMode: .aspectFit),
      Resize(width: 10, unit: .pixels, filter: .bilinear), Resize(width: 10, unit: .pixels, filter: .area),
      Resize(width: 10, unit: .pixels, filter: .nearest), Resize(width: 10, unit: .pixels, linearLight: true),
      Resize(width: 10, unit: .pixels, filter: .area, linearLight: true),
    ]
    #expect(Set(others).count == others.count)
    #expect(Set(others.map(\.identifier)).count == others.count)
    #expect(!others.contains(Resize(width: 10, unit: .pixels)))
    #expect(Resize(width: .nan, unit: .pixels) == Resize(width: .nan, unit: .pixels))
    // Nothing is mixed that could be light.
    #expect(
      Resize(width: 10, unit: .pixels, filter: .nearest, linearLight: true)
        == Resize(width: 10, unit: .pixels, filter: .nearest))
    // Cropping means nothing where the image fits in.
    let fit = CGSize(width: 5, height: 5)
    #expect(
      Resize(size: fit, unit: .pixels, contentMode: .aspectFit, crop: true)
        == Resize(size: fit, unit: .pixels, contentMode: .aspectFit))
  }

  @Test("Identifiers contain everything, in pixels")
  func identifiers() {
    #expect(
      Resize(size: CGSize(width: 10, height: 20), unit: .pixels, crop: true).identifier
        == "org.nuke.resize?s=10.0x20.0,cm=aspectFill,crop=true,upscale=false")
    #expect(
      Resize(width: 10.5, unit: .pixels).identifier
        == "org.nuke.resize?s=10.5xany,cm=aspectFit,crop=false,upscale=false")
    #expect(
      Resize(width: 10, unit: .pixels, filter: .bilinear, linearLight: true).identifier
        == "org.nuke.resize?s=10.0xany,cm=aspectFit,crop=false,upscale=false,filter=bilinear,light=linear")
    #expect(
      Resize(width: 10, unit: .pixels, reduction: .balanced).identifier
        == "org.nuke.resize?s=10.0xany,cm=aspectFit,crop=false,upscale=false,reduction=balanced")
    // What cannot be reduced is the same however little that is wanted.
    #expect(
      Resize(width: 10, unit: .pixels, linearLight: true, reduction: .balanced)
        == Resize(width: 10, unit: .pixels, linearLight: true))
    #expect(ImageProcessors.Anonymous(id: "mine") { $0 }.identifier == "mine")
    #expect(
      ImageProcessors.Composition([FakeProcessor("a"), FakeProcessor("b")]).identifier == "a,b")
  }

  @Test("There are short forms")
  func factories() {
    let processors: [any ImageProcessing] = [
      .resize(width: 10, unit: .pixels), .resize(height: 10, unit: .pixels),
      .resize(size: CGSize(width: 1, height: 2), unit: .pixels, crop: true), .process(id: "a") { $0 },
    ]
    #expect(processors[0] as? Resize == Resize(width: 10, unit: .pixels))
    #expect(processors[1] as? Resize == Resize(height: 10, unit: .pixels))
    #expect(processors[2] as? Resize == Resize(size: CGSize(width: 1, height: 2), unit: .pixels, crop: true))
    #expect(processors[3].identifier == "a")
  }

  @Test("A composition applies its processors in order, and stops at the first failure")
  func composition() throws {
    let log = CallLog()
    let composition = ImageProcessors.Composition([
      FakeProcessor("a", log: log), Resize(width: 10, unit: .pixels), FakeProcessor("b", log: log),
    ])
    let result = try composition.processed(ImageContainer(image: image, type: .png))
    #expect(result.image.pixelWidth == 10)
    #expect(result.type == .png)
    #expect(log.entries == ["process a", "process b"])
    struct Broken: Error {}
    let failing = ImageProcessors.Composition([
      FakeProcessor("c") { _ in throw Broken() }, FakeProcessor("d", log: log),
    ])
    #expect(throws: Broken.self) { try failing.processed(image) }
    #expect(failing.process(image) == nil)
    #expect(log.entries == ["process a", "process b"])
    #expect(ImageProcessors.Composition([]).process(image) === image)
  }

  @Test("Compositions of equal processors in the same order are equal")
  func compositionEquality() {
    let (a, b) = (FakeProcessor("a"), Resize(width: 10, unit: .pixels))
    let composition = ImageProcessors.Composition([a, b])
    #expect(composition == ImageProcessors.Composition([FakeProcessor("a"), Resize(width: 10, unit: .pixels)]))
    #expect(composition.hashValue == ImageProcessors.Composition([FakeProcessor("a"), b]).hashValue)
    #expect(composition != ImageProcessors.Composition([b, a]))
    #expect(composition != ImageProcessors.Composition([a]))
  }

  @Test("Other properties of an image are kept")
  func containers() throws {
    let container = ImageContainer(image: image, type: .gif, data: Data([1]), userInfo: ["key": 7])
    let result = try ImageProcessors.Anonymous(id: "same") { $0 }.processed(container)
    #expect(result.type == .gif)
    #expect(result.data == Data([1]))
    #expect(result.userInfo["key"] as? Int == 7)
  }

  @Test("Points use the display scale at the time of creation")
  func points() {
    #expect(DisplayScale.current == 1)
    let before = Resize(width: 10)
    DisplayScale.current = 3
    let after = Resize(width: 10)
    let border = ImageProcessingOptions.Border(color: .black)
    let rounded = ImageProcessors.RoundedCorners(radius: 4)
    let thumbnail = ImageRequest.ThumbnailOptions(size: CGSize(width: 4, height: 5))
    let fitting = ImageRequest.ThumbnailOptions(size: CGSize(width: 4, height: 5), contentMode: .aspectFit)
    for senseless in [0, -1, .nan, .infinity] as [CGFloat] { DisplayScale.current = senseless }
    #expect(DisplayScale.current == 3)
    DisplayScale.current = 1
    #expect(before == Resize(width: 10, unit: .pixels))
    #expect(after == Resize(width: 30, unit: .pixels))
    #expect(border == .init(color: .black, width: 3, unit: .pixels))
    #expect(rounded == ImageProcessors.RoundedCorners(radius: 12, unit: .pixels))
    #expect(thumbnail == .init(size: CGSize(width: 12, height: 15), unit: .pixels))
    #expect(fitting == .init(size: CGSize(width: 12, height: 15), unit: .pixels, contentMode: .aspectFit))
    var request = ImageRequest(url: imageURL("a"))
    request.thumbnail = fitting
    #expect(
      ImagePipeline.fake().cache.makeDataCacheKey(for: request).hasSuffix(
        "thumbnail?width=12.0,height=15.0,contentMode=.aspectFit,options=truetruetruetrue"))
    #expect(ImageProcessingOptions.Unit.points.description == "points")
    #expect(ImageProcessingOptions.ContentMode.aspectFit.description == ".aspectFit")
  }
}
