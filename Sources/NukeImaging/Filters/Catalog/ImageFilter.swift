/// A filter that is found by its name, with numbers, colors and images given by keys.
///
/// ``ImageFilters`` holds those that come with the package, which bear Core Image's names. Register your own there, and
/// `ImageProcessors.CoreImageFilter(name:parameters:identifier:)` runs it.
public protocol ImageFilter: Sendable {
  /// The name of the filter.
  var name: String { get }
  /// One sentence: what it does, by which formula, and where that is from.
  var summary: String { get }
  /// The keys that it takes.
  var parameters: [ImageFilterParameter] { get }

  /// The filtered image. Called on worker threads.
  ///
  /// - Parameters:
  ///   - values: one for each of ``parameters``: what was given, else the default.
  ///   - image: an image with pixels.
  /// - Throws: whatever says best why the image cannot be filtered.
  func apply(_ values: ImageFilterValues, to image: Bitmap) throws -> Bitmap
}

/// A key that a filter takes, and what may stand under it.
public struct ImageFilterParameter: Sendable {
  /// The type of a value.
  public enum Kind: Sendable, Hashable, CustomStringConvertible {
    case number
    /// So many numbers: a `CGPoint`, a `CGSize`, a `CGRect`, an `AffineTransform`, or an array.
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
  /// Numbers are brought into this range.
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

  /// A number; what lies outside of `range` is brought into it.
  public static func number(
    _ key: String, _ defaultValue: Double, in range: ClosedRange<Double> = -Double.infinity...Double.infinity
  ) -> ImageFilterParameter {
    ImageFilterParameter(key, .number, .number(defaultValue), in: range)
  }

  /// A vector with as many numbers as the default.
  public static func vector(_ key: String, _ defaultValue: [Double]) -> ImageFilterParameter {
    ImageFilterParameter(key, .vector(count: defaultValue.count), .vector(defaultValue))
  }

  public static func color(_ key: String, _ defaultValue: Color) -> ImageFilterParameter {
    ImageFilterParameter(key, .color, .color(defaultValue))
  }

  /// An image, which must be given.
  public static func image(_ key: String) -> ImageFilterParameter { ImageFilterParameter(key, .image, nil) }

  /// Data, which must be given.
  public static func data(_ key: String) -> ImageFilterParameter { ImageFilterParameter(key, .data, nil) }
}
