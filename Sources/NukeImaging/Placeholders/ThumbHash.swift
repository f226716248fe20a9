public import Foundation

/// A blurred placeholder of an image in about 25 bytes, with its aspect ratio and its alpha: Evan Wallace's ThumbHash.
///
/// It consists of cosine waves of the luminance, of two color differences, and optionally of alpha, in sRGB. The format
/// is described at https://evanw.github.io/thumbhash/.
///
/// ```swift
/// let hash = try ThumbHash(encoding: image)
/// store(hash.string)
/// let placeholder = try ThumbHash("3OcRJYB4d3h/iIeHeEh3eIhw+j2w").image()
/// ```
public struct ThumbHash: Sendable, Hashable {
  /// The hash as bytes.
  public let data: Data
  let header: Header

  /// The hash as Base64, the most common form.
  public var string: String { data.base64EncodedString() }

  /// Parses a hash.
  ///
  /// - Throws: ``PlaceholderError`` if the length does not match the header, or the header is invalid.
  public init(_ data: Data) throws(PlaceholderError) {
    let bytes = [UInt8](data.prefix(ThumbHash.longest + 1))
    guard bytes.count >= 5 else { throw .wrongLength(expected: 5, found: bytes.count) }
    header = try Header(bytes)
    guard bytes.count == header.byteCount else { throw .wrongLength(expected: header.byteCount, found: data.count) }
    self.data = Data(bytes)
  }

  /// Parses a hash in Base64, with or without padding.
  ///
  /// - Throws: ``PlaceholderError`` with the position of an invalid character, or the errors of ``init(_:)-(Data)``.
  public init(_ string: String) throws(PlaceholderError) {
    guard string.utf8.count <= 64 else { throw .wrongLength(expected: ThumbHash.longest, found: string.utf8.count) }
    let text = String(string.prefix { $0 != "=" })
    for (position, character) in text.enumerated() {
      let isDigit =
        character.isASCII && (character.isLetter || character.isNumber || character == "+" || character == "/")
      guard isDigit else { throw .invalidCharacter(character, position: position) }
    }
    let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    guard let data = Data(base64Encoded: padded) else {
      throw .wrongLength(expected: text.count + 1, found: text.count)
    }
    try self.init(data)
  }

  /// The maximum length of a hash in bytes.
  private static let longest = 25

  /// The header: the first five or six bytes.
  struct Header: Hashable {
    var luminance: Double
    /// The mean yellow-blue difference.
    var yellowBlue: Double
    /// The mean red-green difference.
    var redGreen: Double
    var luminanceScale: Double
    var yellowBlueScale: Double
    var redGreenScale: Double
    var hasAlpha: Bool
    var isLandscape: Bool
    /// The number of luminance waves along the shorter side.
    var shorter: Int
    var alpha = 1.0
    var alphaScale = 0.0

    /// The number of luminance waves along the longer side.
    var longer: Int { hasAlpha ? 5 : 7 }
    /// The number of luminance waves along the width and the height, which follows from the aspect ratio.
    var waves: (x: Int, y: Int) { isLandscape ? (longer, shorter) : (shorter, longer) }
    /// The number of stored waves along the width and the height.
    var storedWaves: (x: Int, y: Int) { (max(waves.x, 3), max(waves.y, 3)) }
    /// The number of bytes before the waves.
    var length: Int { hasAlpha ? 6 : 5 }

    var byteCount: Int {
      let (x, y) = storedWaves
      let count = Channel.waves(x, y).count + 2 * Channel.waves(3, 3).count
      return length + (count + (hasAlpha ? Channel.waves(5, 5).count : 0) + 1) / 2
    }
  }

  /// The order of a channel's waves.
  enum Channel {
    /// Returns the stored waves of `x` by `y`, in order: those in the corner below the diagonal, except the constant
    /// one.
    static func waves(_ x: Int, _ y: Int) -> [(x: Int, y: Int)] {
      (0..<y).flatMap { row in
        ((row == 0 ? 1 : 0)..<x).prefix { $0 * y < x * (y - row) }.map { ($0, row) }
      }
    }
  }

  /// The approximate aspect ratio of the image: width divided by height.
  public var aspectRatio: Double { Double(header.waves.x) / Double(header.waves.y) }
  /// A Boolean value that indicates whether the image has transparent parts.
  public var hasAlpha: Bool { header.hasAlpha }

  /// The mean color. Its alpha is the mean alpha.
  public var averageColor: Color {
    let (red, green, blue) = Self.color(header.luminance, header.yellowBlue, header.redGreen)
    return Color(red: red, green: green, blue: blue, alpha: header.alpha)
  }

  /// Returns red, green and blue of a luminance and two color differences.
  static func color(
    _ luminance: Double, _ yellowBlue: Double, _ redGreen: Double
  ) -> (red: Double, green: Double, blue: Double) {
    let blue = luminance - yellowBlue * 2 / 3
    let red = (3 * luminance - blue + redGreen) / 2
    return (red, red - redGreen, blue)
  }
}

extension ThumbHash.Header {
  /// - Parameter bytes: at least five bytes.
  init(_ bytes: [UInt8]) throws(PlaceholderError) {
    let first = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
    let second = Int(bytes[3]) | Int(bytes[4]) << 8
    luminance = Double(first & 63) / 63
    yellowBlue = Double(first >> 6 & 63) / 31.5 - 1
    redGreen = Double(first >> 12 & 63) / 31.5 - 1
    luminanceScale = Double(first >> 18 & 31) / 31
    hasAlpha = first >> 23 == 1
    shorter = second & 7
    yellowBlueScale = Double(second >> 3 & 63) / 63
    redGreenScale = Double(second >> 9 & 63) / 63
    isLandscape = second >> 15 == 1
    guard (1...longer).contains(shorter) else { throw .valueOutOfRange(position: 3) }
    guard hasAlpha else { return }
    guard bytes.count > 5 else { throw .wrongLength(expected: 6, found: bytes.count) }
    alpha = Double(bytes[5] & 15) / 15
    alphaScale = Double(bytes[5] >> 4) / 15
  }

  var bytes: [UInt8] {
    func level(_ value: Double, _ steps: Double) -> Int { Int((value * steps).rounded(.toNearestOrAwayFromZero)) }
    let first =
      level(luminance, 63) | level(1 + yellowBlue, 31.5) << 6 | level(1 + redGreen, 31.5) << 12
      | level(luminanceScale, 31) << 18 | (hasAlpha ? 1 << 23 : 0)
    let second = shorter | level(yellowBlueScale, 63) << 3 | level(redGreenScale, 63) << 9 | (isLandscape ? 1 << 15 : 0)
    let bytes = [first, first >> 8, first >> 16, second, second >> 8].map { UInt8($0 & 255) }
    return hasAlpha ? bytes + [UInt8(level(alpha, 15) | level(alphaScale, 15) << 4)] : bytes
  }
}

extension ThumbHash: CustomStringConvertible {
  public var description: String { string }
}

extension ThumbHash: Codable {
  /// - Throws: `DecodingError.dataCorrupted` with the ``PlaceholderError`` if the text is not a valid hash.
  public init(from decoder: any Decoder) throws { self = try Placeholder.decode(decoder) { try ThumbHash($0) } }

  /// Encodes the hash as Base64.
  public func encode(to encoder: any Encoder) throws { try string.encode(to: encoder) }
}
