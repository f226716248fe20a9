import Foundation
import Nuke

/// What `s3://bucket/key` names, and a version of it with `?versionId=`.
struct S3Location: Equatable {
  let bucket: String
  /// With its escapes undone.
  let key: String
  let version: String?

  init(_ url: URL) throws(DataLoader.TransferError) {
    let text = url.absoluteString
    let start = "s3://"
    guard text.prefix(start.count).lowercased() == start else { throw .unsupportedScheme(url.scheme ?? "") }
    let rest = text.utf8.dropFirst(start.utf8.count).prefix { $0 != UInt8(ascii: "#") }
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    let bucket = path.prefix { $0 != UInt8(ascii: "/") }
    guard let key = Self.text(path.dropFirst(bucket.count + 1)), !key.isEmpty,
      let version = Self.version(rest.dropFirst(path.count))
    else { throw .malformedURL(text) }
    self.bucket = String(decoding: bucket, as: UTF8.self)
    self.key = key
    self.version = version.isEmpty ? nil : version
  }

  /// Of a query with its question mark: empty where there is none, `nil` for any other.
  private static func version(_ query: some Collection<UInt8>) -> String? {
    guard !query.isEmpty else { return "" }
    let name = "?versionId="
    guard query.starts(with: name.utf8) else { return nil }
    return text(query.dropFirst(name.utf8.count)).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Keys are text in UTF-8.
  private static func text(_ bytes: some Collection<UInt8>) -> String? {
    String(validating: LocalResource.percentDecoded(bytes), as: UTF8.self)
  }
}
