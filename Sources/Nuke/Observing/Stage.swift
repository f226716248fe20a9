import Foundation

/// A stage of work that is timed.
enum Stage: String, CaseIterable {
  /// Looking in the disk cache.
  case read
  case load
  case decode
  case process
  /// Calling the delegate's `decompress`.
  case decompress
  case encode

  /// The name of the stage's span.
  var spanName: String { "nuke.\(rawValue)" }
}

/// A cache in which look-ups are counted.
enum CacheKind: String, CaseIterable { case memory, disk }

extension ImageRequest {
  /// A short name of the image for logs and traces. It omits parts of URLs that may be secret or long: the query, the
  /// user name and password, and the contents of a `data:` URL.
  var publicName: String {
    let name =
      if let id = storage.imageID {
        id
      } else if let url {
        url.withoutSecrets
      } else {
        storage.resource.id ?? "no URL"
      }
    return String(name.prefix(200))
  }
}

extension URL {
  fileprivate var withoutSecrets: String {
    if scheme?.lowercased() == "data" { return "data:" }
    let text = absoluteString
    let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
    let short = text[..<end]
    guard let slashes = short.range(of: "://") else { return String(short) }
    let authority = short[slashes.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(short) }
    return String(short[..<slashes.upperBound] + short[short.index(after: at)...])
  }
}
