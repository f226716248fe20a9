import Foundation
import NukeCodecs
import Testing

/// The fixtures of a format, damaged in every way that ``DamageHarness`` knows. JPEG has tests of its own.
struct FormatDamage: Sendable, CustomTestStringConvertible {
  let format: ImageFormat
  /// Every so many bytes a fixture is cut off.
  let step: Int
  /// Of the files that are cut off, at least so many are truncated.
  let truncated: Int
  /// So many files have one byte changed.
  let changed: Int
  /// Of those, at least so many are images nevertheless, and so many malformed.
  var images = 1
  var malformed = 1
  var limits: CodecLimits?
  let fixtures: @Sendable () throws -> [DamageHarness.Fixture]

  var testDescription: String { format.displayName }

  static let all: [FormatDamage] =
    [
      files(.bmp, step: 32, truncated: 501, changed: 4000, images: 1001, malformed: 51) {
        BMPReaderTests.fixtures.map(\.url)
      },
      files(.gif, step: 64, truncated: 101, changed: 2000, malformed: 101) { FrameFixture.gif.map(\.url) },
      files(.ico, step: 32, truncated: 151, changed: 3000, images: 501, malformed: 0) {
        ICOReaderTests.fixtures.map(\.url)
      },
      files(.png, step: 64, truncated: 301, changed: 2000, malformed: 1001) {
        PNGFixture.all.map(\.url) + ColorFixture.files("png")
      },
      files(.webp, step: 64, truncated: 201, changed: 2000, malformed: 51) { FrameFixture.webp.map(\.url) },
    ] + traited

  private static func files(
    _ format: ImageFormat, step: Int, truncated: Int, changed: Int, images: Int = 1, malformed: Int,
    _ urls: @escaping @Sendable () -> [URL]
  ) -> FormatDamage {
    FormatDamage(
      format: format, step: step, truncated: truncated, changed: changed, images: images, malformed: malformed
    ) { try urls().map { try DamageHarness.Fixture($0) } }
  }

  private static var traited: [FormatDamage] {
    var all: [FormatDamage] = []
    #if AVIF
      all.append(
        FormatDamage(format: .avif, step: 23, truncated: 251, changed: 2000, malformed: 51) {
          try deep(
            .avif, "alpha", "cut-turned", "exif", "gray", "lossless", "orientation-5", "pq-10", "profile",
            "sequence-alpha")
        })
    #endif
    #if HEIC
      all.append(
        FormatDamage(format: .heic, step: 23, truncated: 251, changed: 1000, malformed: 51) {
          try deep(
            .heic, "alpha-premultiplied", "cut-turned", "exif", "hlg", "lossless", "orientation-5", "profile",
            "thumbnail")
        })
    #endif
    #if JPEGXL
      let limits = CodecLimits(maximumPixelCount: 1 << 16, maximumSide: 1024, maximumFrameCount: 16)
      all.append(
        FormatDamage(format: .jxl, step: 19, truncated: 201, changed: 500, malformed: 51, limits: limits) {
          try deep(
            .jxl, "alpha-lossy", "animated-alpha", "container", "float", "gray", "lossy", "orientation-5", "pq-lossy",
            "profile")
        })
    #endif
    #if SVG
      all.append(
        files(.svg, step: 16, truncated: 101, changed: 1000, images: 101, malformed: 101) {
          SVGReaderTests.fixtures.map(\.url)
        })
    #endif
    #if TIFF
      all.append(
        files(.tiff, step: 64, truncated: 501, changed: 4000, images: 501, malformed: 51) {
          TIFFReaderTests.fixtures.map(\.url) + ColorFixture.files("tif")
        })
    #endif
    #if Video
      all.append(
        files(.mp4, step: 41, truncated: 201, changed: 1000, images: 501, malformed: 1) {
          ["faststart.mp4", "fragments.mp4", "hevc.mp4", "av1.mp4", "with-sound.mp4", "trimmed.mov"]
            .map { Fixtures.file("Video/\($0)") }
        })
      all.append(
        files(.webm, step: 41, truncated: 0, changed: 1000, images: 501, malformed: 1) {
          ["vp8.webm", "odd.webm"].map { Fixtures.file("Video/\($0)") }
        })
    #endif
    return all
  }

  #if AVIF || HEIC || JPEGXL
    private static func deep(_ format: ImageFormat, _ names: String...) throws -> [DamageHarness.Fixture] {
      try names.map { DamageHarness.Fixture(name: $0, data: try DeepFixture.named($0, format).data()) }
    }
  #endif
}

@Suite("Damaged files of every format")
struct FormatDamageTests {
  /// Animated images and how many frames they have.
  static let animations: [(format: ImageFormat, file: String, count: Int)] = [
    (.avif, "AVIF/sequence.avif", 4), (.gif, "GIF/disposal-mixed.gif", 7), (.jxl, "JXL/animated.jxl", 4),
    (.webp, "WebP/animated-soft.webp", 5),
  ].filter(\.format.isReadable)

  @Test("More frames than the limit are rejected", arguments: animations)
  func frameCount(_ format: ImageFormat, _ file: String, _ count: Int) throws {
    let data = try Data(contentsOf: Fixtures.file(file))
    func read(atMost limit: Int) throws {
      _ = try ImageReaders.reader(for: data, limits: CodecLimits(maximumFrameCount: limit)).decode(DecodeOptions())
    }
    #expect(throws: Never.self) { try read(atMost: count) }
    #expect(throws: CodecError.tooManyFrames(format, count: count, limit: count - 1)) { try read(atMost: count - 1) }
  }

  @Test("A file truncated anywhere is decoded, or fails with an error", arguments: FormatDamage.all)
  func truncations(_ damage: FormatDamage) throws {
    let report = try DamageHarness(fixtures: damage.fixtures()).truncated(every: damage.step)
    #expect(report.failures == [])
    #expect(report.errors["truncated", default: 0] >= damage.truncated)
  }

  @Test("A file with one changed byte is decoded, or fails with an error", arguments: FormatDamage.all)
  func corruptions(_ damage: FormatDamage) throws {
    var harness = DamageHarness(fixtures: try damage.fixtures())
    if let limits = damage.limits { harness.limits = limits }
    let report = harness.corrupted(damage.changed)
    #expect(report.failures == [])
    #expect(report.attempts == damage.changed)
    #expect(report.images >= damage.images)
    #expect(report.errors["malformed", default: 0] >= damage.malformed)
  }
}
