import Foundation

extension URL {
  /// `true` if the scheme is `http` or `https`, in any case.
  package var isHTTP: Bool { Self.isHTTP(scheme) }

  static func isHTTP(_ scheme: String?) -> Bool {
    guard let scheme else { return false }
    return scheme == "http" || scheme == "https" || ["http", "https"].contains(scheme.lowercased())
  }
}
