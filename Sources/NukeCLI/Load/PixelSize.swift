import ArgumentParser

/// A size in pixels as it is typed: `640x480`.
package struct PixelSize: ExpressibleByArgument, Equatable {
  /// The longest sides that are accepted.
  package static let allowed = 1...65_500

  package let width: Int
  package let height: Int

  package init?(argument: String) {
    let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      Self.allowed.contains(width), Self.allowed.contains(height)
    else { return nil }
    self.width = width
    self.height = height
  }
}
