// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ImageGrid",
  dependencies: [.package(name: "nuke", path: "../../..", traits: ["GTK"])],
  targets: [
    .executableTarget(name: "ImageGrid", dependencies: [.product(name: "NukeGTK", package: "nuke")])
  ])
