package import Foundation
package import FoundationNetworking

/// Loads resources that need no transport: local files and `data:` URLs.
package enum LocalResource {
  /// Returns `true` for `file:` and `data:` URLs, ignoring the case of the scheme.
  package static func isLocal(_ url: URL) -> Bool {
    guard let scheme = url.scheme, scheme.utf8.count == 4 else { return false }
    switch scheme.lowercased() {
    case "file", "data": return true
    default: return false
    }
  }

  /// Reads a `file:` or `data:` URL completely. Blocks while the disk is read.
  ///
  /// - Parameter limit: the maximum size in bytes, checked before memory is allocated; `nil` for none.
  package static func load(_ url: URL, limit: Int? = nil) throws(DataLoader.TransferError) -> (Data, URLResponse) {
    switch url.scheme?.lowercased() {
    case "file": try readFile(at: url, limit: limit)
    case "data": try decodeDataURL(url, limit: limit)
    case let scheme: throw .unsupportedScheme(scheme ?? "")
    }
  }

  static func response(for url: URL, mediaType: String?, charset: String? = nil, length: Int) -> URLResponse {
    URLResponse(url: url, mimeType: mediaType, expectedContentLength: length, textEncodingName: charset)
  }

  /// Decodes percent-encoded text. A percent sign without two hexadecimal digits is kept.
  package static func percentDecoded(_ text: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = text.startIndex
    while index != text.endIndex {
      let byte = text[index]
      text.formIndex(after: &index)
      if byte == UInt8(ascii: "%"), index != text.endIndex, let high = hexDigit(text[index]) {
        let second = text.index(after: index)
        if second != text.endIndex, let low = hexDigit(text[second]) {
          bytes.append(high << 4 | low)
          index = text.index(after: second)
          continue
        }
      }
      bytes.append(byte)
    }
    return bytes
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
