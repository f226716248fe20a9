import Foundation

/// The combining characters that encode the row and column of a placeholder of kitty's protocol, found in Swift's and
/// Foundation's tables of Unicode.
enum PlaceholderDiacritics {
  /// The characters of Unicode 6.0 that are drawn above others, and that normalization neither takes apart nor joins.
  static let all: [Unicode.Scalar] = {
    let scalars = (0x80..<0x2_0000 as Range<UInt32>).compactMap { Unicode.Scalar($0) }
    var joined: Set<Unicode.Scalar> = []
    var candidates: [Unicode.Scalar] = []
    for scalar in scalars {
      let parts = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.map { $0 }
      if parts.count > 1 {
        joined.formUnion(parts.dropFirst())
      } else if parts == [scalar], scalar.properties.canonicalCombiningClass == .above,
        let age = scalar.properties.age, age <= (6, 0)
      {
        candidates.append(scalar)
      }
    }
    return candidates.filter { !joined.contains($0) }
  }()

  /// The number that each stands for.
  static let numbers = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, $0) })
}
