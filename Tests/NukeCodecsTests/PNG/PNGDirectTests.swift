import CNukeCodecs
import Foundation
import Testing

/// The two ways of decoding must not differ in anything.
@Suite("Our own PNG decoder")
struct PNGDirectTests {
  /// Runs in the suite; `NUKE_PNG_PICTURES=20000` for more.
  private static let images = ProcessInfo.processInfo.environment["NUKE_PNG_PICTURES"].flatMap { Int($0) } ?? 150

  private struct Outcome: Equatable {
    var status: UInt32
    var offset: Int
    var words: String
    /// Empty where there is an error.
    var pixels: [UInt8]
  }

  private func size(_ data: Data) -> (width: UInt32, height: UInt32) {
    let fields = [UInt8](data[data.startIndex + 16..<data.startIndex + 24]).map(UInt32.init)
    return (
      fields[0] << 24 | fields[1] << 16 | fields[2] << 8 | fields[3],
      fields[4] << 24 | fields[5] << 16 | fields[6] << 8 | fields[7]
    )
  }

  private func decode(
    _ data: Data,
    _ body: (UnsafePointer<UInt8>?, Int, UInt32, UInt32, UnsafeMutablePointer<UInt8>?) -> nuke_png_result
  ) -> Outcome {
    let (width, height) = size(data)
    var pixels = [UInt8](repeating: 0xEE, count: Int(width) * Int(height) * 4)
    // In memory of its own length, so that a sanitizer sees a read behind it.
    let result = [UInt8](data).withUnsafeBufferPointer { bytes in
      pixels.withUnsafeMutableBufferPointer { body(bytes.baseAddress, bytes.count, width, height, $0.baseAddress) }
    }
    var message = result.message
    let words = withUnsafeBytes(of: &message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return Outcome(
      status: UInt32(result.status.rawValue), offset: result.offset, words: words,
      pixels: result.status == NUKE_PNG_OK ? pixels : [])
  }

  private func decoded(_ data: Data) -> Outcome {
    decode(data) { nuke_png_decode($0, $1, $2, $3, $4, nil, nil) }
  }

  private func decodedByLibpng(_ data: Data) -> Outcome {
    decode(data) { nuke_png_decode_by_libpng($0, $1, $2, $3, $4, nil, nil) }
  }

  private func isDirect(_ data: Data) -> Bool {
    var status = NUKE_PNG_DIRECT_UNUSUAL
    _ = decode(data) { bytes, count, width, height, pixels in
      var offset = 0
      status = nuke_png_decode_direct(bytes, count, width, height, pixels, nil, nil, &offset)
      return nuke_png_result()
    }
    return status == NUKE_PNG_DIRECT_OK
  }

  /// What reading gives apart from how far libpng looked behind the last row.
  private func isAlike(_ one: Outcome, _ other: Outcome) -> Bool {
    one.status == other.status && one.words == other.words && one.pixels == other.pixels
      && (one.status == NUKE_PNG_OK.rawValue || one.offset == other.offset)
  }

  @Test("It decodes every fixture to libpng's pixels", arguments: PNGFixture.all)
  func fixtures(_ fixture: PNGFixture) throws {
    let data = try fixture.data()
    let areAlike = isAlike(decoded(data), decodedByLibpng(data))
    #expect(areAlike)
  }

  @Test("It decodes common images, and libpng decodes the others", arguments: PNGFixture.all)
  func kinds(_ fixture: PNGFixture) throws {
    let data = try fixture.data()
    let isUsual =
      fixture.bits == 8 && !fixture.interlaced && fixture.model != "indexed"
      && ["tRNS", "PLTE"].allSatisfy { data.range(of: Data($0.utf8)) == nil }
    if !isUsual { #expect(!isDirect(data)) }
    if ["rgb8", "rgba8", "gray8", "gray-alpha8", "split-idat"].contains(fixture.name) { #expect(isDirect(data)) }
  }

  /// An image of any size, color type and filters, compressed in any way, in pieces of any length.
  private func noise(_ random: inout SplitMix64, colorType: UInt8) -> Data {
    let channels = [0: 1, 2: 3, 4: 2, 6: 4][colorType]!
    let width = Int.random(in: 1...90, using: &random)
    let height = Int.random(in: 1...90, using: &random)
    let noise = [2, 5, 256].randomElement(using: &random)!
    // Of one filter, so that rows are unfiltered together, or of any.
    let filter = UInt8.random(in: 0...9, using: &random)
    var rows: [UInt8] = []
    for _ in 0..<height {
      rows.append(filter <= 4 ? filter : UInt8.random(in: 0...4, using: &random))
      for _ in 0..<width * channels { rows.append(UInt8(Int.random(in: 0..<noise, using: &random))) }
    }
    var deflate = RandomDeflate(seed: random.next())
    return file(
      &random, width: width, height: height, colorType: colorType, stream: Data(deflate.stream(of: rows)))
  }

  private func file(
    _ random: inout SplitMix64, width: Int, height: Int, colorType: UInt8, stream: Data
  ) -> Data {
    var builder = PNGBuilder()
    builder.addHeader(width: UInt32(width), height: UInt32(height), colorType: colorType)
    builder.add("tEXt", Data("Title\0Any".utf8))
    var rest = stream
    let longest = [1, 20, 5000, 1 << 20].randomElement(using: &random)!
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 0...longest, using: &random))
      builder.add("IDAT", piece)
      rest = rest.dropFirst(piece.count)
    }
    builder.add("IEND")
    return builder.data
  }

