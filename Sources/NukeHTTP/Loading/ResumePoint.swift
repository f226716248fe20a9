import Foundation
package import FoundationNetworking
import NukeHTTPCaching

/// The length of a partial body, and the validator for requesting the rest of it.
///
/// A partial body and the rest are joined only if both responses have the same strong validator and the ranges are
/// contiguous (RFC 9110 §13.1.5, §14, §15.3.7.3). In case of doubt, the body is loaded from the beginning.
package struct ResumePoint: Equatable, Sendable {
  /// Identifies a version of the resource.
  package enum Validator: Equatable, Sendable {
    /// An entity tag as it was received, with its quotation marks if it has any.
    case entityTag(String)
    /// A `Last-Modified` date that is strong according to RFC 9110 §8.8.2.2.
    case lastModified(String)

    /// The validator as it was received.
    package var text: String {
      switch self {
      case .entityTag(let text), .lastModified(let text): text
      }
    }
  }

  package let validator: Validator
  /// The URL of the response, after redirects. A validator is not valid for other resources.
  package let url: String
  /// The length of the whole body in bytes; `nil` if the server did not state it.
  package let total: Int?
  /// The number of bytes that have arrived.
  package var count: Int

  package init(validator: Validator, url: String, total: Int?, count: Int) {
    self.validator = validator
    self.url = url
    self.total = total
    self.count = count
  }

  /// Creates the resume point for a response to `request` of which `count` bytes have arrived; `nil` if the rest cannot
  /// be requested.
  package init?(_ head: ResponseHead, to request: URLRequest, count: Int) {
    guard Self.allows(request), head.status == 200, count > 0, head.expectedLength.map({ count < $0 }) ?? true,
      Self.hasNo("content-encoding", in: head, but: "identity"), !Self.isUnstorable(head),
      head.value(forField: "Accept-Ranges")?.lowercased() != "none",
      let validator = Validator(head)
    else { return nil }
    self.init(validator: validator, url: head.url.absoluteString, total: head.expectedLength, count: count)
  }

  /// Returns `true` if the rest of a response to `request` can be requested with a range. The request must be a GET
  /// over HTTP without its own range or conditions.
  package static func allows(_ request: URLRequest) -> Bool {
    guard request.url?.isHTTP == true, request.httpMethod ?? "GET" == "GET", request.httpBody == nil,
      request.httpBodyStream == nil
    else { return false }
    guard let fields = request.allHTTPHeaderFields, !fields.isEmpty else { return true }
    return fields.keys.allSatisfy { name in
      let name = name.lowercased()
      return name != "range" && !name.hasPrefix("if-")
    }
  }

  /// Returns the request for the missing bytes.
  package func request(resuming request: URLRequest) -> URLRequest {
    var request = request
    request.setValue("bytes=\(count)-", forHTTPHeaderField: "Range")
    request.setValue(validator.text, forHTTPHeaderField: "If-Range")
    return request
  }

  /// The kind of response to ``request(resuming:)``.
  package enum ResponseKind: Equatable, Sendable {
    /// The rest of the body, with the total length of the body.
    case rest(total: Int)
    /// A whole body, which replaces the partial one.
    case whole
    /// A response that does not match. The body must be requested without a range.
    case refused
  }

  package func kind(of head: ResponseHead) -> ResponseKind {
    switch head.status {
    case 416: return .refused
    case 206: return total(of: head).map { .rest(total: $0) } ?? .refused
    default: return .whole
    }
  }

  /// Returns the total length if a 206 response begins at the end of the partial body, extends to the end, and has the
  /// same validator.
  private func total(of head: ResponseHead) -> Int? {
    guard let field = head.value(forField: "Content-Range"), let range = ContentRange(field),
      range.bytes.lowerBound == count,
      let total = total ?? range.total, range.total ?? total == total, range.bytes.upperBound == total - 1,
      head.expectedLength ?? range.bytes.count == range.bytes.count,
      Self.hasNo("content-encoding", in: head, but: "identity"),
      head.value(forField: "Content-Type")?.lowercased().hasPrefix("multipart/byteranges") != true,
      head.url.absoluteString == url
    else { return nil }
    switch validator {
    case .entityTag(let tag): return head.value(forField: "ETag") == tag ? total : nil
    // If the new response has an entity tag, a matching date would be the weaker validator.
    case .lastModified(let date):
      return head.value(forField: "Last-Modified") == date && head.value(forField: "ETag") == nil ? total : nil
    }
  }

  private static func hasNo(_ field: String, in head: ResponseHead, but value: String) -> Bool {
    head.value(forField: field).map { $0.lowercased() == value } ?? true
  }

  /// A partial response must not be stored either if `no-store` forbids it (RFC 9111 §5.2.2.5).
  private static func isUnstorable(_ head: ResponseHead) -> Bool {
    guard let field = head.value(forField: "Cache-Control") else { return false }
    return field.lowercased().split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == "no-store" }
  }
}

extension ResumePoint.Validator {
  /// Creates the strong validator of a response; `nil` if it has none. A weak entity tag also rules out the date (RFC
  /// 9110 §13.1.5).
  init?(_ head: ResponseHead) {
    if let tag = head.value(forField: "ETag") {
      guard Self.isStrong(tag) else { return nil }
      self = .entityTag(tag)
      return
    }
    guard let modified = head.value(forField: "Last-Modified"), let date = head.value(forField: "Date"),
      let modifiedSeconds = HTTPDate.fixdateSeconds(modified), let seconds = HTTPDate.fixdateSeconds(date),
      // Otherwise, the resource may have been modified again within the same second, or while the clock was adjusted.
      seconds - modifiedSeconds >= 60
    else { return nil }
    self = .lastModified(modified)
  }

  /// Returns `true` if a text is a single strong entity tag. Some servers send a tag without quotation marks; they mean
  /// a strong one and compare it as it was sent.
  private static func isStrong(_ tag: String) -> Bool {
    let quote = UInt8(ascii: "\"")
    var bytes = tag.utf8[...]
    let isQuoted = bytes.count >= 2 && bytes.first == quote && bytes.last == quote
    if isQuoted { bytes = bytes.dropFirst().dropLast() }
    // Without quotation marks, a comma separates several tags.
    guard isQuoted || !(bytes.isEmpty || bytes.starts(with: "W/".utf8) || bytes.contains(UInt8(ascii: ","))) else {
      return false
    }
    return bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != quote }
  }
}

/// The encoding in the metadata of a partial body on disk: one value per line.
extension ResumePoint {
  package var attributes: [UInt8] {
    let kind =
      switch validator {
      case .entityTag: "etag"
      case .lastModified: "date"
      }
    return Array(["1", kind, validator.text, url, total.map(String.init) ?? ""].joined(separator: "\n").utf8)
  }

  /// - Parameter count: the number of stored bytes.
  package init?(attributes: [UInt8], count: Int) {
    let lines = String(decoding: attributes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 5, lines[0] == "1", !lines[2].isEmpty, count > 0 else { return nil }
    let validator: Validator
    switch lines[1] {
    case "etag": validator = .entityTag(String(lines[2]))
    case "date": validator = .lastModified(String(lines[2]))
    default: return nil
    }
    let total = Int(lines[4])
    guard lines[4].isEmpty || total.map({ count < $0 }) ?? false else { return nil }
    self.init(validator: validator, url: String(lines[3]), total: total, count: count)
  }
}
