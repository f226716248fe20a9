/// The bits of each channel in a pixel of 16, 24 or 32 bits.
struct DIBMasks: Sendable {
  /// The bits of one channel.
  struct Channel: Sendable {
    private let shift: UInt32
    private let most: UInt32
    /// The 8-bit value for each stored value, for channels of at most eight bits.
    private let table: [UInt8]

    /// Returns `nil` if the mask has gaps between its bits.
    init?(_ mask: UInt32) {
      guard mask != 0 else {
        (shift, most, table) = (0, 0, [])
        return
      }
      shift = UInt32(mask.trailingZeroBitCount)
      most = mask >> shift
      guard most & (most &+ 1) == 0 else { return nil }
      let most = most
      table = most < 256 ? (0...most).map { Self.byte($0, of: most) } : []
    }

    var isEmpty: Bool { most == 0 }

    /// Returns the channel of a pixel, scaled to a byte and rounded to the nearest value. Not for empty channels.
    func callAsFunction(_ pixel: UInt32) -> UInt8 {
      let value = pixel >> shift & most
      return table.isEmpty ? Self.byte(value, of: most) : table[Int(value)]
    }

    private static func byte(_ value: UInt32, of most: UInt32) -> UInt8 {
      UInt8((UInt64(value) * 510 + UInt64(most)) / (UInt64(most) * 2))
    }
  }

  let red: Channel
  let green: Channel
  let blue: Channel
  let alpha: Channel
  /// `true` if the bytes of a pixel are blue, green, red, and alpha or unused.
  let areBytes: Bool

  /// Returns `nil` if a mask has gaps.
  init?(red: UInt32, green: UInt32, blue: UInt32, alpha: UInt32) {
    guard let reds = Channel(red), let greens = Channel(green), let blues = Channel(blue), let alphas = Channel(alpha)
    else { return nil }
    self.red = reds
    self.green = greens
    self.blue = blues
    self.alpha = alphas
    areBytes =
      red == 0xFF_0000 && green == 0xFF00 && blue == 0xFF && (alpha == 0 || alpha == 0xFF00_0000)
  }

  /// Five bits per channel, the default for 16-bit pixels without masks.
  static let fiveBits = DIBMasks(red: 0x7C00, green: 0x3E0, blue: 0x1F, alpha: 0)
  /// One byte per channel; the fourth byte is unused.
  static let bytes = DIBMasks(red: 0xFF_0000, green: 0xFF00, blue: 0xFF, alpha: 0)
  /// One byte per channel; the fourth byte is alpha.
  static let bytesWithAlpha = DIBMasks(red: 0xFF_0000, green: 0xFF00, blue: 0xFF, alpha: 0xFF00_0000)
}
