import Foundation

/// A blurred placeholder of an image in about twenty characters: Wolt's BlurHash.
///
/// It consists of 1 to 9 cosine components along each side, in linear light, without alpha and without the aspect
/// ratio. The format is described at https://github.com/woltapp/blurhash, in `Algorithm.md`.
///
/// ```swift
/// let hash = try BlurHash(encoding: image)
/// store(hash.string)
/// let placeholder = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj").image(width: 32, height: 24)
/// ```
public struct BlurHash: Sendable, Hashable {
  /// The hash as text: 4 + 2 · x · y characters for x · y components.
  public let string: String
  /// The number of cosine components along each side, 1 to 9, including the constant one.
  public let components: (x: Int, y: Int)
  /// The amplitudes of each wave for red, green and blue in linear light. All but the first are fractions of the
  /// maximum.
  let waves: [RGBWave]

  /// Parses a hash.
  ///
  /// - Throws: ``PlaceholderError`` with the position of the error: an invalid character, a length that does not match
  ///   the number of components, or a value that no encoder writes.
  public init(_ string: String) throws(PlaceholderError) {
    // A text that is too long is rejected without reading it.
    guard string.utf8.count <= 4 + 2 * 81 else {
      throw .wrongLength(expected: 4 + 2 * 81, found: string.utf8.count)
    }
    let digits = try Base83.values(of: string)
    guard digits.count >= 6 else { throw .wrongLength(expected: 6, found: digits.count) }
    guard digits[0] < 81 else { throw .valueOutOfRange(position: 0) }
    let (x, y) = (digits[0] % 9 + 1, digits[0] / 9 + 1)
    guard digits.count == 4 + 2 * x * y else { throw .wrongLength(expected: 4 + 2 * x * y, found: digits.count) }

    let mean = Base83.number(digits[2..<6])
    guard mean < 1 << 24 else { throw .valueOutOfRange(position: 2) }
    func light(_ shift: Int) -> Double { ToneCurve.sRGB.linear(Double(mean >> shift & 255) / 255) }
    var waves = [RGBWave(red: light(16), green: light(8), blue: light(0))]
    let greatest = Double(digits[1] + 1) / 166
    for position in stride(from: 6, to: digits.count, by: 2) {
      let number = Base83.number(digits[position..<position + 2])
      guard number < 19 * 19 * 19 else { throw .valueOutOfRange(position: position) }
      func amplitude(_ level: Int) -> Double {
        let share = (Double(level) - 9) / 9
        return (share < 0 ? -share * share : share * share) * greatest
      }
      waves.append(
        RGBWave(
          red: amplitude(number / 361), green: amplitude(number / 19 % 19), blue: amplitude(number % 19)))
    }
    self.string = string
    components = (x, y)
    self.waves = waves
  }

  /// The mean color of the image in linear light.
  public var averageColor: Color {
    Color(red: SRGB.encoded(waves[0].red), green: SRGB.encoded(waves[0].green), blue: SRGB.encoded(waves[0].blue))
  }

  public static func == (lhs: BlurHash, rhs: BlurHash) -> Bool { lhs.string == rhs.string }
  public func hash(into hasher: inout Hasher) { hasher.combine(string) }

  /// Returns cos(πkp / count) for k below `waves` and each position p below `count`, ordered by position.
  static func cosines(count: Int, waves: Int) -> [Double] {
    let step = Double.pi / Double(count)
    return (0..<count * waves).map { index in
      let (place, wave) = index.quotientAndRemainder(dividingBy: waves)
      return cos(step * Double(wave * place))
    }
  }
}

/// The amplitude of a wave for each color.
struct RGBWave: Sendable {
  var red = 0.0
  var green = 0.0
  var blue = 0.0

  static func += (wave: inout RGBWave, other: RGBWave) {
    wave.red += other.red
    wave.green += other.green
    wave.blue += other.blue
  }

  static func * (wave: RGBWave, factor: Double) -> RGBWave {
    RGBWave(red: wave.red * factor, green: wave.green * factor, blue: wave.blue * factor)
  }
}

extension BlurHash: CustomStringConvertible {
  public var description: String { string }
}

extension BlurHash: Codable {
  /// - Throws: `DecodingError.dataCorrupted` with the ``PlaceholderError`` if the text is not a valid hash.
  public init(from decoder: any Decoder) throws { self = try Placeholder.decode(decoder) { try BlurHash($0) } }

  public func encode(to encoder: any Encoder) throws { try string.encode(to: encoder) }
}
