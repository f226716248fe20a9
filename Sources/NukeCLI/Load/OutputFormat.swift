import ArgumentParser
package import Nuke

/// The formats that `--format` names.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case jpeg, png, webp

  package init?(argument: String) {
    self.init(fileExtension: argument)
  }

  /// The format that a file's name promises; nil for none of ours.
  package init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "jpeg", "jpg", "jpe": self = .jpeg
    case "png": self = .png
    case "webp": self = .webp
    default: return nil
    }
  }

  /// The format that a picture read as `format` is written in: its own where that can be written, else PNG.
  package init(rewriting format: ImageFormat?) {
    self = format.flatMap { Self(rawValue: $0.rawValue) } ?? .png
  }

  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
