import Foundation
import NukeImaging
import Testing

// One after the other: one of them puts a filter in place of another.
@Suite("The catalog of filters", .serialized)
struct ImageFiltersTests {
  /// What a filter needs that cannot do without.
  private func needed(by filter: any ImageFilter, for image: Bitmap) -> [String: Any] {
    var values: [String: Any] = [:]
    for parameter in filter.parameters where parameter.defaultValue == nil {
      switch parameter.kind {
      case .image: values[parameter.key] = image
      case .data: values[parameter.key] = Data(count: 2 * 2 * 2 * 16)
      default: Issue.record("\(filter.name) has no default for \(parameter.key)")
      }
    }
    return values
  }

  @Test("There are more than 150 filters, each with a name of Core Image, a summary, and unique keys")
  func entries() throws {
    #expect(ImageFilters.names.filter { $0.hasPrefix("CI") }.count >= 150)
    for name in ImageFilters.names {
      let filter = try ImageFilters.filter(named: name)
      #expect(filter.name == name)
      #expect(filter.summary.hasSuffix("."))
      let keys = filter.parameters.map(\.key)
      #expect(Set(keys).count == keys.count)
      #expect(keys.allSatisfy { $0.hasPrefix("input") })
    }
  }

  /// Filters that leave holes where there was an image.
  private static let holed: Set = [
    "CIMaskToAlpha", "CIColorCube", "CISourceOutCompositing", "CIHoleDistortion", "CICircularWrap",
    "CIPerspectiveTransform", "CIPerspectiveCorrection", "CIPerspectiveTile", "CILineOverlay",
  ]
  /// Filters that draw something upon an even color.
  private static let drawing: Set = [
    "CIVignetteEffect", "CITriangleKaleidoscope", "CILineScreen", "CIDotScreen", "CIHatchedScreen", "CICircularScreen",
    "CICMYKHalftone", "CIPointillize", "CISpotLight", "CIDither",
  ]

  @Test("Each filter keeps a uniform color uniform, color within alpha, the scale, and an opaque image opaque")
  func laws() throws {
    var random = SeededGenerator(seed: 70)
    let noise = try SampleImages.noise(33, 18, isOpaque: false, random: &random).withScale(2)
    let even = try SampleImages.bitmap(
      33, 18, isOpaque: true, pixels: (0..<33 * 18).flatMap { _ in [90, 140, 30, 255] as [UInt8] })
    for name in ImageFilters.names where name.hasPrefix("CI") {
      let filter = try ImageFilters.filter(named: name)
      let bytes = try filter.apply(ImageFilterValues(needed(by: filter, for: noise), for: filter), to: noise)
      #expect(bytes.scale == 2, "\(name)")
      let pixels = bytes.bytes
      let lawful = stride(from: 0, to: pixels.count, by: 4).allSatisfy { i in
        pixels[i..<i + 3].allSatisfy { $0 <= pixels[i + 3] }
      }
      #expect(lawful, "\(name)")
      let result = try filter.apply(ImageFilterValues(needed(by: filter, for: even), for: filter), to: even)
      let made = result.bytes
      let isEven = made.indices.allSatisfy { made[$0] == made[$0 % 4] }
      #expect(isEven || Self.drawing.union(Self.holed).contains(name), "\(name)")
      let isOpaque = stride(from: 3, to: made.count, by: 4).allSatisfy { made[$0] == 255 }
      #expect(isOpaque || Self.holed.contains(name), "\(name)")
      #expect(result.isOpaque == isOpaque || !result.isOpaque, "\(name)")
    }
  }

