import Foundation
import Nuke
import NukeCodecs
import NukeTesting
import Testing

@testable import NukeServing

@Suite("Random options")
struct RandomOptionsTests {
  private static let watermark = Watermark(image: SampleImage.bitmap(width: 9, height: 5, isOpaque: false), id: "logo")

  private static let limits: RenderLimits = {
    var limits = RenderLimits()
    limits.maximumResultPixels = 40_000
    limits.maximumResultSide = 2_000
    return limits
  }()

  private static func gravity(_ numbers: inout SeededGenerator) -> ImageOptions.Gravity {
    let place = ImageOptions.Gravity.Place.allCases.randomElement(using: &numbers)!
    let offsets: [Double] = [0, 0, 0.3, -0.2, 4, -3, 1e9, .nan]
    return .init(
      place, offset: .init(offsets.randomElement(using: &numbers)!, offsets.randomElement(using: &numbers)!))
  }

  static func options(_ numbers: inout SeededGenerator) -> ImageOptions {
    var options = ImageOptions()
    func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &numbers) == 0 }
    func one<Value>(of values: [Value]) -> Value { values.randomElement(using: &numbers)! }
    options.resizing = one(of: ImageOptions.Resizing.allCases)
    options.width = one(of: [0, 0, 1, 7, 20, 33, 64, 200])
    options.height = one(of: [0, 0, 1, 9, 20, 35, 64, 150])
    if once(in: 5) { options.minimumWidth = one(of: [3, 50]) }
    if once(in: 5) { options.minimumHeight = one(of: [3, 50]) }
    if once(in: 4) { options.zoom = .init(one(of: [0.5, 2, 1.3, 0, -1]), one(of: [0.5, 2, 1, .infinity])) }
    if once(in: 3) { options.dpr = one(of: [0.5, 1.5, 2, 3, 0, .nan]) }
    options.enlarges = once(in: 2)
    if once(in: 3) { options.extend = gravity(&numbers) }
    if once(in: 5) { options.extendAspectRatio = gravity(&numbers) }
    options.gravity = gravity(&numbers)
    if once(in: 3) {
      options.crop = .init(
        width: one(of: [0, 0.5, 0.01, 1, 13, 500]), height: one(of: [0, 0.25, 5, 17, 1e12]),
        gravity: once(in: 2) ? gravity(&numbers) : nil)
    }
    if once(in: 5) {
      options.trim = .init(
        threshold: one(of: [0, 30, 255, -1, .nan]), color: once(in: 2) ? .red : nil,
        isEqualHorizontally: once(in: 2), isEqualVertically: once(in: 2))
    }
    if once(in: 4) {
      options.padding = .init(
        top: one(of: [0, 3, -1]), right: one(of: [0, 5]), bottom: one(of: [0, 2, 40]), left: one(of: [0, 1]))
    }
    options.autoRotates = !once(in: 4)
    options.rotation = one(of: [0, 0, 90, 180, 270])
    options.flipsHorizontally = once(in: 4)
    options.flipsVertically = once(in: 4)
    if once(in: 3) { options.background = one(of: [.white, .red, .clear]) }
    if once(in: 6) { options.blur = one(of: [0.3, 2, 50, .infinity, .nan]) }
    if once(in: 6) { options.sharpen = one(of: [0.5, 3, .infinity, .nan]) }
    if once(in: 6) { options.pixelate = one(of: [2, 7, 1000, .max]) }
    if once(in: 6) { options.brightness = one(of: [-255, 30, 255]) }
    if once(in: 6) { options.contrast = one(of: [0, 0.5, 3, .nan]) }
    if once(in: 6) { options.saturation = one(of: [0, 0.5, 3, .nan]) }
    if once(in: 6) {
      options.unsharpMask = .init(
        one(of: [.auto, .always]), weight: one(of: [1, 1e300, .nan]), divider: one(of: [24, 0, -1, .infinity]))
    }
    if once(in: 6) {
      options.blurAreas = .init(
        sigma: one(of: [1, 30, .infinity, .nan]),
        areas: (0..<3).map { _ in
          .init(
            x: one(of: [0, 0.5, -2, .nan]), y: one(of: [0, 0.9, .infinity]), width: one(of: [0, 0.3, 1, 7, .nan]),
            height: one(of: [0.1, 1, .infinity]))
        })
    }
    if once(in: 6) { options.monochrome = .init(intensity: one(of: [0, 0.5, 5, .nan]), color: .red) }
    if once(in: 6) { options.duotone = .init(intensity: one(of: [0, 0.5, 5, .nan]), dark: .blue) }
    if once(in: 6) { options.colorize = .init(opacity: one(of: [0, 0.5, 5, .nan]), keepsAlpha: once(in: 2)) }
    if once(in: 6) {
      options.gradient = .init(
        opacity: one(of: [0, 0.5, 5, .nan]), angle: one(of: [0, 90, 33, -1e9, .nan, .infinity]),
        start: one(of: [0, 0.5, -3, .nan]), stop: one(of: [1, 0.5, .infinity, .nan]))
    }
    if once(in: 4) {
      options.watermark = .init(
        opacity: one(of: [0, 0.5, 1]),
        position: one(of: [.repeated, .chessboard, .at(.center), .at(.southEast), .at(.focusPoint)]),
        offset: .init(one(of: [0, 0.1, 5, -5, .nan]), one(of: [0, -0.5, 3])), scale: one(of: [0, 0.1, 1, 5, .nan]))
    }
    if once(in: 4) {
      options.watermarkWidth = one(of: [0, 3, 1_000_000, .max])
      options.watermarkHeight = one(of: [0, 5, .max])
      options.watermarkRotation = one(of: [0, 90, 33, .nan, .infinity])
      options.watermarkShadow = one(of: [0, 1, 1e9, .nan, .infinity])
    }
    return options
  }

  private static let images: [Bitmap] = [
    SampleImage.bitmap(width: 1, height: 1), SampleImage.bitmap(width: 64, height: 48),
    SampleImage.bitmap(width: 31, height: 57, isOpaque: false), SampleImage.bitmap(width: 300, height: 1),
    .painted(40, 40) { x, y in (8..<30).contains(x) && (5..<33).contains(y) ? .blue : .red },
  ]

  @Test("2,000 results have the predicted size, or at most that when trimmed, and are opaque with a background")
  func sizes() throws {
    var numbers = SeededGenerator(seed: 11)
    var (made, refused) = (0, 0)
    for _ in 0..<2000 {
      let options = Self.options(&numbers)
      let image = Self.images.randomElement(using: &numbers)!
      do throws(ServingError) {
        let geometry = try RenditionGeometry(
          source: .init(image.pixelWidth, image.pixelHeight), options: options, limits: Self.limits)
        let processor = RenditionProcessor(
          geometry: geometry, options: options, limits: Self.limits, watermark: Self.watermark)
        let result = try Self.result(of: processor, image)
        if processor.trims {
          let most = RenditionGeometry.largestTrimmedPixelCount(
            of: geometry.source, options, isVector: false, Self.limits)
          #expect(
            result.pixelWidth * result.pixelHeight <= max(Int(most), geometry.result.width * geometry.result.height))
        } else {
          #expect(result.size == [geometry.result.width, geometry.result.height])
        }
        #expect(result.byteCount / 4 <= Self.limits.maximumResultPixels)
        if options.background?.alpha == 1 { #expect(result.isOpaque) }
        made += 1
      } catch {
        #expect(error.status == 422, "\(error)")
        refused += 1
      }
    }
    #expect(made > 1500 && refused > 5)
  }

  private static func result(of processor: RenditionProcessor, _ image: Bitmap) throws(ServingError) -> Bitmap {
    do {
      let request = ImageRequest(id: "image", data: { Data() })
      let container = ImageContainer(image: image)
      let context = ImageProcessingContext(
        request: request, response: ImageResponse(container: container, request: request), isCompleted: true)
      return try processor.process(container, context: context).image
    } catch {
      throw ServingError(loading: error)
    }
  }

  @Test("100 rendered files are equal for equal requests")
  func files() async throws {
    var numbers = SeededGenerator(seed: 23)
    let renderer = Renderer(limits: Self.limits, watermark: Self.watermark)
    let pipeline = ImagePipeline.rendering
    let sources = try [
      SampleImage.jpeg(width: 150, height: 90), SampleImage.png(width: 31, height: 57, isOpaque: false),
      MovingRenditionTests.file(.gif), RenditionMetadataTests.source(),
    ]
    for _ in 0..<100 {
      let format = [nil, ImageFormat.jpeg, .png, .webp, .gif].randomElement(using: &numbers)!
      let request = RenditionRequest(source: Rendering.source, options: Self.options(&numbers), format: format)
      let source = sources.randomElement(using: &numbers)!
      do throws(ServingError) {
        let plan = try renderer.plan(for: request, source: source)
        let file = try await renderer.render(plan, in: pipeline)
        let again = try await renderer.render(try renderer.plan(for: request, source: source), in: pipeline)
        #expect(file == again)
        let header = try? ImageReaders.reader(for: file.data).header
        if let size = plan.pixelSize { #expect(header?.pixelWidth == size.width && header?.pixelHeight == size.height) }
        if let format { #expect(header?.format == format) }
      } catch {
        #expect(error.status == 422, "\(error)")
      }
    }
  }
}
