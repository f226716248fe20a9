// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "nuke", path: "..")],
  targets: [
    .target(name: "Measuring", swiftSettings: settings),
    .executableTarget(
      name: "PipelineBenchmarks", dependencies: ["Measuring", .product(name: "Nuke", package: "nuke")],
      swiftSettings: settings),
  ]
)
