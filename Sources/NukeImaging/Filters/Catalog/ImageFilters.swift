/// The filters that are found by name: those that come with the package, and those that a program registers.
///
/// The ones that come with it bear the names, keys, defaults and units of Apple's *Core Image Filter Reference*. Colors
/// are straight sRGB from 0 to 1, as in a Core Image context without a working color space; where a filter is about
/// light, its summary says so. Points count from the lower left in pixels, as there. Filters keep the size of an image,
/// and beyond its edges it goes on as the pixels there, unless they say otherwise.
public enum ImageFilters {
  private static let registered = Lock<[String: any ImageFilter]>([:])

  private static let builtIn: [String: any ImageFilter] = Dictionary(
    uniqueKeysWithValues: (ColorFilter.all + BuiltInFilter.all).map { ($0.name, $0) })

  /// The names of all filters, in order.
  public static var names: [String] {
    Set(builtIn.keys).union(registered.withLock { Array($0.keys) }).sorted()
  }

  /// The filter of this name; a registered one before one that comes with the package.
  ///
  /// - Throws: ``ImageFilterError/unknownFilter(name:similar:)``.
  public static func filter(named name: String) throws(ImageFilterError) -> any ImageFilter {
    if let filter = registered.withLock({ $0[name] }) ?? builtIn[name] { return filter }
    throw .unknownFilter(name: name, similar: ImageFilterValues.similar(to: name, among: names))
  }

  /// Makes a filter known by its name, in place of any that has it.
  ///
  /// Processors look a filter up when they are made, so register filters first.
  public static func register(_ filter: any ImageFilter) {
    let name = filter.name
    let replaced = registered.withLock { $0.updateValue(filter, forKey: name) }
    // Let go outside of the lock.
    withExtendedLifetime(replaced) {}
  }

  /// Forgets a registered filter; one of that name that comes with the package is found again.
  public static func unregister(_ name: String) {
    let removed = registered.withLock { $0.removeValue(forKey: name) }
    withExtendedLifetime(removed) {}
  }
}

/// A filter that does the same with each pixel: neighbors of its kind in a chain run in one pass.
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

/// A filter of colors that comes with the package.
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

  /// A filter without parameters.
  init(_ name: String, _ summary: String, _ stages: @autoclosure @escaping @Sendable () -> [ColorStage]) {
    self.init(name, summary) { _, _, _ in stages() }
  }

  func stages(_ values: ImageFilterValues, width: Int, height: Int) throws -> [ColorStage] {
    try make(values, width, height)
  }

  static var all: [any ImageFilter] { adjustments + curves + effects + photoEffects }
}

/// A filter that comes with the package and looks at more than one pixel.
struct BuiltInFilter: ImageFilter {
  /// `nil` if there is no memory for the result.
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
