import Foundation
import NukeCodecs
import NukeImaging

/// Reads the arguments of an option. Empty and missing arguments are `nil`.
struct OptionArguments {
  let name: String
  private let values: [String]

  init(_ option: ImageOption) {
    name = option.name
    values = option.arguments
  }

  init(name: String, values: [String]) {
    self.name = name
    self.values = values
  }

  var count: Int { values.count }
  /// The non-empty arguments.
  var texts: [String] { values.filter { !$0.isEmpty } }

  func error(_ reason: String) -> ServingError { .invalidOption(name, reason) }

  /// Throws if there are more arguments than the option has.
  func allow(_ count: Int) throws(ServingError) {
    guard values.count <= count else { throw error("it has \(count) arguments at most") }
  }

  func text(_ index: Int) -> String? {
    guard index < values.count, !values[index].isEmpty else { return nil }
    return values[index]
  }

  func int(_ index: Int, _ range: ClosedRange<Int>) throws(ServingError) -> Int? {
    guard let text = text(index) else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw error("\(quoted(text)) is not an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  func number(_ index: Int, _ range: ClosedRange<Double>) throws(ServingError) -> Double? {
    guard let text = text(index) else { return nil }
    // Stricter than Swift's parser, which also accepts hexadecimal digits, "inf" and "nan".
    guard text.utf8.allSatisfy({ $0.isDigit || ".+-eE".utf8.contains($0) }), let value = Double(text),
      range.contains(value)
    else { throw error("\(quoted(text)) is not a number from \(range.lowerBound) to \(range.upperBound)") }
    return value
  }

  /// Returns `true` for 1, t and true, and `false` for everything else, as imgproxy does.
  func bool(_ index: Int) -> Bool? {
    text(index).map { ["1", "t", "T", "true", "True", "TRUE"].contains($0) }
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>(_ index: Int) throws(ServingError) -> Choice? {
    guard let text = text(index) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw error("\(quoted(text)) is not one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  func format(_ index: Int) throws(ServingError) -> ImageFormat? {
    guard let text = text(index) else { return nil }
    guard let format = ImageFormat(urlExtension: text) else {
      throw error("\(quoted(text)) is not the name of a format")
    }
    return format
  }

  /// A text in Base64 for URLs.
  func base64(_ index: Int) throws(ServingError) -> String? {
    guard let text = text(index) else { return nil }
    guard let bytes = Base64URL.decode(text.utf8), let decoded = String(validating: bytes, as: UTF8.self),
      !decoded.isEmpty
    else { throw error("it is not Base64 for URLs") }
    return decoded
  }

  /// Three or six hexadecimal digits.
  func color(_ index: Int) throws(ServingError) -> Color? {
    guard let text = text(index) else { return nil }
    var digits = text.utf8.compactMap(PercentEncoding.digit)
    guard digits.count == text.utf8.count, digits.count == 3 || digits.count == 6 else {
      throw error("\(quoted(text)) is not a color of three or six hexadecimal digits")
    }
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    return Color(red8: digits[0] << 4 | digits[1], digits[2] << 4 | digits[3], digits[4] << 4 | digits[5])
  }

  /// Returns the gravity whose arguments begin at an index; `nil` if there is none.
  ///
  /// - Parameter earlier: the gravity whose offsets apply if there are none.
  func gravity(
    _ index: Int, allowsSmart: Bool = true, earlier: ImageOptions.Gravity? = nil
  ) throws(ServingError) -> ImageOptions.Gravity? {
    guard let place: ImageOptions.Gravity.Place = try choice(index) else {
      guard text(index + 1) == nil, text(index + 2) == nil else { throw error("offsets need a gravity") }
      return nil
    }
    switch place {
    case .smart where !allowsSmart: throw error("sm is not supported here")
    case .smart:
      guard text(index + 1) == nil, text(index + 2) == nil else { throw error("sm has no offsets") }
      return ImageOptions.Gravity(.smart)
    case .focusPoint:
      guard let x = try number(index + 1, 0...1), let y = try number(index + 2, 0...1) else {
        throw error("fp needs two coordinates from 0 to 1, such as fp:0.5:0.5")
      }
      return ImageOptions.Gravity(.focusPoint, offset: .init(x, y))
    default:
      let earlier = earlier?.place == .focusPoint ? nil : earlier?.offset
      let x = try number(index + 1, -Self.longest...Self.longest) ?? earlier?.x ?? 0
      let y = try number(index + 2, -Self.longest...Self.longest) ?? earlier?.y ?? 0
      return ImageOptions.Gravity(place, offset: .init(x, y))
    }
  }

  private func quoted(_ text: String) -> String { "\"\(text.prefix(40))\"" }

  /// The maximum length in pixels. Images are limited by ``RenderLimits``.
  static let longest = 1_000_000.0
}

extension Color {
  init(red8 red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.init(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255)
  }
}

extension ImageFormat {
  /// Creates the format for a file extension: the format's own name or a common alternative.
  package init?(urlExtension text: String) {
    switch text.lowercased() {
    case "jpg": self = .jpeg
    case "tif": self = .tiff
    case "heif": self = .heic
    case let name: self.init(rawValue: name)
    }
  }
}
