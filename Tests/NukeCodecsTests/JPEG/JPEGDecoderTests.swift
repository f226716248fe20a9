import CNukeCodecs
import CNukeJPEGSamples
import Foundation
import NukeCodecs
import NukeImaging
import Testing

/// Our own decoder beside libjpeg-turbo. `NUKE_JPEGS` says how many files are drawn by lot: 10,000 take
/// ten seconds in release.
@Suite("Our own JPEG decoder")
struct JPEGDecoderTests {
  private static let fileCount = ProcessInfo.processInfo.environment["NUKE_JPEGS"].flatMap { Int($0) } ?? 40
  private static let scales = [1, 2, 4, 8]
  private static let limits = CodecLimits(maximumPixelCount: 1 << 20, maximumSide: 4096)

  @Test("It produces the pixels of libjpeg for every kind of file, at every scale")
  func intact() throws {
    var random = SplitMix64(state: 1)
    for _ in 0..<Self.fileCount {
      let draw = JPEGDraw(isProgressive: Bool.random(using: &random), &random)
      let reader = try JPEGReader(data: draw.data)
      for scale in Self.scales {
        let options = DecodeOptions(scaleDenominator: scale)
        let (own, libjpeg) = (try reader.decode(options, by: .own), try reader.decode(options, by: .libjpeg))
        try #require(own.pixelBytes == libjpeg.pixelBytes, "\(draw) at 1/\(scale)")
        let divided = try reader.decode(options, by: .own, threadCount: 2)
        try #require(divided.pixelBytes == libjpeg.pixelBytes, "\(draw) at 1/\(scale), by two threads")
      }
    }
  }

  @Test("For damaged files, it produces libjpeg's pixels or errors")
  func damaged() throws {
    var random = SplitMix64(state: 2)
    var (images, declined) = (0, 0)
    for _ in 0..<Self.fileCount {
      let draw = JPEGDraw(isProgressive: Bool.random(using: &random), &random)
      let data = draw.damaged(&random)
      guard let reader = try? JPEGReader(data: data, limits: Self.limits) else { continue }
      for scale in Self.scales {
        let own = Outcome { () throws(CodecError) in try reader.decode(.init(scaleDenominator: scale), by: .own) }
        let divided = Outcome { () throws(CodecError) in
          try reader.decode(.init(scaleDenominator: scale), by: .own, threadCount: 2)
        }
        try #require(divided == own, "\(draw) damaged, at 1/\(scale), by two threads: \(divided) in place of \(own)")
        let both = Outcome { () throws(CodecError) in try reader.decode(.init(scaleDenominator: scale)) }
        let libjpeg = Outcome { () throws(CodecError) in
          try reader.decode(.init(scaleDenominator: scale), by: .libjpeg)
        }
        // See the next test.
        if reader.header.isProgressive, scale == 8, case .error = libjpeg { continue }
        try #require(both == libjpeg, "\(draw) damaged, at 1/\(scale): \(both) in place of \(libjpeg)")
        if case .error(.unsupported) = own {
          declined += 1
        } else {
          try #require(own == libjpeg, "\(draw) damaged, at 1/\(scale): \(own) in place of \(libjpeg)")
          images += 1
        }
      }
    }
    #expect(images > 0 && declined > 0)
  }

