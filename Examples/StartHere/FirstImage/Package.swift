// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "FirstImage",
  dependencies: [.package(name: "nuke", path: "../../..")],
  targets: [
    .executableTarget(name: "FirstImage", dependencies: [.product(name: "Nuke", package: "nuke")])
  ])
