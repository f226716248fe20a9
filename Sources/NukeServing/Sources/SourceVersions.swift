import Foundation

/// A loader that can tell the current version of a source without loading it, such as one of files.
protocol SourceVersions: Sendable {
  /// Returns the current version of a source. Called for every memory hit, so it takes only microseconds.
  func currentVersion(of source: URL) -> CurrentVersion
}

/// The version that a source has at the moment.
enum CurrentVersion: Hashable, Sendable {
  /// The source must be loaded or validated to find out.
  case unknown
  /// There is no such source, or it cannot be read.
  case missing
  /// The version has this entity tag.
  case tagged(String)

  /// Returns `true` unless the source has another version than these fields are of.
  func admits(_ fields: SourceFields) -> Bool {
    switch self {
    case .unknown: true
    case .missing: false
    case .tagged(let tag): tag == fields.entityTag
    }
  }

  /// Distinguishes the failures of one version from those of others, in the name of a remembered failure.
  var suffix: String {
    switch self {
    case .unknown: ""
    case .missing: " missing"
    case .tagged(let tag): " " + tag
    }
  }
}
