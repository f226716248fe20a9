#if Server
  import Foundation
  import Nuke
  import NukeServing

  /// Removes secrets from a request's path for the log: the query, the signature, the query, user name and password of
  /// the source's URL, and the URLs of a watermark and a fallback image. The name of an object or file is logged as a
  /// whole.
  enum LoggedPath {
    static func of(_ path: String, prefix: String) -> String {
      let path = String(Substring(path.utf8.prefix { $0 != UInt8(ascii: "?") }))
      guard let behind = RoutedPath.rest(of: path, behind: prefix) else { return clipped(path) }
      let isInfo = behind.hasPrefix("/info/")
      let start = isInfo ? prefix + "/info" : prefix
      let rest = String(isInfo ? behind.dropFirst(5) : behind)
      // Other paths are short paths of the server, or invalid. The part in the position of a signature is hidden
      // anyway.
      guard let url = (try? ImageURL(path: rest)) ?? (try? ImageURL(path: rest, hasOnlyPresets: true)) else {
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        return clipped(parts.count < 4 ? path : start + "/-/…")
      }
      let signature = ["unsafe", "insecure"].contains(url.signature) ? url.signature : "-"
      let options = url.options.map { "/" + withoutURL($0).description }.joined()
      if url.isEncrypted {
        let format = url.fileExtension.map { "." + $0 } ?? ""
        return clipped("\(start)/\(signature)\(options)/enc/\(url.source)\(format)")
      }
      let format = url.fileExtension.map { "@" + $0 } ?? ""
      return clipped("\(start)/\(signature)\(options)/plain/\(url.loggedSource)\(format)")
    }

    private static func withoutURL(_ option: ImageOption) -> ImageOption {
      ["watermark_url", "fallback_image_url"].contains(option.longName) ? ImageOption(option.name, "-") : option
    }

    /// Shortens a path. The server reads long paths, but a log line must stay short.
    private static func clipped(_ text: String) -> String {
      text.count > 512 ? text.prefix(512) + "…" : text
    }
  }
#endif
