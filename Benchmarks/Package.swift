// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "nuke", path: "..", traits: ["AVIF"]),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
  ],
  targets: [
    .target(name: "AllocationCount"),
    .target(name: "Measuring", dependencies: ["AllocationCount"], swiftSettings: settings),
    .executableTarget(
      name: "PipelineBenchmarks", dependencies: ["Measuring", .product(name: "Nuke", package: "nuke")],
      swiftSettings: settings),
    // The libraries of the system used without anything around them, as a bound.
    .target(
      name: "CodecLoops",
      cSettings: [.unsafeFlags(["-I/usr/include/cairo"])],
      linkerSettings: ["avif", "cairo", "jpeg", "png", "webp", "z"].map { .linkedLibrary($0) }),
    .executableTarget(
      name: "ImageBenchmarks", dependencies: ["CodecLoops", "Measuring", .product(name: "Nuke", package: "nuke")],
      swiftSettings: settings),
    // C that does only what has to be done, to compare with.
    .target(name: "DiskFloors"),
    .executableTarget(
      name: "DiskBenchmarks",
      dependencies: ["Measuring", "DiskFloors", .product(name: "Nuke", package: "nuke")], swiftSettings: settings),
    // Our HTTP cache behind a gateway, for the public suite that judges caches.
    .executableTarget(
      name: "CacheBridge",
      dependencies: [.product(name: "Nuke", package: "nuke"), .product(name: "FlyingFox", package: "FlyingFox")],
      swiftSettings: settings),
  ]
)
