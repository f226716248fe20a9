import NukeHTTPCaching

/// The byte ranges that a client requests (RFC 9110 §14).
enum RangeRequest: Sendable, Hashable {
  /// The whole body: the request has no range, or one that the server ignores.
  case whole
  /// 206, with one or more ranges.
  case parts([Range<Int>])
  /// 416: none of the ranges exists.
  case unsatisfiable

  /// The maximum number of ranges. If more are requested, the whole body is sent.
  static let limit = 8
  /// The approximate overhead of each part of a multipart response, in bytes.
  static let overhead = 120

  /// - Parameters:
  ///   - length: the length of the whole body, in bytes.
  ///   - entityTag: the response's entity tag, with its quotation marks.
  init(_ head: RequestHead, length: Int, entityTag: String) {
    self = .whole
    // Ranges are defined only for GET (RFC 9110 §14.2).
    guard head.method == .get, let value = head[.range], let asked = ByteRanges(Array(value.utf8)[...]),
      Self.isSame(head[.ifRange], as: entityTag)
    else { return }
    let ranges = asked.resolved(of: length).map { $0.lowerBound..<$0.upperBound + 1 }
    if ranges.isEmpty {
      self = .unsatisfiable
    } else if Self.isWorthwhile(ranges, length: length) {
      self = .parts(ranges)
    }
  }

  /// Evaluates `If-Range` (RFC 9110 §13.1.5). A date never matches: it is the source's, and other settings produce
  /// different bytes from the same source.
  private static func isSame(_ validator: String?, as entityTag: String) -> Bool {
    guard let validator else { return true }
    return validator == entityTag && !entityTag.hasPrefix("W/")
  }

  /// Returns `false` for many small or overlapping ranges, which cost more than the whole body and are used in attacks
  /// (RFC 9110 §17.15).
  private static func isWorthwhile(_ ranges: [Range<Int>], length: Int) -> Bool {
    guard ranges.count > 1 else { return true }
    guard ranges.count <= limit, ranges.reduce(0, { $0 + $1.count + overhead }) < length else { return false }
    let sorted = ranges.sorted { $0.lowerBound < $1.lowerBound }
    return zip(sorted, sorted.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
  }
}

/// Several ranges of a body as one multipart body (RFC 9110 §14.6, §15.3.7.2).
struct MultipartRanges {
  let contentType: String
  let pieces: [ServedResponse.Piece]

  /// - Parameter entityTag: a hash of the whole body. The boundary is derived from it, so no part contains the
  ///   boundary.
  init(_ ranges: [Range<Int>], of length: Int, contentType: String, entityTag: String) {
    let boundary = "part-" + String(entityTag.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(60))
    self.contentType = "multipart/byteranges; boundary=\(boundary)"
    var pieces: [ServedResponse.Piece] = []
    for (index, range) in ranges.enumerated() {
      let head =
        "\(index == 0 ? "" : "\r\n")--\(boundary)\r\nContent-Type: \(contentType)\r\n"
        + "Content-Range: \(ResponseRules.contentRange(range, of: length))\r\n\r\n"
      pieces += [.text(head), .part(range)]
    }
    self.pieces = pieces + [.text("\r\n--\(boundary)--\r\n")]
  }
}
