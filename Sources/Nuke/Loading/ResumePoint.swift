import Foundation
package import FoundationNetworking
import NukeHTTPCaching

/// The length of a partial body, and the validator with which the rest of the same body is requested.
///
/// A part and the rest are joined only under a strong validator that both answers carry, and only where the ranges meet
/// (RFC 9110 §13.1.5, §14, §15.3.7.3). In every doubt the body is loaded from its beginning.
package struct ResumePoint: Equatable, Sendable {
  /// Identifies the bytes among all versions of the resource.
  package enum Validator: Equatable, Sendable {
    /// An entity tag as it was received, with its quotation marks where it has them.
    case entityTag(String)
    /// A `Last-Modified` that is strong by RFC 9110 §8.8.2.2.
    case lastModified(String)

    /// The validator as it was received.
    package var text: String {
      switch self {
      case .entityTag(let text), .lastModified(let text): text
      }
    }
  }

  package let validator: Validator
  /// The URL that answered, after redirects. A validator says nothing about other resources.
  package let url: String
  /// Bytes of the whole body; `nil` if the server did not say.
  package let total: Int?
  /// Bytes that have come.
  package var count: Int

  package init(validator: Validator, url: String, total: Int?, count: Int) {
    self.validator = validator
    self.url = url
    self.total = total
    self.count = count
  }

  /// Creates the resume point of a response to `request` of which `count` bytes have arrived; `nil` if the rest cannot
  /// be requested.
  package init?(_ head: ResponseHead, to request: URLRequest, count: Int) {
    guard Self.allows(request), head.status == 200, count > 0, head.expectedLength.map({ count < $0 }) ?? true,
      Self.hasNo("content-encoding", in: head, but: "identity"), !Self.isUnstorable(head),
      head.value(forField: "Accept-Ranges")?.lowercased() != "none",
      let validator = Validator(head)
    else { return nil }
    self.init(validator: validator, url: head.url.absoluteString, total: head.expectedLength, count: count)
  }

  /// Returns `true` if the rest of an answer to `request` may be asked for with a range: a GET over HTTP that has
  /// neither a range nor conditions of its own.
  package static func allows(_ request: URLRequest) -> Bool {
    guard request.httpMethod ?? "GET" == "GET", request.httpBody == nil, request.httpBodyStream == nil else {
      return false
    }
    switch request.url?.scheme?.lowercased() {
    case "http", "https": break
    default: return false
    }
    guard let fields = request.allHTTPHeaderFields, !fields.isEmpty else { return true }
    return fields.keys.allSatisfy { name in
      let name = name.lowercased()
      return name != "range" && !name.hasPrefix("if-")
    }
  }

  /// The request for what is missing.
  package func request(resuming request: URLRequest) -> URLRequest {
    var request = request
    request.setValue("bytes=\(count)-", forHTTPHeaderField: "Range")
    request.setValue(validator.text, forHTTPHeaderField: "If-Range")
    return request
  }

  /// The answer to ``request(resuming:)``.
  package enum Answer: Equatable, Sendable {
    /// The rest of the body, which then has this many bytes.
    case rest(total: Int)
    /// A whole body, which replaces the partial one.
    case whole
    /// Nothing that fits. The body is to be asked for without a range.
    case refused
  }

  package func answer(_ head: ResponseHead) -> Answer {
    switch head.status {
    case 416: return .refused
    case 206: return total(of: head).map { .rest(total: $0) } ?? .refused
    default: return .whole
    }
  }

  /// The length of the whole, where a 206 begins at the part's end, goes on to the end, and is of the same body.
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
    // A date in an answer that has a tag now would be the weaker of the two.
    case .lastModified(let date):
      return head.value(forField: "Last-Modified") == date && head.value(forField: "ETag") == nil ? total : nil
    }
  }

  private static func hasNo(_ field: String, in head: ResponseHead, but value: String) -> Bool {
    head.value(forField: field).map { $0.lowercased() == value } ?? true
  }

  /// Part of a response is part of what `no-store` forbids to keep (RFC 9111 §5.2.2.5).
  private static func isUnstorable(_ head: ResponseHead) -> Bool {
    guard let field = head.value(forField: "Cache-Control") else { return false }
    return field.lowercased().split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == "no-store" }
  }
}

extension ResumePoint.Validator {
  /// The strong validator of a response; `nil` if it has none. A weak tag rules the date out too (RFC 9110 §13.1.5).
  init?(_ head: ResponseHead) {
    if let tag = head.value(forField: "ETag") {
      guard Self.isStrong(tag) else { return nil }
      self = .entityTag(tag)
      return
    }
    guard let modified = head.value(forField: "Last-Modified"), let date = head.value(forField: "Date"),
      let modifiedSeconds = HTTPDate.fixdateSeconds(modified), let seconds = HTTPDate.fixdateSeconds(date),
      // Else it may have been modified again within the second, or while clocks were put right.
      seconds - modifiedSeconds >= 60
    else { return nil }
    self = .lastModified(modified)
  }

  /// Returns `true` if a text is one entity tag without the mark of a weak one. Some servers send a tag without
  /// quotation marks: they mean a strong one and compare it as it was sent.
  private static func isStrong(_ tag: String) -> Bool {
    let quote = UInt8(ascii: "\"")
    var bytes = tag.utf8[...]
    let isQuoted = bytes.count >= 2 && bytes.first == quote && bytes.last == quote
    if isQuoted { bytes = bytes.dropFirst().dropLast() }
    // A comma without quotation marks separates several tags.
    guard isQuoted || !(bytes.isEmpty || bytes.starts(with: "W/".utf8) || bytes.contains(UInt8(ascii: ","))) else {
      return false
    }
    return bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != quote }
  }
}

/// The form beside a part on the disk: lines.
extension ResumePoint {
  package var attributes: [UInt8] {
    let kind =
      switch validator {
      case .entityTag: "etag"
      case .lastModified: "date"
      }
    return Array(["1", kind, validator.text, url, total.map(String.init) ?? ""].joined(separator: "\n").utf8)
  }

  /// - Parameter count: bytes that are stored.
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
