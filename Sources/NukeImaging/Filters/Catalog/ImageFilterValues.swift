public import Foundation
import NukeBase

/// The value of a filter's parameter.
public enum ImageFilterValue: Sendable {
  case number(Double)
  case vector([Double])
  case color(Color)
  case image(Bitmap)
  case data(Data)
}

/// The values of a filter's parameters.
///
/// Accessing a key that the filter does not declare, or as another kind, is a programming error and traps.
public struct ImageFilterValues: Sendable {
  private let values: [String: ImageFilterValue]

  /// Creates the values for `filter` from the given ones and the defaults.
  ///
  /// - Parameters:
  ///   - given: numbers of any type, arrays of numbers, `CGPoint`, `CGSize`, `CGRect`, `AffineTransform`, ``Color``,
  ///     ``Bitmap``, or `Data`, by key.
  ///   - filter: the filter that declares the parameters.
  /// - Throws: ``ImageFilterError`` for an unknown key, a value of another kind, and a missing value.
  public init(_ given: [String: Any], for filter: any ImageFilter) throws(ImageFilterError) {
    let parameters = filter.parameters
    // Sorted by key, so that of several errors always the same one is thrown.
    for key in given.keys.sorted() where !parameters.contains(where: { $0.key == key }) {
      throw .unknownParameter(
        key: key, filter: filter.name, similar: Self.similar(to: key, among: parameters.map(\.key)))
    }
    var values: [String: ImageFilterValue] = [:]
    for parameter in parameters {
      if let value = given[parameter.key] {
        guard let parsed = ImageFilterValue(value, parameter) else {
          throw .invalidParameter(key: parameter.key, filter: filter.name, expected: parameter.kind.description)
        }
        values[parameter.key] = parsed
      } else if let value = parameter.defaultValue {
        values[parameter.key] = value
      } else {
        throw .missingParameter(key: parameter.key, filter: filter.name)
      }
    }
    self.values = values
  }

  public func number(_ key: String) -> Double {
    guard case .number(let value)? = values[key] else { preconditionFailure("\(key) is not a number in this filter") }
    return value
  }

  public func vector(_ key: String) -> [Double] {
    guard case .vector(let value)? = values[key] else { preconditionFailure("\(key) is not a vector in this filter") }
    return value
  }

  public func color(_ key: String) -> Color {
    guard case .color(let value)? = values[key] else { preconditionFailure("\(key) is not a color in this filter") }
    return value
  }

  public func image(_ key: String) -> Bitmap {
    guard case .image(let value)? = values[key] else { preconditionFailure("\(key) is not an image in this filter") }
    return value
  }

  public func data(_ key: String) -> Data {
    guard case .data(let value)? = values[key] else { preconditionFailure("\(key) is not data in this filter") }
    return value
  }

  /// Returns `true` if the filter has a parameter with this key.
  func has(_ key: String) -> Bool { values[key] != nil }

  /// Returns a point in pixels from the upper left of an image of this height. The parameter has its origin at the
  /// lower left, as in Core Image.
  public func point(_ key: String, height: Int) -> (x: Double, y: Double) {
    let vector = vector(key)
    return (vector[0], Double(height) - vector[1])
  }

  /// Returns the most similar names, at most three.
  static func similar(to name: String, among names: [String]) -> [String] {
    let wanted = name.lowercased()
    let limit = max(2, wanted.count / 3)
    return names.map { (name: $0, distance: wanted.editDistance(to: $0.lowercased())) }
      .filter { $0.distance <= limit }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(3).map(\.name)
  }
}

/// Accessors for keys that many Core Image filters share.
extension ImageFilterValues {
  var amount: Double { number("inputAmount") }
  var angle: Double { number("inputAngle") }
  var center: ImagePoint { place("inputCenter") }
  var intensity: Double { number("inputIntensity") }
  var radius: Double { number("inputRadius") }
  var scale: Double { number("inputScale") }
  var width: Double { number("inputWidth") }
}

extension ImageFilterValue {
  /// Converts a value to the kind of `parameter`; `nil` if that is not possible.
  init?(_ value: Any, _ parameter: ImageFilterParameter) {
    switch parameter.kind {
    case .number:
      guard let number = Self.number(value) else { return nil }
      self = .number(min(max(number, parameter.range.lowerBound), parameter.range.upperBound))
    case .vector(let count):
      guard let numbers = Self.numbers(value), numbers.count == count else { return nil }
      self = .vector(numbers)
    case .color:
      guard let color = value as? Color else { return nil }
      self = .color(color)
    case .image:
      guard let image = value as? Bitmap, image.pixelWidth > 0 else { return nil }
      self = .image(image)
    case .data:
      guard let data = value as? Data else { return nil }
      self = .data(data)
    }
  }

  private static func number(_ value: Any) -> Double? {
    let number: Double?
    switch value {
    case let value as Double: number = value
    case let value as CGFloat: number = Double(value)
    case let value as Float: number = Double(value)
    case let value as any BinaryInteger: number = Double(value)
    case let value as NSNumber: number = value.doubleValue
    default: number = nil
    }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  private static func numbers(_ value: Any) -> [Double]? {
    switch value {
    case let point as CGPoint: return numbers([point.x, point.y])
    case let size as CGSize: return numbers([size.width, size.height])
    case let map as AffineTransform: return numbers([map.m11, map.m12, map.m21, map.m22, map.tX, map.tY])
    case let map as NSAffineTransform: return numbers(map.transformStruct)
    case let rect as CGRect: return numbers([rect.minX, rect.minY, rect.width, rect.height])
    case let values as [Any]:
      let numbers = values.compactMap(number)
      return numbers.count == values.count ? numbers : nil
    default: return nil
    }
  }
}
