// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

let package = Package(
  name: "Benchmarks",
  traits: [
    .trait(name: "AsyncHTTPClient", description: "Measures AsyncHTTPClient too, which takes minutes to build."),
    .trait(name: "Server", description: "Builds what the image server is compared with; takes minutes too."),
    .trait(name: "Redis", description: "Measures the cache in Redis, beside hiredis."),
  ],
  dependencies: [
    .package(
      name: "nuke", path: "..",
      traits: [
        "AVIF", "HEIC", "JPEGXL", "SVG", "TIFF", "Video",
        .trait(name: "AsyncHTTPClient", condition: .when(traits: ["AsyncHTTPClient"])),
        .trait(name: "Redis", condition: .when(traits: ["Redis"])),
        .trait(name: "Server", condition: .when(traits: ["Server"])),
      ]),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
  ],
  targets: [
    .target(name: "AllocationCount"),
    .target(name: "Measuring", dependencies: ["AllocationCount"], swiftSettings: settings),
    .executableTarget(
      name: "PipelineBenchmarks", dependencies: ["Measuring", .product(name: "Nuke", package: "nuke")],
      swiftSettings: settings),
    // Time and memory per item at three sizes.
    .executableTarget(
      name: "GrowthBenchmarks", dependencies: ["Measuring", .product(name: "Nuke", package: "nuke")],
      swiftSettings: settings),
    // The bare libraries of the system, as a lower bound.
    .target(
      name: "CodecLoops",
      cSettings: [.unsafeFlags(["-I/usr/include/cairo"])],
      linkerSettings: ["avif", "cairo", "jpeg", "png", "webp", "z"].map { .linkedLibrary($0) }),
    .executableTarget(
      name: "ImageBenchmarks", dependencies: ["CodecLoops", "Measuring", .product(name: "Nuke", package: "nuke")],
      swiftSettings: settings),
    // Minimal C implementations, for comparison.
    .target(name: "DiskFloors"),
    .executableTarget(
      name: "DiskBenchmarks",
      dependencies: ["Measuring", "DiskFloors", .product(name: "Nuke", package: "nuke")], swiftSettings: settings),
    .target(name: "NetworkFloors", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(
      name: "NetworkBenchmarks",
      dependencies: [
        "Measuring", "NetworkFloors", .product(name: "Nuke", package: "nuke"),
        .product(name: "NukeAsyncHTTPClient", package: "nuke", condition: .when(traits: ["AsyncHTTPClient"])),
        .product(
          name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["AsyncHTTPClient"])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["AsyncHTTPClient"])),
      ],
      swiftSettings: settings),
    // The lower bounds of an image server's cost.
    .executableTarget(
      name: "ServingFloors",
      dependencies: [
        .product(name: "Nuke", package: "nuke"),
        .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Server"])),
      ],
      swiftSettings: settings),
    // Tests whether the time to reject a signature depends on which byte is wrong.
    .executableTarget(
      name: "SignatureTiming", dependencies: [.product(name: "NukeServing", package: "nuke")], swiftSettings: settings),
    .target(name: "RedisFloors", linkerSettings: [.linkedLibrary("hiredis", .when(traits: ["Redis"]))]),
    .executableTarget(
      name: "RedisBenchmarks",
      dependencies: [
        "Measuring", .target(name: "RedisFloors", condition: .when(traits: ["Redis"])),
        .product(name: "NukeRedis", package: "nuke", condition: .when(traits: ["Redis"])),
      ],
      swiftSettings: settings),
    // Our HTTP cache in a gateway, for the public test suite.
    .executableTarget(
      name: "CacheBridge",
      dependencies: [.product(name: "Nuke", package: "nuke"), .product(name: "FlyingFox", package: "FlyingFox")],
      swiftSettings: settings),
  ]
)
