import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching

/// The stored fields of a source's response: its validators, and what still applies after a 304 (RFC 9111 §4.3.4).
struct SourceFields: Equatable, Sendable {
  var entityTag: String?
  var lastModified: String?
  var cacheControl: String?
  var expires: String?

  /// Creates empty fields.
  init() {}

  init(_ head: ResponseHead) {
    func value(_ name: String) -> String? {
      head.value(forField: name).flatMap { $0.isEmpty || $0.utf8.count > Self.lengthLimit ? nil : $0 }
    }
    entityTag = value("ETag")
    lastModified = value("Last-Modified")
    cacheControl = value("Cache-Control")
    expires = value("Expires")
  }

  /// The maximum size of a stored value, in bytes.
  private static let lengthLimit = 1024

  /// Returns the fields after a 304 response with newer ones.
  func updated(by newer: SourceFields) -> SourceFields {
    var fields = newer
    fields.texts = zip(newer.texts, texts).map { $0 ?? $1 }
    return fields
  }

  /// Returns `true` if both sets of validators identify the same version (RFC 9110 §13.1.2, §13.1.3).
  func isSameVersion(as other: SourceFields) -> Bool {
    if entityTag != nil || other.entityTag != nil { return entityTag == other.entityTag }
    return lastModified != nil && lastModified == other.lastModified
  }

  /// Makes the request conditional, so that the server answers 304 if the source has not changed.
  func addConditions(to request: inout URLRequest) {
    if let entityTag { request.setValue(entityTag, forHTTPHeaderField: "If-None-Match") }
    if let lastModified { request.setValue(lastModified, forHTTPHeaderField: "If-Modified-Since") }
  }

  /// Returns the fields of a response, with these values replacing its own.
  func replacing(in head: ResponseHead) -> HTTPFields {
    var fields = head.fields
    if let entityTag { fields.set(.eTag, entityTag) }
    if let lastModified { fields.set(.lastModified, lastModified) }
    if let cacheControl { fields.set(.cacheControl, cacheControl) }
    if let expires { fields.set(.expires, expires) }
    return fields
  }
}
