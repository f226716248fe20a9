import NukeBase

/// The filters that are available by name: those of this package, and those that a program registers.
///
/// The filters of this package have the names, keys, defaults and units of Apple's *Core Image Filter Reference*.
/// Colors are straight sRGB from 0 to 1, as in a Core Image context without a working color space; filters that use
/// linear light say so in their summary. Points are in pixels with the origin at the lower left. Unless stated
/// otherwise, filters keep the size of the image, and its edge pixels extend outside it.
public enum ImageFilters {
  private static let registered = Lock<[String: any ImageFilter]>([:])

  private static let builtIn: [String: any ImageFilter] = Dictionary(
    uniqueKeysWithValues: (ColorFilter.all + BuiltInFilter.all).map { ($0.name, $0) })

  /// The names of all filters, sorted.
  public static var names: [String] {
    Set(builtIn.keys).union(registered.withLock { Array($0.keys) }).sorted()
  }

  /// Returns the filter with this name. Registered filters take precedence over those of this package.
  ///
  /// - Throws: ``ImageFilterError/unknownFilter(name:similar:)``.
  public static func filter(named name: String) throws(ImageFilterError) -> any ImageFilter {
    if let filter = registered.withLock({ $0[name] }) ?? builtIn[name] { return filter }
    throw .unknownFilter(name: name, similar: ImageFilterValues.similar(to: name, among: names))
  }

  /// Registers a filter under its name, and replaces any other with that name.
  ///
  /// Processors look up their filter when they are created, so register filters first.
  public static func register(_ filter: any ImageFilter) {
    let name = filter.name
    let replaced = registered.withLock { $0.updateValue(filter, forKey: name) }
    // Released outside the lock.
    withExtendedLifetime(replaced) {}
  }

  /// Unregisters a filter. A filter of this package with the same name becomes available again.
  public static func unregister(_ name: String) {
    let removed = registered.withLock { $0.removeValue(forKey: name) }
    withExtendedLifetime(removed) {}
  }
}

/// A filter that applies the same operation to each pixel. Consecutive filters of this kind run in one pass.
package protocol ColorFiltering: ImageFilter {
  /// Returns the operation on the pixels of an image of this size.
  func stages(_ values: ImageFilterValues, width: Int, height: Int) throws -> [ColorStage]
}

extension ColorFiltering {
  package func apply(_ values: ImageFilterValues, to image: Bitmap) throws -> Bitmap {
    let stages = try stages(values, width: image.pixelWidth, height: image.pixelHeight)
    guard let result = image.applying(stages) else { throw ImageFilterError.outOfMemory(filter: name) }
    return result
  }
}

/// A color filter of this package.
struct ColorFilter: ColorFiltering {
  typealias Stages = @Sendable (_ values: ImageFilterValues, _ width: Int, _ height: Int) throws -> [ColorStage]

  let name: String
  let summary: String
  let parameters: [ImageFilterParameter]
  private let make: Stages

  init(_ name: String, _ summary: String, _ parameters: [ImageFilterParameter] = [], _ make: @escaping Stages) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.make = make
  }

  /// Creates a filter without parameters.
  init(_ name: String, _ summary: String, _ stages: @autoclosure @escaping @Sendable () -> [ColorStage]) {
    self.init(name, summary) { _, _, _ in stages() }
  }

  func stages(_ values: ImageFilterValues, width: Int, height: Int) throws -> [ColorStage] {
    try make(values, width, height)
  }

  static var all: [any ImageFilter] { adjustments + curves + effects + photoEffects }
}

/// A filter of this package that accesses more than one pixel.
struct BuiltInFilter: ImageFilter {
  /// Applies the filter. Returns `nil` if memory cannot be allocated.
  typealias Body = @Sendable (_ values: ImageFilterValues, _ image: Bitmap) throws -> Bitmap?

  let name: String
  let summary: String
  let parameters: [ImageFilterParameter]
  private let body: Body

  init(_ name: String, _ summary: String, _ parameters: [ImageFilterParameter] = [], _ body: @escaping Body) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.body = body
  }

  func apply(_ values: ImageFilterValues, to image: Bitmap) throws -> Bitmap {
    guard let result = try body(values, image) else { throw ImageFilterError.outOfMemory(filter: name) }
    return result
  }

  static var all: [any ImageFilter] {
    [
      blurs, convolutions, morphology, blends, geometry, distortions, tiles, halftones, cells, drawings, lighting,
      adjustments, stylizing,
    ].flatMap { $0 }
  }
}
