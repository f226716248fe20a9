import ArgumentParser
package import Nuke

/// A format that `--format` names: one that this build writes.
package struct OutputFormat: ExpressibleByArgument, Hashable, CaseIterable, Sendable {
  package let format: ImageFormat

  /// The most common ones first.
  package static let allCases: [OutputFormat] = ImageFormat.allCases.compactMap { Self($0) }

  /// `nil` if this build does not write it.
  private init?(_ format: ImageFormat) {
    guard format.isWritable else { return nil }
    self.format = format
  }

  package init?(argument: String) {
    self.init(fileExtension: argument)
  }

  /// The format that a file's name promises; `nil` for none that this build writes.
  package init?(fileExtension: String) {
    let ending = fileExtension.lowercased()
    guard let found = Self.allCases.first(where: { $0.endings.contains(ending) }) else { return nil }
    self = found
  }

  /// The format that an image read as `format` is written in: its own where that can be written, else PNG.
  package init(rewriting format: ImageFormat?) {
    self = format.flatMap(Self.init) ?? Self(.png)!
  }

  /// What names end with, the usual one first.
  private var endings: [String] {
    switch format {
    case .jpeg: ["jpg", "jpeg", "jpe"]
    case .tiff: ["tiff", "tif"]
    default: [format.rawValue]
    }
  }

  package var fileExtension: String { endings[0] }

  /// Formats as help texts list them and completions offer them.
  package static var allValueStrings: [String] { allCases.map(\.format.rawValue) }
  /// Endings as an error lists them.
  static var endings: String { allCases.map(\.fileExtension).joined(separator: ", ") }
}
