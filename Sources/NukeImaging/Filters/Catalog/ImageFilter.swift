/// A filter that is selected by its name and has named parameters.
///
/// ``ImageFilters`` contains the filters of this package, which have Core Image's names, and those that a program
/// registers. `ImageProcessors.CoreImageFilter(name:parameters:identifier:)` runs them.
public protocol ImageFilter: Sendable {
  /// The name of the filter.
  var name: String { get }
  /// A description: what the filter does, its formula, and the source of the formula. The first sentence is used in
  /// lists.
  var summary: String { get }
  /// The parameters of the filter.
  var parameters: [ImageFilterParameter] { get }

  /// Returns the filtered image. Called on worker threads.
  ///
  /// - Parameters:
  ///   - values: a value for each of ``parameters``: the given one or the default.
  ///   - image: an image that is not empty.
  /// - Throws: an error that describes why the image cannot be filtered.
  func apply(_ values: ImageFilterValues, to image: Bitmap) throws -> Bitmap
}

/// A parameter of a filter: its key and its possible values.
public struct ImageFilterParameter: Sendable {
  /// The type of a value.
  public enum Kind: Sendable, Hashable, CustomStringConvertible {
    case number
    /// A number of numbers, given as a `CGPoint`, a `CGSize`, a `CGRect`, an `AffineTransform`, or an array.
    case vector(count: Int)
    case color
    /// A ``Bitmap``.
    case image
    case data

    public var description: String {
      switch self {
      case .number: "a finite number"
      case .vector(let count): "\(count) finite numbers"
      case .color: "a color"
      case .image: "an image with pixels"
      case .data: "data"
      }
    }
  }

  public let key: String
  public let kind: Kind
  /// The default value; `nil` if a value is required.
  public let defaultValue: ImageFilterValue?
  /// The range to which numbers are clamped.
  public let range: ClosedRange<Double>

  private init(
    _ key: String, _ kind: Kind, _ defaultValue: ImageFilterValue?,
    in range: ClosedRange<Double> = -Double.infinity...Double.infinity
  ) {
    self.key = key
    self.kind = kind
    self.defaultValue = defaultValue
    self.range = range
  }

  /// Creates a parameter for a number, which is clamped to `range`.
  public static func number(
    _ key: String, _ defaultValue: Double, in range: ClosedRange<Double> = -Double.infinity...Double.infinity
  ) -> ImageFilterParameter {
    ImageFilterParameter(key, .number, .number(defaultValue), in: range)
  }

  /// Creates a parameter for a vector with as many numbers as the default.
  public static func vector(_ key: String, _ defaultValue: [Double]) -> ImageFilterParameter {
    ImageFilterParameter(key, .vector(count: defaultValue.count), .vector(defaultValue))
  }

  public static func color(_ key: String, _ defaultValue: Color) -> ImageFilterParameter {
    ImageFilterParameter(key, .color, .color(defaultValue))
  }

  /// Creates a required parameter for an image.
  public static func image(_ key: String) -> ImageFilterParameter { ImageFilterParameter(key, .image, nil) }

  /// Creates a required parameter for data.
  public static func data(_ key: String) -> ImageFilterParameter { ImageFilterParameter(key, .data, nil) }
}