  @Test("At 1/8, it ignores the detail of a progressive file, even if it is damaged")
  func detailThatDoesNotShow() throws {
    var sample = JPEGSample()
    (sample.width, sample.height, sample.quality, sample.progressive) = (100, 80, 90, true)
    (sample.across, sample.down, sample.seed) = (2, 2, 5)
    let intact = JPEGDraw(sample).data
    var bytes = Array(intact)
    // The last scan refines the brightness. A code of nothing but ones there is none.
    let last = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    for index in 0..<20 { (bytes[last + 60 + index * 2], bytes[last + 61 + index * 2]) = (0xFF, 0) }
    let reader = try JPEGReader(data: Data(bytes))
    let eighth = try reader.decode(.init(scaleDenominator: 8))
    #expect(
      try eighth.pixelBytes
        == JPEGReader(data: intact).decode(.init(scaleDenominator: 8), by: .libjpeg).pixelBytes)
    for scale in [1, 2, 4] {
      #expect(throws: CodecError.self) { try reader.decode(.init(scaleDenominator: scale)) }
    }
    // All of it has to be there nevertheless.
    let cut = try JPEGReader(data: intact.prefix(last + 100))
    #expect(throws: CodecError.truncated(.jpeg, byteCount: last + 100)) { try cut.decode(.init(scaleDenominator: 8)) }
  }

  @Test(
    "It decodes data of many buffers, with and without restart markers", arguments: [0, 1, 5, 64, 1000],
    [false, true])
  func large(restartInterval: Int, isProgressive: Bool) throws {
    var sample = JPEGSample()
    (sample.width, sample.height) = (601, 203)
    (sample.across, sample.down, sample.quality) = (2, 2, 97)
    (sample.restart_interval, sample.progressive, sample.seed) = (UInt32(restartInterval), isProgressive, 3)
    let reader = try JPEGReader(data: JPEGDraw(sample).data)
    for scale in Self.scales {
      let options = DecodeOptions(scaleDenominator: scale)
      let libjpeg = try reader.decode(options, by: .libjpeg).pixelBytes
      #expect(try reader.decode(options, by: .own).pixelBytes == libjpeg)
      #expect(try reader.decode(options, by: .own, threadCount: 2).pixelBytes == libjpeg)
    }
  }

  @Test(
    "A long scan is decoded at two places at the same time, with the same pixels",
    arguments: 0..<UInt32(jpeg_sample_contents))
  func long(content: UInt32) throws {
    var sample = JPEGSample()
    (sample.width, sample.height, sample.quality, sample.content, sample.seed) = (1203, 1001, 93, content, 4)
    let samplings: [(UInt32, UInt32, Bool)] = [(2, 2, false), (2, 1, false), (1, 1, false), (1, 1, true)]
    for (across, down, isGray) in samplings {
      for isOptimized in [false, true] {
        (sample.across, sample.down, sample.gray, sample.optimized) = (across, down, isGray, isOptimized)
        let draw = JPEGDraw(sample)
        let reader = try JPEGReader(data: draw.data)
        for scale in isOptimized ? [8] : [1, 4, 8] {
          let options = DecodeOptions(scaleDenominator: scale)
          let (own, libjpeg) = (try reader.decode(options, by: .own), try reader.decode(options, by: .libjpeg))
          #expect(own.pixelBytes == libjpeg.pixelBytes, "\(draw), 1/\(scale)")
          let divided = try reader.decode(options, by: .own, threadCount: 2)
          #expect(divided.pixelBytes == libjpeg.pixelBytes, "\(draw), 1/\(scale), by two threads")
        }
      }
    }
  }

  @Test("Damage in a long scan is detected, as by libjpeg")
  func longAndDamaged() throws {
    var random = SplitMix64(state: 3)
    var sample = JPEGSample()
    (sample.width, sample.height, sample.quality, sample.across, sample.down) = (803, 601, 90, 2, 2)
    let draw = JPEGDraw(sample)
    try #require(draw.data.count > 100_000)
    for index in 0..<Self.fileCount {
      let options = DecodeOptions(scaleDenominator: index % 2 == 0 ? 8 : 4)
      guard let reader = try? JPEGReader(data: draw.damaged(&random), limits: Self.limits) else { continue }
      let any = Outcome { () throws(CodecError) in try reader.decode(options) }
      let libjpeg = Outcome { () throws(CodecError) in try reader.decode(options, by: .libjpeg) }
      #expect(any == libjpeg)
    }
  }

  @Test(
    "Two threads divide an image in about the middle, and at 1/8 only between restart markers",
    arguments: [1, 2, 4, 8], [0, 5, 64, 1000])
  func divided(scale: Int, restartInterval: Int) throws {
    var sample = JPEGSample()
    (sample.width, sample.height, sample.quality, sample.across, sample.down) = (601, 803, 90, 2, 2)
    (sample.restart_interval, sample.seed) = (UInt32(restartInterval), 6)
    let data = JPEGDraw(sample).data
    let (width, height) = ((601 + scale - 1) / scale, (803 + scale - 1) / scale)
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    var (decoding, outcome) = (nuke_jpeg_decoding(), nuke_jpeg_outcome())
    (decoding.width, decoding.height, decoding.scale_denominator) = (601, 803, UInt32(scale))
    (decoding.memory_limit, decoding.scan_limit, decoding.stride) = (1 << 24, 64, width * 4)
    (decoding.decoder, decoding.thread_count, decoding.waits_for_division) = (NUKE_JPEG_DECODER_OWN, 2, true)
    data.withUnsafeBytes { bytes in
      pixels.withUnsafeMutableBufferPointer { pixels in
        decoding.data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        (decoding.size, decoding.pixels) = (bytes.count, pixels.baseAddress)
        nuke_jpeg_decode(&decoding, &outcome)
      }
    }
    #expect(outcome.status == NUKE_JPEG_OK)
    // 51 rows of MCUs. The calling thread has begun one of them before it waited.
    if scale < 8 || restartInterval > 0 {
      #expect((26...32).contains(outcome.divided_at))
    } else {
      #expect(outcome.divided_at == 0)
    }
  }

  @Test("It decodes the common fixtures, and libjpeg decodes the others")
  func fixtures() throws {
    let usual = ["s444", "s422", "s420", "s440", "gray"]
    for name in usual + usual.map({ "\($0)-progressive" }) + ["optimized", "restart", "fill-bytes", "no-end"] {
      let reader = try JPEGReader(data: JPEGFixture.data(name))
      for scale in Self.scales {
        #expect(throws: Never.self, "\(name)") { try reader.decode(.init(scaleDenominator: scale), by: .own) }
      }
    }
    for name in [
      "odd", "s411", "s410", "s441", "arithmetic", "cmyk", "ycck", "rgb", "rgb-by-identifiers", "three-scans",
    ] {
      let reader = try JPEGReader(data: JPEGFixture.data(name))
      #expect(throws: CodecError.self, "\(name)") { try reader.decode(.init(), by: .own) }
    }
  }

  @Test("It stops on cancellation", arguments: [1, 8], [false, true])
  func cancelled(scale: Int, isProgressive: Bool) throws {
    var sample = JPEGSample()
    (sample.width, sample.height, sample.quality, sample.progressive) = (64, 512, 80, isProgressive)
    (sample.across, sample.down) = (2, 2)
    let reader = try JPEGReader(data: JPEGDraw(sample).data)
    let questions = CallCounter()
    let options = DecodeOptions(scaleDenominator: scale, isCancelled: { questions.next() == 3 })
    #expect(throws: CodecError.cancelled(.jpeg)) { try reader.decode(options, by: .own) }
    #expect(questions.count == 3)
  }
}

/// What came of reading a file.
private enum Outcome: Equatable, CustomStringConvertible {
  case pixels([UInt8])
  case error(CodecError)

  init(_ body: () throws(CodecError) -> Bitmap) {
    do throws(CodecError) {
      self = .pixels(try body().pixelBytes)
    } catch {
      self = .error(error)
    }
  }

  var description: String {
    switch self {
    case .pixels(let bytes): "\(bytes.count) bytes of pixels"
    case .error(let error): "\(error)"
    }
  }
}
