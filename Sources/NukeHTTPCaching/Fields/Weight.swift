/// A quality value (RFC 9110 §12.4.2).
package enum Weight {
  /// Parses a weight such as `q=0.5`, and returns it in thousandths (500). Returns `nil` if it is invalid.
  package static func thousandths(_ parameter: FieldBytes) -> Int? {
    guard parameter.prefix(2).isSame(as: "q=") else { return nil }
    let number = parameter.dropFirst(2)
    guard let whole = number.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"), number.count <= 5 else {
      return nil
    }
    var fraction = number.dropFirst()
    if fraction.isEmpty { return Int(whole & 15) * 1000 }
    guard fraction.popFirst() == UInt8(ascii: ".") else { return nil }
    let digits = Array(fraction) + [UInt8](repeating: UInt8(ascii: "0"), count: 3 - fraction.count)
    return digits[...].number(limit: 999).map { min(1000, Int(whole & 15) * 1000 + $0) }
  }
}
