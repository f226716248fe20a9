/// The version of the package.
package enum PackageVersion {
  package static let current = "0.1.0"
}
