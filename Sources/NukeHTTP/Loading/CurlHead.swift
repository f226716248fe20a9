/// Parses the head of a response that libcurl delivers line by line. A value type.
struct CurlHead {
  /// The lines from the status line on; empty before the status line.
  private(set) var block: [UInt8] = []
  private(set) var status = 0
  private(set) var isHTTP2 = false
  private(set) var isChunked = false
  /// `true` if a `Content-Encoding` is stated.
  private(set) var isEncoded = false
  /// `true` if the stated length is not a number, or different lengths are stated.
  private(set) var hasBadLength = false
  private var contentLength: Int?
  /// The size and number of all head lines, including trailer fields after the body.
  private var byteCount = 0
  private var lineCount = 0

  /// A limit that no reasonable server reaches; some send hundreds of "103 Early Hints" fields.
  private static let byteLimit = 256 * 1024
  private static let lineLimit = 2000

  enum Line {
    case taken
    /// The line is not part of the head.
    case ignored
    /// The head is complete.
    case end
    case tooLong(reason: String)
  }

  var isEmpty: Bool { block.isEmpty }

  /// The length of the body if it is stated; `nil` for a chunked body.
  var length: Int? { isChunked ? nil : contentLength }

  /// Appends a line with its line break.
  ///
  /// - Parameter isComplete: `true` if the head is already complete. Further fields (RFC 9110 §6.5) are ignored.
  mutating func append(_ line: UnsafeRawBufferPointer, isComplete: Bool) -> Line {
    byteCount += line.count
    lineCount += 1
    guard byteCount <= Self.byteLimit else {
      return .tooLong(reason: "its header fields have more than \(Self.byteLimit) bytes")
    }
    // The number of lines is limited because some operations compare each field with each other.
    guard lineCount <= Self.lineLimit else {
      return .tooLong(reason: "it has more than \(Self.lineLimit) header fields")
    }
    if isComplete { return .ignored }
    if line.count > 5, line.starts(with: "HTTP/".utf8) {
      begin(line)
    } else if block.isEmpty {
      // A reply line of an FTP server.
      return .ignored
    } else if line.count <= 2, line.last == UInt8(ascii: "\n"), line.first == line.last || line[0] == UInt8(ascii: "\r")
    {
      return .end
    } else {
      parseField(line)
    }
    block.append(contentsOf: line)
    return .taken
  }

  /// Begins a head. It replaces an earlier one, such as "100 Continue".
  private mutating func begin(_ line: UnsafeRawBufferPointer) {
    block.removeAll(keepingCapacity: true)
    block.reserveCapacity(512)
    status = line.drop { $0 != 0x20 }.dropFirst().prefix(3).reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    isHTTP2 = line[5] == UInt8(ascii: "2")
    contentLength = nil
    hasBadLength = false
    isChunked = false
    isEncoded = false
  }

  private mutating func parseField(_ line: UnsafeRawBufferPointer) {
    switch line[0] | 0x20 {
    case UInt8(ascii: "c") where Self.line(line, isField: "content-length:"):
      let length = Self.length(in: line.dropFirst(15))
      if length == nil || contentLength ?? length != length { hasBadLength = true }
      contentLength = length
    case UInt8(ascii: "c") where Self.line(line, isField: "content-encoding:"):
      isEncoded = true
    case UInt8(ascii: "t") where Self.line(line, isField: "transfer-encoding:"):
      isChunked = true
    default:
      break
    }
  }

  /// Returns the number in a `Content-Length` field, which may be repeated (RFC 9110 §8.6); `nil` for anything else.
  private static func length(in value: Slice<UnsafeRawBufferPointer>) -> Int? {
    var common: Int?
    var number: Int?
    var hasEnded = false
    for byte in value {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (product, overflow) = (number ?? 0).multipliedReportingOverflow(by: 10)
        let (sum, isTooMuch) = product.addingReportingOverflow(Int(byte &- 0x30))
        guard !hasEnded, !overflow, !isTooMuch else { return nil }
        number = sum
      case UInt8(ascii: ","):
        guard let number, common ?? number == number else { return nil }
        common = number
        hasEnded = false
      case ...0x20: hasEnded = number != nil
      default: return nil
      }
      if byte == UInt8(ascii: ",") { number = nil }
    }
    return common ?? number == number ? number : nil
  }

  private static func line(_ line: UnsafeRawBufferPointer, isField name: StaticString) -> Bool {
    guard line.count >= name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { name in zip(line, name).allSatisfy { $0 == $1 || $0 | 0x20 == $1 } }
  }
}
