import Foundation
import FoundationNetworking

extension LocalResource {
  /// Decodes a `data:` URL (RFC 2397): `data:[<media type>][;base64],<data>`.
  ///
  /// Foundation's implementation fails on Linux, and hangs on the second attempt.
  static func decodeDataURL(_ url: URL, limit: Int?) throws(DataLoader.TransferError) -> (Data, URLResponse) {
    let text = Array(url.absoluteString.utf8)
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
      let comma = text[colon...].firstIndex(of: UInt8(ascii: ","))
    else { throw .malformedDataURL(reason: "it has no comma") }

    let parameters = text[(colon + 1)..<comma].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { String(decoding: percentDecoded($0), as: UTF8.self).trimmingCharacters(in: .whitespaces) }
    let isBase64 = parameters.count > 1 && parameters.last?.lowercased() == "base64"
    let payload = text[(comma + 1)...].prefix { $0 != UInt8(ascii: "#") }

    let data: Data
    if isBase64 {
      data = try decodeBase64(payload, limit: limit)
    } else {
      let bytes = percentDecoded(payload)
      if let limit, bytes.count > limit { throw .bodyTooLarge(limit: limit) }
      data = Data(bytes)
    }
    let charset = parameters.dropFirst().first { $0.lowercased().hasPrefix("charset=") }?.dropFirst(8)
    let hasType = parameters[0].contains("/")
    return (
      data,
      response(
        for: url, mediaType: hasType ? parameters[0].lowercased() : "text/plain",
        // RFC 2397 §2: the default media type is text/plain;charset=US-ASCII.
        charset: charset.map(String.init) ?? (hasType ? nil : "US-ASCII"), length: data.count)
    )
  }

  /// Decodes Base64 (RFC 4648 §4) in percent-encoded text. White space is ignored, and padding is optional.
  private static func decodeBase64(_ text: ArraySlice<UInt8>, limit: Int?) throws(DataLoader.TransferError) -> Data {
    let text = text.contains(UInt8(ascii: "%")) ? percentDecoded(text)[...] : text
    var bytes: [UInt8] = []
    // White space and padding can only make the result shorter.
    bytes.reserveCapacity(min(text.count / 4 * 3 + 3, limit.map { $0 &+ 3 } ?? .max))
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text {
      let value = base64Values[Int(byte)]
      if value < 64 {
        if padding > 0 { throw .malformedDataURL(reason: "there is base64 data after the padding") }
        bits = bits << 6 | UInt32(value)
        digits += 1
        if digits & 3 == 0 {
          bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
          bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
          bytes.append(UInt8(truncatingIfNeeded: bits))
          if let limit, bytes.count > limit { throw .bodyTooLarge(limit: limit) }
        }
      } else if value == base64Space {
        continue
      } else if byte == UInt8(ascii: "=") {
        padding += 1
      } else {
        throw .malformedDataURL(reason: "its base64 contains the byte 0x\(String(byte, radix: 16))")
      }
    }
    let rest = digits & 3
    guard rest != 1 else { throw .malformedDataURL(reason: "its base64 ends within a byte") }
    guard padding == 0 || padding <= 2 && rest + padding == 4 else {
      throw .malformedDataURL(reason: "its base64 has invalid padding")
    }
    if rest == 2 {
      bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    } else if rest == 3 {
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    }
    if let limit, bytes.count > limit { throw .bodyTooLarge(limit: limit) }
    return Data(bytes)
  }

  private static let base64Space: UInt8 = 64

  /// The value of each digit, ``base64Space`` for white space, and 255 for all other bytes.
  private static let base64Values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
    for space in " \t\r\n\u{0C}".utf8 { values[Int(space)] = base64Space }
    return values
  }()
}