  @Test("An unknown name is an error that suggests similar names")
  func unknownNames() {
    #expect(throws: ImageFilterError.unknownFilter(name: "CISepiaTome", similar: ["CISepiaTone"])) {
      try ImageFilters.filter(named: "CISepiaTome")
    }
    #expect {
      try ImageFilters.filter(named: "CIgausianblur")
    } throws: { "\($0)" == "there is no filter named CIgausianblur; did you mean CIGaussianBlur?" }
    #expect { try ImageFilters.filter(named: "Qwertz") } throws: { "\($0)" == "there is no filter named Qwertz" }
  }

  @Test("Unknown keys, values of other types and missing ones are errors that name them")
  func wrongValues() throws {
    let sepia = try ImageFilters.filter(named: "CISepiaTone")
    #expect(
      throws: ImageFilterError.unknownParameter(
        key: "intensity", filter: "CISepiaTone", similar: [])
    ) { try ImageFilterValues(["intensity": 1], for: sepia) }
    #expect {
      try ImageFilterValues(["inputIntensty": 1], for: sepia)
    } throws: { "\($0)" == "CISepiaTone has no key inputIntensty; did you mean inputIntensity?" }
    for wrong: Any in ["1", [1.0], Double.nan, Double.infinity, Color.red, Date()] {
      #expect(
        throws: ImageFilterError.invalidParameter(
          key: "inputIntensity", filter: "CISepiaTone", expected: "a finite number")
      ) { try ImageFilterValues(["inputIntensity": wrong], for: sepia) }
    }
    let matrix = try ImageFilters.filter(named: "CIColorMatrix")
    for wrong: Any in [[1, 2, 3], [1, 2, 3, "4"], 5, [1, 2, 3, Double.nan]] {
      #expect {
        try ImageFilterValues(["inputRVector": wrong], for: matrix)
      } throws: { "\($0)" == "inputRVector of CIColorMatrix must be 4 finite numbers" }
    }
    let over = try ImageFilters.filter(named: "CISourceOverCompositing")
    #expect(throws: ImageFilterError.missingParameter(key: "inputBackgroundImage", filter: "CISourceOverCompositing")) {
      try ImageFilterValues([:], for: over)
    }
    #expect(throws: ImageFilterError.self) { try ImageFilterValues(["inputBackgroundImage": Bitmap()], for: over) }
    let color = try ImageFilters.filter(named: "CIColorMonochrome")
    #expect(throws: ImageFilterError.self) { try ImageFilterValues(["inputColor": 1], for: color) }
  }

  @Test("Numbers and vectors can have any equivalent type, and are clamped")
  func types() throws {
    let sepia = try ImageFilters.filter(named: "CISepiaTone")
    for half: Any in [0.5, Float(0.5), CGFloat(0.5), NSNumber(value: 0.5)] {
      #expect(try ImageFilterValues(["inputIntensity": half], for: sepia).number("inputIntensity") == 0.5)
    }
    #expect(try ImageFilterValues(["inputIntensity": UInt8(1)], for: sepia).number("inputIntensity") == 1)
    let posterize = try ImageFilters.filter(named: "CIColorPosterize")
    #expect(try ImageFilterValues(["inputLevels": -7], for: posterize).number("inputLevels") == 1)
    let crop = try ImageFilters.filter(named: "CICrop")
    let rectangle = try ImageFilterValues(["inputRectangle": CGRect(x: 2, y: 5, width: 4, height: 30)], for: crop)
    #expect(rectangle.vector("inputRectangle") == [2, 5, 4, 30])
    let pixellate = try ImageFilters.filter(named: "CIPixellate")
    for point: Any in [CGPoint(x: 3, y: 4), CGSize(width: 3, height: 4), [3, 4], [CGFloat(3), 4], [Float(3), 4]] {
      let values = try ImageFilterValues(["inputCenter": point], for: pixellate)
      #expect(values.vector("inputCenter") == [3, 4])
      #expect(values.point("inputCenter", height: 10) == (3, 6))
    }
  }

  @Test("A custom filter has precedence over a built-in one of the same name, until it is removed")
  func registering() throws {
    struct Half: ImageFilter {
      let name: String
      let summary = "Half as bright."
      let parameters: [ImageFilterParameter] = [.number("inputAmount", 0.5, in: 0...1), .color("inputColor", .black)]
      func apply(_ values: ImageFilterValues, to image: Bitmap) throws -> Bitmap {
        #expect(values.number("inputAmount") == 1)
        #expect(values.color("inputColor") == .black)
        return image
      }
    }
    var random = SeededGenerator(seed: 72)
    let source = try SampleImages.noise(3, 3, isOpaque: true, random: &random)
    ImageFilters.register(Half(name: "TestHalf"))
    ImageFilters.register(Half(name: "CIThermal"))
    let filter = try ImageFilters.filter(named: "TestHalf")
    #expect(ImageFilters.names.contains("TestHalf"))
    #expect(try filter.apply(ImageFilterValues(["inputAmount": 4], for: filter), to: source) === source)
    #expect(try ImageFilters.filter(named: "CIThermal") is Half)
    ImageFilters.unregister("TestHalf")
    ImageFilters.unregister("CIThermal")
    #expect(throws: ImageFilterError.self) { try ImageFilters.filter(named: "TestHalf") }
    #expect(!(try ImageFilters.filter(named: "CIThermal") is Half))
  }
}
