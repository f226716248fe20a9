import Foundation
import NukeBase

/// A stage of work that is timed.
enum Stage: String, CaseIterable {
  /// Looking in the disk cache.
  case read
  case load
  /// Opening an image of which more than a header is read.
  case open
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
        url.absoluteString.withoutSecrets
      } else {
        storage.resource.id ?? "no URL"
      }
    return String(name.prefix(200))
  }
}
