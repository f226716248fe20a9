package import Testing

/// Thrown by a test whose value is not of the case that it must be, with the value or what it means. It names the line,
/// since a thrown error has no place.
package struct Unexpected: Error, CustomStringConvertible {
  package let description: String

  package init(_ value: Any?, at place: SourceLocation = #_sourceLocation) {
    description = "\(place): unexpected: \(value.map { "\($0)" } ?? "nil")"
  }
}
