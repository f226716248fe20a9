// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ContactSheet",
  dependencies: [.package(name: "nuke", path: "../..")],
  targets: [
    .executableTarget(
      name: "ContactSheet", dependencies: [.product(name: "Nuke", package: "nuke")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
