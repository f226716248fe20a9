// swift-tools-version: 6.1
import PackageDescription

// A package for Linux and Apple's platforms. Both packages have the identity `nuke`, so that each build sees one of them.
// This `#if` depends on the system that builds, not on the one that the program is for.
#if os(Linux)
  // A package of yours writes the URL of this repository, and `from: "13.0.0"`.
  let nuke: [Package.Dependency] = [.package(name: "nuke", path: "../..", traits: ["Combine"])]
  let combine: [Package.Dependency] = [.package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0")]
  let publishers: [Target.Dependency] = [
    .product(name: "NukeCombine", package: "nuke"), .product(name: "OpenCombine", package: "OpenCombine"),
  ]
#else
  let nuke: [Package.Dependency] = [.package(url: "https://github.com/kean/Nuke", from: "13.0.0")]
  let combine: [Package.Dependency] = []
  // Combine is part of the system, and its publishers are part of Nuke.
  let publishers: [Target.Dependency] = []
#endif

let package = Package(
  name: "thumbnails",
  platforms: [.iOS(.v17), .macOS(.v14)],
  products: [.library(name: "Thumbnails", targets: ["Thumbnails"])],
  dependencies: nuke + combine,
  targets: [
    .target(
      name: "Thumbnails",
      dependencies: [
        .product(name: "Nuke", package: "nuke"), .product(name: "NukeUI", package: "nuke"),
        .product(name: "NukeExtensions", package: "nuke"),
      ] + publishers),
    .executableTarget(name: "thumbnail", dependencies: ["Thumbnails"]),
  ]
)
