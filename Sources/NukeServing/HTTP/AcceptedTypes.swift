import NukeHTTPCaching

/// The media types in the `Accept` field of a request (RFC 9110 §12.5.1).
struct AcceptedTypes {
  private struct Range {
    let type: FieldBytes
    let subtype: FieldBytes
    /// The weight in thousandths.
    let weight: Int
  }

  private var ranges: [Range] = []

  /// Elements after this many are ignored.
  private static let limit = 64

  /// Malformed elements are skipped, and so are elements with parameters, because no type that this server sends has
  /// any.
  init(_ value: String) {
    for element in FieldList(Array(value.utf8)[...]).prefix(Self.limit) {
      if let range = Self.range(element) { ranges.append(range) }
    }
  }

  private static func range(_ element: FieldBytes) -> Range? {
    let parts = element.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let name = parts[0].trimmed
    guard let slash = name.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let (type, subtype) = (name[..<slash], name[(slash + 1)...])
    guard type.isToken, subtype.isToken else { return nil }
    guard parts.count > 1 else { return Range(type: type, subtype: subtype, weight: 1000) }
    guard parts.count == 2, let weight = Weight.thousandths(parts[1].trimmed) else { return nil }
    return Range(type: type, subtype: subtype, weight: weight)
  }

  /// Returns the weight of a type in thousandths, from the most specific element that matches it; 0 if it is not
  /// accepted.
  func weight(of mediaType: String) -> Int { weight(of: mediaType, atLeast: .any) ?? 0 }

  /// Returns the weight from an element that names exactly this type; `nil` if there is none.
  func weightByName(of mediaType: String) -> Int? { weight(of: mediaType, atLeast: .exact) }

  private enum Specificity: Int {
    case any, type, exact
  }

  private func weight(of mediaType: String, atLeast least: Specificity) -> Int? {
    let bytes = Array(mediaType.utf8)
    guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let (type, subtype) = (bytes[..<slash], bytes[(slash + 1)...])
    var best: (specificity: Specificity, weight: Int)?
    for range in ranges {
      let specificity: Specificity
      if range.type.isSame(as: type) {
        if range.subtype.isSame(as: subtype) {
          specificity = .exact
        } else if range.subtype.isSame(as: "*") {
          specificity = .type
        } else {
          continue
        }
      } else if range.type.isSame(as: "*"), range.subtype.isSame(as: "*") {
        specificity = .any
      } else {
        continue
      }
      guard specificity.rawValue >= least.rawValue else { continue }
      if let known = best {
        let order = (known.specificity.rawValue, known.weight)
        if order >= (specificity.rawValue, range.weight) { continue }
      }
      best = (specificity, range.weight)
    }
    return best?.weight
  }
}
