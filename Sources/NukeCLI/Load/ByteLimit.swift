import ArgumentParser

/// A number of bytes as it is typed: `1500`, `500K`, `20MB`, `1G` (thousands, millions …).
package struct ByteLimit: ExpressibleByArgument, Equatable {
  package let bytes: Int

  package init?(argument: String) {
    var digits = argument.uppercased()[...]
    if digits.hasSuffix("B") { digits = digits.dropLast() }
    let factors: [Character: Int] = ["K": 1000, "M": 1_000_000, "G": 1_000_000_000]
    let factor = digits.last.flatMap { factors[$0] }
    if factor != nil { digits = digits.dropLast() }
    guard let count = Int(digits), count > 0 else { return nil }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: factor ?? 1)
    guard !overflow else { return nil }
    self.bytes = bytes
  }
}
