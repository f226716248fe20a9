/// The version of the package.
package enum PackageVersion {
  package static let current = "13.0.0"

  /// The first digits of the commit; `nil` if the sources are not those of a source archive.
  ///
  /// A checkout may differ from its commit. `git archive` replaces the placeholder, because `.gitattributes` says so.
  package static let commit: String? = {
    let commit = "$Format:%H$"
    return commit.hasPrefix("$") ? nil : String(commit.prefix(10))
  }()
}
