import Foundation
import NukeHTTPCaching

extension ResponseHead {
  /// Returns the decoder of the body, and removes the fields that describe the encoded body: its length, coding, and
  /// ranges. The entity tag becomes a weak one (RFC 9110 §8.8.3.3), and the body cannot be resumed.
  ///
  /// Returns `nil` if the body has no content coding. Partial responses are not decoded, because a part of an encoded
  /// body may begin anywhere. Their fields keep describing the encoded body, so that it is not appended to another one.
  ///
  /// - Parameter host: for error messages.
  package mutating func takeContentCoding(host: String) -> ContentDecoder? {
    guard status != 206, status != 304 else { return nil }
    let coding = fields.contentCodings.joined(separator: ", ")
    guard !coding.isEmpty else { return nil }
    let decoder = ContentDecoder(coding, host: host)
    if decoder.isSupported { removeCoding() }
    return decoder
  }

  /// Removes the fields that describe an encoded body. See ``takeContentCoding(host:)``.
  package mutating func removeCoding() {
    var fields = fields
    let tag = fields.value(.eTag)
    fields.remove { field in
      switch field.known {
      case .contentEncoding, .contentLength, .contentRange, .eTag: true
      default: String(decoding: field.name, as: UTF8.self).lowercased() == "accept-ranges"
      }
    }
    if let tag { fields.set(.eTag, tag.hasPrefix("W/") ? tag : "W/" + tag) }
    fields.append("Accept-Ranges", "none")
    replace(fields, expectedLength: nil)
  }

  /// Makes the entity tag of a 304 response weak if that of the decoded body, which it confirms, is.
  ///
  /// - Parameter condition: the `If-None-Match` field of the request.
  package mutating func weakenTag(confirming condition: String?) {
    guard let condition, let tag = value(forField: "ETag"), condition.contains("W/" + tag) else { return }
    var fields = fields
    fields.set(.eTag, "W/" + tag)
    replace(fields, expectedLength: expectedLength)
  }

  private mutating func replace(_ fields: HTTPFields, expectedLength: Int?) {
    self = ResponseHead(url: url, status: status ?? 200, expectedLength: expectedLength, fields: fields)
  }
}
