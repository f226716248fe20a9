package import Foundation
import Nuke

/// Names of files and arguments as the system has them: bytes in any encoding.
///
/// In such a text, U+10F780 to U+10F7FF stand for the bytes 0x80 to 0xFF that are not UTF-8. These scalars are in a
/// plane for private use. If a name contains one of them, each of its four bytes is treated like this, so that all names
/// are distinct, and have their own bytes again in ``systemBytes``.
extension String {
  package init(system bytes: [UInt8]) {
    // The UTF-8 of the scalars above begins with 0xF4.
    if let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0xF4) {
      self = text
      return
    }
    var (text, parser, rest) = (String.UnicodeScalarView(), UTF8.ForwardParser(), bytes.makeIterator())
    var index = 0
    while true {
      let end: Int
      switch parser.parseScalar(from: &rest) {
      case .emptyInput:
        self.init(text)
        return
      case .valid(let encoded):
        end = index + encoded.count
        let scalar = UTF8.decode(encoded)
        if scalar.rawByte == nil {
          text.append(scalar)
          index = end
          continue
        }
      case .error(let length): end = index + length
      }
      text.append(contentsOf: bytes[index..<end].map { Unicode.Scalar(0x10F700 + UInt32($0))! })
      index = end
    }
  }

  init(system text: UnsafePointer<CChar>) {
    self.init(system: UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) })
  }

  /// The bytes from which the text was created.
  package var systemBytes: [UInt8] {
    guard hasRawBytes else { return Array(utf8) }
    return unicodeScalars.flatMap { scalar in scalar.rawByte.map { [$0] } ?? Array(String(scalar).utf8) }
  }

  /// `true` if the bytes are not UTF-8.
  var hasRawBytes: Bool { utf8.contains(0xF4) && unicodeScalars.contains { $0.rawByte != nil } }

  /// The text with escapes, such as `%E9`, for bytes that are not UTF-8.
  package var escapingRawBytes: String {
    guard hasRawBytes else { return self }
    return unicodeScalars.reduce(into: "") { $0 += $1.escapedRawByte ?? String($1) }
  }

  func withSystemPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    FilePath(bytes: systemBytes).withPointer(body)
  }

  /// The status of the file at this path; `nil` if there is none.
  var fileStatus: stat? {
    var information = stat()
    return withSystemPath { stat($0, &information) } == 0 ? information : nil
  }

  /// The URL of the file at this path. Foundation creates none from a path that is not UTF-8.
  package var fileURL: URL {
    var path = systemBytes
    if !hasPrefix("/"), let folder = getcwd(nil, 0) {
      path = String(system: folder).systemBytes + "/".utf8 + path
      free(folder)
    }
    guard String(validating: path, as: UTF8.self) == nil else { return URL(fileURLWithPath: self) }
    let escaped = EscapedComponent.path.escaped(path.flatMap { $0 == UInt8(ascii: "%") ? Array("%25".utf8) : [$0] })
    return URL(string: "file://" + String(decoding: escaped, as: UTF8.self)) ?? URL(fileURLWithPath: self)
  }

  /// The path for JSON, which has no bytes: a `file:` URL if the path is not UTF-8.
  var pathForPrograms: String { hasRawBytes ? fileURL.absoluteString : self }
}

/// What distinguishes a file from all others, whatever its names are.
struct FileIdentity: Hashable {
  private let device: dev_t
  private let number: ino_t

  init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }
}

extension Unicode.Scalar {
  /// The byte that the scalar stands for in a text of the system.
  fileprivate var rawByte: UInt8? {
    (0x10F780...0x10F7FF).contains(value) ? UInt8(truncatingIfNeeded: value) : nil
  }

  /// The escape of the byte that the scalar stands for.
  var escapedRawByte: String? { rawByte.map { "%" + String($0, radix: 16, uppercase: true) } }
}
