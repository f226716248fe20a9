// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A C library of the system, found through pkg-config, and its package in Debian and Ubuntu.
func system(_ name: String, pkgConfig: String?, apt: String) -> Target {
  .systemLibrary(name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func module(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: settings)
}

/// A product of the SwiftNIO packages, needed only with the trait AsyncHTTPClient.
func nio(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["AsyncHTTPClient"]))
}

/// The base of publishers, needed only with the trait Combine. Not `OpenCombineShim`, which adds the parts for
/// Foundation and Dispatch.
let openCombine = Target.Dependency.product(
  name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["Combine"]))

/// The argument parser of the commands, needed only with the trait Command.
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"]))

/// A product of the image server, needed only with the trait Server.
func server(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Server"]))
}

let package = Package(
  name: "nuke",
  products: [
    .library(name: "Nuke", targets: ["Nuke"]),
    .library(name: "NukeExtensions", targets: ["NukeExtensions"]),
    .library(name: "NukeUI", targets: ["NukeUI"]),
    .library(name: "NukeCombine", targets: ["NukeCombine"]),
    .library(name: "NukeLegacy", targets: ["NukeLegacy"]),
    .library(name: "NukeAsyncHTTPClient", targets: ["NukeAsyncHTTPClient"]),
    .library(name: "NukeTerminal", targets: ["NukeTerminal"]),
    .library(name: "NukeGTK", targets: ["NukeGTK"]),
    .library(name: "NukeS3", targets: ["NukeS3"]),
    .library(name: "NukeRedis", targets: ["NukeRedis"]),
    .library(name: "NukeServing", targets: ["NukeServing"]),
    .library(name: "NukeSandbox", targets: ["NukeSandbox"]),
    .library(name: "NukeServer", targets: ["NukeServer"]),
    .library(name: "NukeTesting", targets: ["NukeTesting"]),
    .executable(name: "nuke", targets: ["NukeCLI"]),
    .executable(name: "nuke-gallery", targets: ["NukeGallery"]),
  ],
  traits: [
    .trait(name: "AVIF", description: "Reads and writes still and animated AVIF (libavif)."),
    .trait(name: "HEIC", description: "Reads HEIC, the format of phones' cameras (libheif)."),
    .trait(name: "JPEGXL", description: "Reads and writes JPEG XL (libjxl)."),
    .trait(name: "TIFF", description: "Reads and writes TIFF (libtiff)."),
    .trait(name: "SVG", description: "Renders SVG at the requested size (librsvg)."),
    .trait(name: "Video", description: "Reads frames of MP4, MOV and WebM (libavformat, libavcodec, libswscale)."),
    .trait(name: "AsyncHTTPClient", description: "Loads data with AsyncHTTPClient, for servers on SwiftNIO."),
    .trait(name: "Terminal", description: "Draws finer images on terminals without graphics (libchafa)."),
    .trait(name: "GTK", description: "Shows images in GTK 4 (product NukeGTK)."),
    .trait(name: "Redis", description: "Shares images between machines through Redis (hiredis, OpenSSL)."),
    .trait(name: "Server", description: "Serves images over HTTP (Hummingbird)."),
    .trait(name: "Combine", description: "Publishes images with Combine's API (product NukeCombine, OpenCombine)."),
    .trait(name: "Command", description: "Builds the commands nuke and nuke-gallery (swift-argument-parser)."),
  ],
  dependencies: [
    // These are downloaded by every program that uses `Nuke`. The others are downloaded only if a trait needs them.
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
    // Needed only with the trait Combine.
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    // Needed only with the trait Command.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    // Needed only with the trait AsyncHTTPClient.
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.26.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.40.0"),
    // Needed only with the trait Server.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.8.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
  ],
  targets: [
    system("CNukeJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
    system("CNukePNG", pkgConfig: "libpng", apt: "libpng-dev"),
    system("CNukeDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
    system("CNukeWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
    system("CNukeZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    system("CNukeCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
    system("CNukeLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev"),
    system("CNukeAVIF", pkgConfig: "libavif", apt: "libavif-dev"),
    system("CNukeHEIF", pkgConfig: "libheif", apt: "libheif-dev"),
    system("CNukeJXL", pkgConfig: "libjxl", apt: "libjxl-dev"),
    system("CNukeTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev"),
    system("CNukeSVG", pkgConfig: "librsvg-2.0", apt: "librsvg2-dev"),
    system("CNukeVideo", pkgConfig: "libavformat", apt: "libavformat-dev libavcodec-dev libswscale-dev libavutil-dev"),
    system("CNukeChafa", pkgConfig: "chafa", apt: "libchafa-dev"),
    // Found without pkg-config, because SwiftPM warns about its flags.
    system("CNukeHiredis", pkgConfig: nil, apt: "libhiredis-dev"),
    // Signatures of URLs, and of requests to stores.
    system("CNukeCrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
    // TLS for Redis, which Debian 12's hiredis does not support.
    system("CNukeOpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    // GLib's headers, shared by those of GTK, librsvg and libchafa. Not gio-2.0, which has the same include paths, and
    // flags that SwiftPM warns about; those of gtk4 cannot be avoided here, see Scripts/plain-pkg-config.
    system("CNukeGLib", pkgConfig: "gobject-2.0", apt: "libglib2.0-dev"),
    system("CNukeGTK", pkgConfig: "gtk4", apt: "libgtk-4-dev"),

    // Pixel kernels. No dependencies, so that they can be cross-compiled separately.
    .target(name: "CNukeKernels"),
    // Our JPEG decoder, and the parts of the other codecs that must be in C: setjmp, macros, callbacks.
    .target(
      name: "CNukeCodecs", dependencies: ["CNukeKernels", "CNukeJPEG", "CNukePNG", "CNukeDeflate"],
      // libpng's own dependency, used here for color profiles and checksums.
      linkerSettings: [.linkedLibrary("z")]),

    // Checksums and digests.
    .target(name: "CNukeDigests"),
    // Opens the libraries of optional formats at their first use.
    .target(name: "CNukeLibraries"),
    // What every module needs: locks, threads, queues, containers and digests.
    module("NukeBase", ["CNukeDigests", "CNukeLibraries"]),
    module("NukeImaging", ["NukeBase", "CNukeKernels", "CNukeLCMS"]),
    module(
      "NukeCodecs",
      [
        "NukeImaging", "NukeBase", "CNukeCodecs", "CNukeWebP",
        .target(name: "CNukeAVIF", condition: .when(traits: ["AVIF"])),
        .target(name: "CNukeHEIF", condition: .when(traits: ["HEIC"])),
        .target(name: "CNukeJXL", condition: .when(traits: ["JPEGXL"])),
        .target(name: "CNukeTIFF", condition: .when(traits: ["TIFF"])),
        .target(name: "CNukeGLib", condition: .when(traits: ["SVG"])),
        .target(name: "CNukeSVG", condition: .when(traits: ["SVG"])),
        .target(name: "CNukeVideo", condition: .when(traits: ["Video"])),
      ]),
    // RFC 9111 as values, without I/O. Times are parameters.
    module("NukeHTTPCaching"),
    // System calls for files that Swift's modules of the C library lack.
    .target(name: "CNukeDisk"),
    // The disk cache, and what caches on other machines share with it.
    module("NukeStore", ["NukeBase", "CNukeDisk"]),
    // Loading over HTTP with libcurl, and the HTTP cache.
    module("NukeHTTP", ["NukeStore", "NukeBase", "NukeHTTPCaching", "CNukeCurl", "CNukeZlib"]),
    module(
      "Nuke",
      [
        "NukeHTTP", "NukeStore", "NukeCodecs", "NukeImaging", "NukeHTTPCaching", "NukeBase",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    module("NukeExtensions", ["Nuke"]),
    // The model of a view, for any toolkit.
    module("NukeUI", ["Nuke", "NukeImaging"]),
    // Publishers; empty without the trait.
    module("NukeCombine", ["Nuke", openCombine]),
    // The API of version 4, implemented with the current pipeline.
    module("NukeLegacy", ["Nuke", "NukeBase"]),
    // A data loader for programs that already use SwiftNIO; empty without its trait.
    module(
      "NukeAsyncHTTPClient",
      [
        "Nuke", nio("AsyncHTTPClient", "async-http-client"), nio("NIOCore", "swift-nio"),
        nio("NIOHTTP1", "swift-nio"), nio("NIOPosix", "swift-nio"), nio("NIOSSL", "swift-nio-ssl"),
        nio("NIOHTTPCompression", "swift-nio-extras"), nio("NIOHTTP2", "swift-nio-http2"),
      ]),

    // Images on terminals. Drawing with libchafa requires a trait.
    module(
      "NukeTerminal",
      [
        "Nuke", "NukeCodecs", "NukeImaging", "NukeBase",
        .target(name: "CNukeGLib", condition: .when(traits: ["Terminal"])),
        .target(name: "CNukeChafa", condition: .when(traits: ["Terminal"])),
      ]),
    // Views for GTK 4; empty without the trait.
    module(
      "NukeGTK",
      [
        "Nuke", "NukeHTTP", "NukeImaging", .target(name: "CNukeGLib", condition: .when(traits: ["GTK"])),
        .target(name: "CNukeGTK", condition: .when(traits: ["GTK"])),
      ]),

    // Signatures by libcrypto; empty without the trait.
    module("NukeCrypto", [.target(name: "CNukeCrypto", condition: .when(traits: ["Server"]))]),
    // Images in object stores, and results in stores with Amazon S3's protocol, over libcurl.
    module(
      "NukeS3",
      ["Nuke", "NukeBase", "NukeCrypto", "NukeHTTPCaching", .product(name: "CoreMetrics", package: "swift-metrics")]),
    // Results and leases in Redis, shared by several machines; empty without the trait.
    module(
      "NukeRedis",
      [
        "Nuke", "NukeBase", .target(name: "CNukeHiredis", condition: .when(traits: ["Redis"])),
        .target(name: "CNukeOpenSSL", condition: .when(traits: ["Redis"])),
        .product(name: "Logging", package: "swift-log"), .product(name: "CoreMetrics", package: "swift-metrics"),
      ]),
    // The engine of an image server: URLs and their signatures, rendering, and limits.
    module(
      "NukeServing",
      [
        "Nuke", "NukeHTTP", "NukeStore", "NukeHTTPCaching", "NukeCodecs", "NukeCrypto", "NukeImaging", "NukeBase",
      ]),
    // The system calls that sandbox a process; no dependencies.
    .target(name: "CNukeSandbox"),
    // Rendering in sandboxed processes.
    module("NukeSandbox", ["NukeServing", "Nuke", "NukeCodecs", "NukeImaging", "NukeBase", "CNukeSandbox"]),
    // Routes for Hummingbird, and a complete server; empty without the trait.
    module(
      "NukeServer",
      [
        "NukeServing", "NukeSandbox", "Nuke", "NukeHTTP", "NukeHTTPCaching", "NukeCodecs", "NukeBase", "NukeS3",
        .target(name: "NukeRedis", condition: .when(traits: ["Redis"])), server("Hummingbird", "hummingbird"),
        server("HummingbirdCore", "hummingbird"), server("HummingbirdHTTP2", "hummingbird"),
        server("HummingbirdTLS", "hummingbird"),
        server("ServiceLifecycle", "swift-service-lifecycle"), server("Configuration", "swift-configuration"),
        server("HTTPTypes", "swift-http-types"), server("NIOCore", "swift-nio"), server("NIOPosix", "swift-nio"),
        server("NIOHTTP1", "swift-nio"), server("NIOHTTPTypes", "swift-nio-extras"), server("NIOSSL", "swift-nio-ssl"),
        server("NIOTLS", "swift-nio"),
        .product(name: "Logging", package: "swift-log"), .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      resources: ["index.html", "playground.css", "playground.js", "paths.js", "words.js"]
        .map { .embedInCode("Playground/Page/\($0)") }),

    .executableTarget(
      name: "NukeGallery",
      dependencies: ["Nuke", "NukeGTK", "NukeOrigin", argumentParser],
      swiftSettings: settings),

    // Sample programs, each in one file.
    .executableTarget(
      name: "nuke-gtk-hello", dependencies: ["NukeGTK"], path: "Examples/GTKHello", swiftSettings: settings),
    .executableTarget(
      name: "PhotoBrowser", dependencies: ["NukeGTK"], path: "Examples/PhotoBrowser",
      exclude: ["org.nuke.PhotoBrowser.desktop"], swiftSettings: settings),
    .executableTarget(
      name: "Avatars", dependencies: ["Nuke", server("Hummingbird", "hummingbird")], path: "Examples/Avatars",
      swiftSettings: settings),
    .executableTarget(
      name: "ImageProxy", dependencies: ["Nuke", "NukeServer", "NukeServing", server("Hummingbird", "hummingbird")],
      path: "Examples/ImageProxy", swiftSettings: settings),
    .executableTarget(
      name: "FeedReader", dependencies: ["Nuke", "NukeTerminal"], path: "Examples/FeedReader", swiftSettings: settings),
    .executableTarget(
      name: "StaticSite", dependencies: ["Nuke", "NukeCodecs", "NukeImaging"], path: "Examples/StaticSite",
      swiftSettings: settings),
    // The examples of the documentation, one in each file. They are compiled and never run, so no program is linked.
    .target(
      name: "NukeSnippets",
      dependencies: [
        "Nuke", "NukeUI", "NukeLegacy", "NukeServing", "NukeGTK",
        .product(name: "Logging", package: "swift-log"), .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      path: "Examples/Snippets", swiftSettings: settings),

    // A scripted HTTP server on loopback: the origin of the demo and of the tests.
    module("NukeOrigin"),
    module("NukeTesting", ["Nuke", "NukeOrigin"]),
    // Maps files, with a handler for the whole process.
    .target(name: "CNukeMapping"),
    .executableTarget(
      name: "NukeCLI",
      dependencies: [
        "Nuke", "NukeOrigin", "NukeTerminal", .target(name: "NukeServer", condition: .when(traits: ["Server"])),
        .target(name: "NukeServing", condition: .when(traits: ["Server"])),
        .target(name: "NukeSandbox", condition: .when(traits: ["Server"])), "CNukeMapping", argumentParser,
      ],
      resources: [.copy("Samples")],
      swiftSettings: settings),

    tests("NukeBaseTests", ["NukeBase", "NukeTestSupport", "NukeTesting"]),
    // Sheets of reference images are read as PNG.
    tests("NukeImagingTests", ["NukeImaging", "NukeBase", "NukeCodecs", "CNukeKernels"]),
    // Fixtures are read from the checkout.
    tests(
      "NukeCodecsTests", ["NukeCodecs", "NukeImaging", "NukeBase", "CNukeCodecs", "CNukeJPEGSamples"],
      exclude: ["Fixtures"]),
    // Writes JPEG files of all kinds with libjpeg-turbo, for the tests of the reader.
    .target(name: "CNukeJPEGSamples", dependencies: ["CNukeJPEG"], path: "Tests/CNukeJPEGSamples"),
    tests("NukeHTTPCachingTests", ["NukeHTTPCaching"]),
    // What the tests of the core share.
    .target(
      name: "NukeTestSupport",
      dependencies: ["Nuke", "NukeHTTPCaching", "NukeLoaderSuite", "NukeOrigin", "NukeTesting"],
      path: "Tests/NukeTestSupport", swiftSettings: settings),
    tests(
      "NukeStoreTests", ["Nuke", "NukeStore", "NukeDiskWriter", "NukeLoaderSuite", "NukeTestSupport", "NukeTesting"]),
    tests(
      "NukeHTTPTests",
      [
        "Nuke", "NukeHTTP", "NukeHTTPCaching", "NukeDiskWriter", "NukeLoaderSuite", "NukeOrigin", "NukeTestSupport",
        "NukeTesting",
      ]),
    tests(
      "NukeTests",
      [
        "Nuke", "NukeCodecs", "NukeHTTPCaching", "NukeImaging", "NukeOrigin", "NukeTesting", "NukeDiskWriter",
        "NukeLoaderSuite", "NukeTestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    // The checks that all transports must pass, run by the tests of each.
    .target(
      name: "NukeLoaderSuite", dependencies: ["Nuke", "NukeImaging", "NukeOrigin"], path: "Tests/NukeLoaderSuite",
      swiftSettings: settings),
    tests(
      "NukeAsyncHTTPClientTests",
      [
        "NukeAsyncHTTPClient", "Nuke", "NukeLoaderSuite", "NukeOrigin", nio("AsyncHTTPClient", "async-http-client"),
        nio("NIOCore", "swift-nio"), nio("NIOHTTP1", "swift-nio"), nio("NIOHTTP2", "swift-nio-http2"),
        nio("NIOHTTPCompression", "swift-nio-extras"),
      ]),
    // A process that writes to a disk cache until it is killed, for the tests of the cache.
    .executableTarget(
      name: "NukeDiskWriter", dependencies: ["Nuke"], path: "Tests/NukeDiskWriter", swiftSettings: settings),
    // The stress test of the transports, run by hand; see Benchmarks/README.md.
    .executableTarget(
      name: "NetworkStress",
      dependencies: [
        "Nuke", "NukeImaging", "NukeOrigin",
        .target(name: "NukeAsyncHTTPClient", condition: .when(traits: ["AsyncHTTPClient"])),
      ],
      path: "Benchmarks/Sources/NetworkStress", swiftSettings: settings),
    // The cost of a sandbox, measured by hand; see Benchmarks/README.md.
    .executableTarget(
      name: "SandboxCost", dependencies: ["NukeSandbox", "NukeServing", "Nuke", "NukeCodecs", "NukeImaging"],
      path: "Benchmarks/Sources/SandboxCost", swiftSettings: settings),
    // Empty without the trait Combine.
    tests("NukeCombineTests", ["NukeCombine", "Nuke", "NukeTesting", openCombine]),
    // Tests of a program that loads images; see the documentation of NukeTesting.
    .testTarget(
      name: "PortraitTests", dependencies: ["Nuke", "NukeTesting"], path: "Examples/PortraitTests",
      swiftSettings: settings),
    tests("NukeUITests", ["NukeUI", "Nuke", "NukeCodecs", "NukeTesting"]),
    tests("NukeLegacyTests", ["NukeLegacy", "Nuke", "NukeTesting"]),
    tests("NukeTerminalTests", ["NukeTerminal", "Nuke", "NukeBase", "NukeCodecs", "NukeImaging", "NukeTesting"]),
    tests(
      "NukeGTKTests",
      [
        "NukeGTK", "Nuke", "NukeImaging", "NukeOrigin", "NukeTesting", "PhotoBrowser", "NukeGallery",
        .target(name: "CNukeGTK", condition: .when(traits: ["GTK"])),
      ]),
    tests(
      "NukeServingTests",
      [
        "NukeServing", "Nuke", "NukeBase", "NukeCodecs", "NukeHTTPCaching", "NukeImaging", "NukeLoaderSuite",
        "NukeOrigin", "NukeTesting",
      ]),
    // Starts and stops third-party servers on loopback, for tests.
    .target(
      name: "NukeLocalServers", dependencies: ["NukeLoaderSuite", "NukeRedis", "NukeS3", "NukeImaging"],
      path: "Tests/NukeLocalServers", swiftSettings: settings),
    tests(
      "NukeSandboxTests",
      [
        "NukeSandbox", "NukeServing", "Nuke", "NukeBase", "NukeCodecs", "NukeImaging", "NukeTesting",
        "NukeSandboxWorker", "CNukeSandbox",
      ]),
    // A worker that also attempts forbidden operations, for the tests of the sandbox.
    .executableTarget(
      name: "NukeSandboxWorker", dependencies: ["NukeSandbox", "NukeServing", "NukeCodecs"],
      path: "Tests/NukeSandboxWorker", swiftSettings: settings),
    // Empty without the trait Redis.
    tests(
      "NukeRedisTests",
      [
        "NukeRedis", "Nuke", "NukeImaging", "NukeLoaderSuite", "NukeLocalServers", "NukeTesting",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ]),
    // Empty without the trait Server.
    tests(
      "NukeServerTests",
      [
        "NukeServer", "NukeServing", "Nuke", "NukeBase", "NukeCodecs", "NukeImaging", "NukeLoaderSuite",
        "NukeLocalServers",
        "NukeOrigin", "NukeS3", "NukeSandboxWorker", "NukeTesting", server("Hummingbird", "hummingbird"),
        server("HummingbirdCore", "hummingbird"),
        server("HummingbirdTesting", "hummingbird"), server("ServiceLifecycle", "swift-service-lifecycle"),
        server("HTTPTypes", "swift-http-types"), server("NIOCore", "swift-nio"), server("NIOEmbedded", "swift-nio"),
        server("NIOHTTPTypes", "swift-nio-extras"), server("NIOSSL", "swift-nio-ssl"),
        .product(name: "Logging", package: "swift-log"), .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]),
    tests(
      "NukeS3Tests",
      [
        "NukeS3", "Nuke", "NukeImaging", "NukeLoaderSuite", "NukeLocalServers", "NukeOrigin", "NukeTesting",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
      ]),
    tests("NukeGalleryTests", ["NukeGallery", "Nuke", "NukeGTK", "NukeTesting", argumentParser]),
    tests(
      "NukeCLITests",
      [
        "NukeCLI", "Nuke", "NukeLoaderSuite", "NukeLocalServers", "NukeOrigin", "FeedReader", "StaticSite", "Avatars",
        "ImageProxy",
      ]),
    // Code that must compile and is never run: with the newest API, and with the names of older versions. The latter is
    // in deprecated declarations, so that it causes no warnings.
    tests("NukeAPI", ["Nuke", "NukeCombine", "NukeUI", openCombine]),
    .testTarget(
      name: "Nuke12API", dependencies: ["Nuke", "NukeExtensions", "NukeUI"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "Nuke8API", dependencies: ["Nuke"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "Nuke4API", dependencies: ["NukeLegacy", "Nuke"], swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
