/// The parts of a request's head that determine the response.
package struct RequestHead: Sendable {
  package enum Method: Sendable, CaseIterable {
    case get, head, options
  }

  /// The header fields that the server reads.
  package enum Name: String, Sendable, CaseIterable {
    case accept
    case accessControlRequestMethod = "access-control-request-method"
    case cacheControl = "cache-control"
    case dpr
    case ifMatch = "if-match"
    case ifModifiedSince = "if-modified-since"
    case ifNoneMatch = "if-none-match"
    case ifRange = "if-range"
    case ifUnmodifiedSince = "if-unmodified-since"
    case origin
    case range
    case saveData = "save-data"
    case secCHDPR = "sec-ch-dpr"
    case secCHViewportWidth = "sec-ch-viewport-width"
    case secCHWidth = "sec-ch-width"
    case viewportWidth = "viewport-width"
    case width
    case requestID = "x-request-id"

    private static let all = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Creates a name from a field name in lower case; `nil` for a field that the server does not read.
    package init?(lowercased name: String) {
      guard let known = Self.all[name] else { return nil }
      self = known
    }
  }

  package let method: Method
  private var fields: [(name: Name, value: String)] = []
  /// The fields that sources may receive, by their names in lower case.
  private(set) var passed: [String: String] = [:]

  package init(_ method: Method = .get) { self.method = method }

  /// Adds a field line. Lines with the same name are joined into one list (RFC 9110 §5.3).
  package mutating func append(_ name: Name, _ value: String) {
    if let index = fields.firstIndex(where: { $0.name == name }) {
      fields[index].value += ", " + value
    } else {
      fields.append((name, value))
    }
  }

  /// Adds a field line that sources may receive.
  ///
  /// - Parameter name: the name in lower case.
  package mutating func append(passed name: String, _ value: String) {
    guard let earlier = passed[name] else { return passed[name] = value }
    // HTTP/2 sends each cookie in a separate field line (RFC 9113 §8.2.3).
    passed[name] = earlier + (name == FieldPassthrough.cookie ? "; " : ", ") + value
  }

  package subscript(name: Name) -> String? { fields.first { $0.name == name }?.value }
}

/// The request fields that determined the response, for `Vary` (RFC 9110 §12.5.5).
package struct VariedFields: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let accept = VariedFields(rawValue: 1)
  package static let dpr = VariedFields(rawValue: 2)
  package static let width = VariedFields(rawValue: 4)
  package static let viewportWidth = VariedFields(rawValue: 8)
  package static let saveData = VariedFields(rawValue: 16)
  package static let origin = VariedFields(rawValue: 32)

  private static let names: [(VariedFields, String)] = [
    (.accept, "Accept"), (.dpr, "Sec-CH-DPR, DPR"), (.width, "Sec-CH-Width, Width"),
    (.viewportWidth, "Sec-CH-Viewport-Width, Viewport-Width"), (.saveData, "Save-Data"), (.origin, "Origin"),
  ]

  private static let texts: [String] = (0..<64).map { bits in
    let fields = VariedFields(rawValue: bits)
    return names.filter { fields.contains($0.0) }.map(\.1).joined(separator: ", ")
  }

  /// The value of `Vary`; `nil` if no field was used.
  package var text: String? { isEmpty ? nil : Self.texts[rawValue & 63] }
}
