import Foundation

/// The header fields of requests that are passed on to `http` and `https` sources, and the cookies.
///
/// The values are part of the key of each result, so that no client receives an image that was rendered for the fields
/// of another one.
public struct FieldPassthrough: Sendable, Hashable {
  /// The cookies that are passed on.
  public struct Cookies: Sendable, Hashable {
    /// The beginning of the URLs of sources that receive cookies.
    public var sources: SourcePattern
    /// The names of the cookies; `nil` for all.
    public var names: Set<String>?

    public init(_ names: Set<String>? = nil, to sources: SourcePattern) {
      self.sources = sources
      self.names = names
    }
  }

  /// The names of the fields in lower case.
  public let fields: Set<String>
  /// The cookies; `nil` for none.
  public let cookies: Cookies?

  /// - Parameters:
  ///   - fields: the names of the fields, in any case. Those that ``isAllowed(_:)`` rejects are left out.
  ///   - cookies: the cookies; `nil` for none.
  public init(fields: [String] = [], cookies: Cookies? = nil) {
    self.fields = Set(fields.filter(Self.isAllowed).map { $0.lowercased() })
    self.cookies = cookies
  }

  /// Returns `false` if a field cannot be passed on, because it describes a connection, a body, a range or a condition,
  /// or if the text is not a name. Cookies have a separate setting.
  public static func isAllowed(_ name: String) -> Bool {
    let name = name.lowercased()
    return !name.isEmpty && name.utf8.allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
      && !refused.contains(name) && !refusedBeginnings.contains { name.hasPrefix($0) }
  }

  private static let refused: Set<String> = [
    "accept-encoding", "cache-control", "connection", "cookie", "date", "expect", "host", "keep-alive", "pragma",
    "range", "te", "traceparent", "tracestate", "trailer", "transfer-encoding", "upgrade", "via",
  ]
  private static let refusedBeginnings = ["content-", "if-", "proxy-", "sec-websocket-"]

  package static let cookie = "cookie"

  /// The names of all fields that sources may receive, in lower case.
  package var names: Set<String> { cookies == nil ? fields : fields.union([Self.cookie]) }

  /// The names, for `Vary`; `nil` if there are none.
  var variedText: String? { names.isEmpty ? nil : names.sorted().joined(separator: ", ") }

  /// Returns the fields of a request for a source.
  ///
  /// - Parameter passed: the fields of the client, by their names in lower case.
  func fields(of passed: [String: String], to source: URL) -> [String: String] {
    guard !passed.isEmpty, let scheme = source.scheme, SourceAddress.isOfHTTP(scheme) else { return [:] }
    var result = passed.filter { fields.contains($0.key) }
    if let text = passed[Self.cookie] { result[Self.cookie] = self.cookie(text, to: source) }
    return result
  }

  /// Returns the cookies that a source receives; `nil` if there are none.
  private func cookie(_ text: String, to source: URL) -> String? {
    guard let cookies, let address = try? SourceAddress(source.absoluteString), cookies.sources.matches(address) else {
      return nil
    }
    let pairs = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }.filter { pair in
      guard let equals = pair.firstIndex(of: "="), equals > pair.startIndex else { return false }
      return cookies.names?.contains(String(pair[..<equals])) ?? true
    }
    return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
  }
}
