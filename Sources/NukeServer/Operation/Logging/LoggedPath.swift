#if Server
  import Foundation
  import NukeServing

  /// A request's path as it may be logged: without its query and signature, and without the query, the name and the
  /// password that a source's URL may hold. Each of them can be a key to something.
  enum LoggedPath {
    static func of(_ path: String, prefix: String) -> String {
      let path = String(path.prefix { $0 != "?" && $0 != "#" })
      guard let behind = RoutedPath.rest(of: path, behind: prefix) else { return clipped(path) }
      let isInfo = behind.hasPrefix("/info/")
      let start = isInfo ? prefix + "/info" : prefix
      let rest = String(isInfo ? behind.dropFirst(5) : behind)
      // All that is not an image's path is short and ours, or makes no sense: the signature's place is hidden all the
      // same.
      guard let url = try? ImageURL(path: rest) else {
        let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
        return clipped(parts.count < 4 ? path : start + "/-/…")
      }
      let signature = ["unsafe", "insecure"].contains(url.signature) ? url.signature : "-"
      let options = url.options.map { "/" + $0.description }.joined()
      let format = url.fileExtension.map { "@" + $0 } ?? ""
      return clipped("\(start)/\(signature)\(options)/plain/\(withoutSecrets(url.source))\(format)")
    }

    private static func withoutSecrets(_ source: String) -> String {
      let path = source.prefix { $0 != "?" && $0 != "#" }
      guard let scheme = path.range(of: "://") else { return String(path) }
      let host = path[scheme.upperBound...].prefix { $0 != "/" }
      let plainHost = host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host
      return String(path[..<scheme.upperBound] + plainHost + path[host.endIndex...])
    }

    /// A path may be as long as a server reads; a line of a log is not.
    private static func clipped(_ text: String) -> String {
      text.count > 512 ? text.prefix(512) + "…" : text
    }
  }
#endif
