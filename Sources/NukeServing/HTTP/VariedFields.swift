/// The fields of a request that an answer was chosen by, for `Vary` (RFC 9110 §12.5.5).
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

  /// The value of `Vary`; `nil` if nothing was chosen.
  package var text: String? { isEmpty ? nil : Self.texts[rawValue & 63] }
}
