import Foundation
import NukeBase
import NukeCodecs
import NukeImaging
import Testing

/// Damages files in every way that a test can afford and reads them: what comes out must be an image or a
/// ``CodecError``, nothing else.
///
/// The damage is the same in every run.
struct DamageHarness {
  struct Fixture {
    let name: String
    let data: Data

    init(_ url: URL) throws {
      name = url.lastPathComponent
      data = try Data(contentsOf: url)
    }

    init(name: String, data: Data) {
      self.name = name
      self.data = data
    }
  }

  struct Report {
    /// How many damaged files were read.
    var attempts = 0
    /// How many of them gave an image nevertheless.
    var images = 0
    /// How many gave each kind of error.
    var errors: [String: Int] = [:]
    /// What must not be, each with the file and the damage.
    var failures: [String] = []
  }

  let fixtures: [Fixture]
  /// What a damaged header may ask for.
  var limits = CodecLimits(maximumPixelCount: 1 << 20, maximumSide: 4096, maximumFrameCount: 64)

  init(fixtures: [Fixture]) { self.fixtures = fixtures }

  init(files: [URL]) throws { fixtures = try files.map { try Fixture($0) } }

  /// Reads each fixture cut off at every `step`th byte.
  func truncated(every step: Int = 64) -> Report {
    var report = Report()
    for fixture in fixtures {
      for count in stride(from: 0, to: fixture.data.count, by: step) {
        // A copy of its own, so that reading past the end leaves the memory of the allocation.
        read(Data(Array(fixture.data.prefix(count))), "\(fixture.name) cut off at \(count)", &report)
      }
    }
    return report
  }

  /// Reads files of which one byte was changed, `count` in all, the fixtures in turn.
  func corrupted(_ count: Int, seed: UInt64 = 1) -> Report {
    var report = Report()
    var random = SplitMix64(state: seed)
    for index in 0..<count {
      let fixture = fixtures[index % fixtures.count]
      guard !fixture.data.isEmpty else { continue }
      var bytes = Array(fixture.data)
      let position = Int(random.next() % UInt64(bytes.count))
      let change = UInt8(truncatingIfNeeded: random.next() % 255 + 1)
      bytes[position] ^= change
      read(Data(bytes), "\(fixture.name) with byte \(position) ^ \(change)", &report)
    }
    return report
  }

  /// Everything that a reader can be asked.
  private func read(_ data: Data, _ name: String, _ report: inout Report) {
    report.attempts += 1
    do {
      _ = try? ImageReaders.header(ofPrefix: data)
      let reader = try ImageReaders.reader(for: data, limits: limits)
      if let thumbnail = reader.thumbnailReader(limits: limits), let image = try? thumbnail.decode(DecodeOptions()) {
        check(image, thumbnail.pixelSize(scaleDenominator: 1), name, &report)
      }
      for denominator in reader.scaleDenominators {
        let image = try reader.decode(DecodeOptions(scaleDenominator: denominator))
        check(image, reader.pixelSize(scaleDenominator: denominator), name, &report)
      }
      if let frames = try reader.animation()?.frames() {
        while let frame = try frames.next() {
          check(frame.image, (reader.header.pixelWidth, reader.header.pixelHeight), name, &report)
        }
      }
      report.images += 1
    } catch let error as CodecError {
      let kind = Mirror(reflecting: error).children.first?.label ?? "\(error)"
      report.errors[kind, default: 0] += 1
    } catch {
      report.failures.append("\(name): \(error)")
    }
  }

  private func check(_ image: Bitmap, _ size: (width: Int, height: Int), _ name: String, _ report: inout Report) {
    if image.pixelWidth != size.width || image.pixelHeight != size.height {
      report.failures.append("\(name): \(image) instead of \(size)")
    }
    if image.pixelWidth * image.pixelHeight > limits.maximumPixelCount {
      report.failures.append("\(name): \(image) is past the limits")
    }
    // Premultiplied colors are never above their alpha; reading every byte also shows memory that was never written to
    // a sanitizer.
    let isValid = image.withUnsafeBytes { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      return pixels.allSatisfy { pixel in
        let pixel = UInt32(littleEndian: pixel)
        let alpha = pixel >> 24
        if alpha == 255 { return true }
        return !image.isOpaque && pixel & 255 <= alpha && pixel >> 8 & 255 <= alpha && pixel >> 16 & 255 <= alpha
      }
    }
    if !isValid { report.failures.append("\(name): pixels that cannot be") }
  }
}

extension ImageReader {
  /// The error of reading and decoding data; `nil` if that gives an image.
  static func error(_ data: Data, limits: CodecLimits = CodecLimits()) -> CodecError? {
    do throws(CodecError) {
      _ = try Self(data: data, limits: limits).decode(DecodeOptions())
      return nil
    } catch {
      return error
    }
  }
}

/// Expects that `count` threads that use one reader at the same time each get the pixels that one gets alone.
func expectEqualPixels(
  of reader: any ImageReader, byThreads count: Int, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let expected = try reader.decode(DecodeOptions()).pixelBytes
  let results = try await withThrowingTaskGroup(of: [UInt8].self) { group in
    for _ in 0..<count { group.addTask { try reader.decode(DecodeOptions()).pixelBytes } }
    return try await group.reduce(into: []) { $0.append($1) }
  }
  #expect(results.count == count && results.allSatisfy { $0 == expected }, sourceLocation: sourceLocation)
}

/// A suite of tests of one reader with damaged data.
protocol DamageSuite {
  associatedtype Reader: ImageReader
}

extension DamageSuite {
  /// The error of reading and decoding data; `nil` if that gives an image.
  func error(_ data: Data, limits: CodecLimits = CodecLimits()) -> CodecError? { Reader.error(data, limits: limits) }
}

/// Expects that data was refused as malformed, for a reason that contains some words.
func expectMalformed(
  _ error: CodecError?, _ format: ImageFormat, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
  guard case .malformed(format, let reason, _) = error else {
    Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
    return
  }
  for word in words { #expect(reason.contains(word), sourceLocation: sourceLocation) }
}

/// Counts calls, to answer one of them otherwise than the rest.
final class CallCounter: Sendable {
  private let calls = Lock(0)
  var count: Int { calls.withLock { $0 } }

  /// The number of this call, from 1 on.
  func next() -> Int {
    calls.withLock { calls in
      calls += 1
      return calls
    }
  }
}

/// A small generator of numbers that are the same everywhere (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
