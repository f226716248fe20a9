// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

/// A libFuzzer program. Its file contains the function that processes one input. `main` is in the fuzzer's run-time
/// library, so the programs link only in the build of Scripts/fuzz.
func fuzzer(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: ["Fuzzing", .product(name: "Nuke", package: "nuke")], swiftSettings: settings)
}

let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "nuke", path: "..", traits: ["AVIF", "HEIC", "JPEGXL", "TIFF", "SVG", "Video"])],
  targets: [
    .target(name: "Fuzzing", dependencies: [.product(name: "Nuke", package: "nuke")], swiftSettings: settings),
    fuzzer("JPEGFuzzer"),
    fuzzer("PNGFuzzer"),
    fuzzer("PNGWriterFuzzer"),
    fuzzer("WebPFuzzer"),
    fuzzer("GIFFuzzer"),
    fuzzer("BMPFuzzer"),
    fuzzer("ICOFuzzer"),
    fuzzer("TIFFFuzzer"),
    fuzzer("SVGFuzzer"),
    fuzzer("AVIFFuzzer"),
    fuzzer("HEICFuzzer"),
    fuzzer("JXLFuzzer"),
    fuzzer("VideoFuzzer"),
    fuzzer("EXIFFuzzer"),
    fuzzer("ProfileFuzzer"),
    fuzzer("DataURLFuzzer"),
    fuzzer("HeaderFuzzer"),
    fuzzer("HTTPCachingFuzzer"),
    fuzzer("ContentCodingFuzzer"),
    .executableTarget(
      name: "ImageURLFuzzer", dependencies: ["Fuzzing", .product(name: "NukeServing", package: "nuke")],
      swiftSettings: settings),
  ]
)