  @Test("It decodes images of any color type and size to libpng's pixels", arguments: [0, 2, 4, 6] as [UInt8])
  func generated(_ colorType: UInt8) {
    var random = SplitMix64(state: UInt64(colorType) + 1)
    for index in 0..<Self.images / 4 {
      let data = noise(&random, colorType: colorType)
      #expect(isDirect(data), "picture \(index)")
      let areAlike = isAlike(decoded(data), decodedByLibpng(data))
      #expect(areAlike, "picture \(index)")
    }
  }

  @Test("It decodes rows longer than its buffer, and images of many buffers")
  func large() {
    var random = SplitMix64(state: 9)
    for (width, height) in [(20_000, 9), (1, 70_000), (700, 300)] {
      let row = [UInt8(4)] + (0..<width * 3).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }
      var deflate = RandomDeflate(seed: 3)
      let rows = Array((0..<height).map { _ in row }.joined())
      let stream = Data(deflate.stream(of: rows))
      let data = file(&random, width: width, height: height, colorType: 2, stream: stream)
      #expect(isDirect(data))
      let areAlike = isAlike(decoded(data), decodedByLibpng(data))
      #expect(areAlike, "\(width)x\(height)")
    }
  }

  @Test("An image with one changed byte has libpng's pixels or error message")
  func damaged() {
    var random = SplitMix64(state: 77)
    var (images, errors) = (0, 0)
    for index in 0..<Self.images {
      var data = noise(&random, colorType: [0, 2, 4, 6].randomElement(using: &random)!)
      let position = Int.random(in: 33..<data.count, using: &random)
      data[position] ^= UInt8.random(in: 1...255, using: &random)
      // Half of them with checksums that are right, since nothing behind a wrong one is looked at.
      if index % 2 == 0 { data = withRightChecksums(data) }
      let (outcome, expected) = (decoded(data), decodedByLibpng(data))
      let areAlike = isAlike(outcome, expected)
      #expect(areAlike, "picture \(index), byte \(position)")
      if outcome.pixels.isEmpty { errors += 1 } else { images += 1 }
    }
    #expect(images > 0 && errors > 0)
  }

  @Test("Another chunk ends the image data", arguments: ["IDAX", "tEXt", "IEND", "idat"])
  func interrupted(_ type: String) throws {
    let image = try PNGFixture.named("split-idat").data()
    let second = try #require(image.range(of: Data("IDAT".utf8), in: 60..<image.count)).lowerBound - 4
    var chunk = PNGBuilder()
    chunk.add(type)
    let data = image[..<second] + chunk.data.dropFirst(8) + image[second...]
    #expect(!isDirect(data))
    #expect(decoded(data).words == "Not enough image data")
  }

  private func withRightChecksums(_ data: Data) -> Data {
    var builder = PNGBuilder()
    var rest = data.dropFirst(8)
    while rest.count >= 12 {
      let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard count <= rest.count - 12 else { break }
      let type = rest.dropFirst(4).prefix(4)
      let name = String(decoding: type, as: UTF8.self)
      guard name.utf8.count == 4 else { break }
      builder.add(name, rest.dropFirst(8).prefix(count))
      rest = rest.dropFirst(count + 12)
    }
    return builder.data + rest
  }

  @Test("Rows are reported once, from the top, and decoding stops on request")
  func rows() throws {
    final class Log {
      var rows: [Range<UInt32>] = []
      var stopsAt = UInt32.max
    }
    let data = try PNGFixture.named("rgb8").data()
    let log = Log()
    let report: nuke_png_rows = { context, first, count in
      let log = Unmanaged<Log>.fromOpaque(context!).takeUnretainedValue()
      log.rows.append(first..<first + count)
      return first + count >= log.stopsAt ? 0 : 1
    }
    let context = Unmanaged.passUnretained(log).toOpaque()
    let height = size(data).height
    #expect(decode(data) { nuke_png_decode($0, $1, $2, $3, $4, report, context) }.status == NUKE_PNG_OK.rawValue)
    #expect(log.rows.flatMap { Array($0) } == Array(0..<height))
    log.rows = []
    log.stopsAt = 1
    #expect(decode(data) { nuke_png_decode($0, $1, $2, $3, $4, report, context) }.status == NUKE_PNG_STOPPED.rawValue)
    #expect(log.rows.count == 1)
  }
}
