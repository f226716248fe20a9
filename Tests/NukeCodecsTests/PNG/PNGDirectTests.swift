import CNukeCodecs
import Foundation
import Testing

/// The two ways of decoding must not differ in anything.
@Suite("Our own PNG decoder")
struct PNGDirectTests {
  /// Runs in the suite; `NUKE_PNG_IMAGES=20000` for more.
  private static let images = ProcessInfo.processInfo.environment["NUKE_PNG_IMAGES"].flatMap { Int($0) } ?? 150

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
      status = nuke_png_decode_direct(bytes, count, width, height, pixels, nil, nil, nil, &offset)
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

  @Test("It decodes valid images without libpng", arguments: PNGFixture.all)
  func kinds(_ fixture: PNGFixture) throws {
    let data = try fixture.data()
    // What is damaged, or has bytes behind its end, may be read either way.
    guard !["damaged-gama", "bytes-behind"].contains(fixture.name) else { return }
    #expect(isDirect(data))
  }

  /// How an image is stored.
  private struct Form {
    var colorType: UInt8
    var depth: UInt8 = 8
    var isInterlaced = false

    private static let few: [UInt8] = [1, 2, 4, 8]
    private static let deep: [UInt8] = [8, 16]
    static let all: [Form] = [(0, few + [16]), (2, deep), (3, few), (4, deep), (6, deep)].flatMap { type, depths in
      depths.flatMap { depth in [false, true].map { Form(colorType: type, depth: depth, isInterlaced: $0) } }
    }

    /// Bytes of a row of `width` pixels.
    func byteCount(width: Int) -> Int {
      let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType]!
      return (width * channels * Int(depth) + 7) / 8
    }

    /// The bytes of each row in the order in which rows are stored.
    func rows(width: Int, height: Int) -> [Int] {
      guard isInterlaced else { return Array(repeating: byteCount(width: width), count: height) }
      // PNG specification, 8.2.
      let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
      return passes.flatMap { x, y, dx, dy -> [Int] in
        let columns = stride(from: x, to: width, by: dx).underestimatedCount
        let rows = stride(from: y, to: height, by: dy).underestimatedCount
        return columns == 0 ? [] : Array(repeating: byteCount(width: columns), count: rows)
      }
    }
  }

  /// An image of any size, form and filters, compressed in any way, in pieces of any length.
  private func noise(_ random: inout SplitMix64, _ form: Form) -> Data {
    let width = Int.random(in: 1...90, using: &random)
    let height = Int.random(in: 1...90, using: &random)
    let noise = [2, 5, 256].randomElement(using: &random)!
    // Of one filter, so that rows are unfiltered together, or of any.
    let filter = UInt8.random(in: 0...9, using: &random)
    var rows: [UInt8] = []
    for count in form.rows(width: width, height: height) {
      rows.append(filter <= 4 ? filter : UInt8.random(in: 0...4, using: &random))
      for _ in 0..<count { rows.append(UInt8(Int.random(in: 0..<noise, using: &random))) }
    }
    var deflate = RandomDeflate(seed: random.next())
    return file(&random, width: width, height: height, form, stream: Data(deflate.stream(of: rows)))
  }

  /// A palette, which need not have all entries, and what is transparent.
  private func colors(_ random: inout SplitMix64, _ form: Form) -> [(String, Data)] {
    func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }) }
    let isTransparent = Bool.random(using: &random)
    switch form.colorType {
    case 3:
      let count = Int.random(in: 1...1 << Int(form.depth), using: &random)
      let palette = ("PLTE", bytes(count * 3))
      return isTransparent ? [palette, ("tRNS", bytes(Int.random(in: 1...count, using: &random)))] : [palette]
    // Few values, so that some pixels are.
    case 0 where isTransparent: return [("tRNS", Data([0, UInt8.random(in: 0...1, using: &random)]))]
    case 2 where isTransparent: return [("tRNS", Data([0, 1, 0, 0, 0, 1]))]
    default: return []
    }
  }

  private func file(
    _ random: inout SplitMix64, width: Int, height: Int, _ form: Form, stream: Data
  ) -> Data {
    var builder = PNGBuilder()
    builder.addHeader(
      width: UInt32(width), height: UInt32(height), depth: form.depth, colorType: form.colorType,
      interlace: form.isInterlaced ? 1 : 0)
    builder.add("tEXt", Data("Title\0Any".utf8))
    for (type, content) in colors(&random, form) { builder.add(type, content) }
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

  @Test("It decodes images of any form to libpng's pixels", arguments: Form.all.indices)
  func generated(_ index: Int) {
    var random = SplitMix64(state: UInt64(index) + 1)
    for round in 0..<Self.images / 10 {
      let data = noise(&random, Form.all[index])
      #expect(isDirect(data), "image \(round)")
      let areAlike = isAlike(decoded(data), decodedByLibpng(data))
      #expect(areAlike, "image \(round)")
    }
  }

  @Test("It decodes rows longer than its buffer, and images of many buffers", arguments: [false, true])
  func large(isInterlaced: Bool) {
    var random = SplitMix64(state: 9)
    for (width, height) in [(20_000, 9), (1, 70_000), (700, 300)] {
      for (colorType, depth) in [(2, 8), (3, 8), (6, 16)] as [(UInt8, UInt8)] {
        let form = Form(colorType: colorType, depth: depth, isInterlaced: isInterlaced)
        let rows = form.rows(width: width, height: height).flatMap { count in
          [UInt8(4)] + (0..<count).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }
        }
        var deflate = RandomDeflate(seed: 3)
        let stream = Data(deflate.stream(of: rows))
        let data = file(&random, width: width, height: height, form, stream: stream)
        #expect(isDirect(data))
        let areAlike = isAlike(decoded(data), decodedByLibpng(data))
        #expect(areAlike, "\(width)x\(height)")
      }
    }
  }

  @Test("An image with one changed byte has libpng's pixels or error message")
  func damaged() {
    var random = SplitMix64(state: 77)
    var (images, errors) = (0, 0)
    for index in 0..<Self.images {
      var data = noise(&random, Form.all.randomElement(using: &random)!)
      let position = Int.random(in: 33..<data.count, using: &random)
      data[position] ^= UInt8.random(in: 1...255, using: &random)
      // Half of them with checksums that are right, since nothing behind a wrong one is looked at.
      if index % 2 == 0 { data = withRightChecksums(data) }
      let (outcome, expected) = (decoded(data), decodedByLibpng(data))
      let areAlike = isAlike(outcome, expected)
      #expect(areAlike, "image \(index), byte \(position)")
      if outcome.pixels.isEmpty { errors += 1 } else { images += 1 }
    }
    #expect(images > 0 && errors > 0)
  }

  @Test("It leaves contradictory color chunks to libpng")
  func oddColors() {
    var random = SplitMix64(state: 5)
    let palette = ("PLTE", Data(0..<12))
    let cases: [(UInt8, UInt8, [(String, Data)])] = [
      (3, 8, []), (3, 8, [("PLTE", Data())]), (3, 8, [("PLTE", Data(0..<11))]), (3, 1, [palette]),
      (3, 8, [palette, palette]), (3, 8, [("tRNS", Data([1])), palette]), (3, 8, [palette, ("tRNS", Data(0..<5))]),
      (3, 8, [palette, ("tRNS", Data())]), (3, 8, [palette, ("tRNS", Data([9])), ("tRNS", Data([0]))]),
      (0, 8, [("tRNS", Data([0]))]), (0, 8, [palette]), (2, 8, [("tRNS", Data([0, 1]))]), (2, 8, [palette]),
      (0, 16, [("tRNS", Data([0]))]), (2, 16, [("tRNS", Data([0, 1]))]), (4, 16, [("tRNS", Data([0, 1]))]),
      (4, 8, [("tRNS", Data([0, 1]))]), (6, 8, [("tRNS", Data([0, 1, 0, 1, 0, 1]))]),
    ]
    for (colorType, depth, chunks) in cases {
      let form = Form(colorType: colorType, depth: depth)
      let rows = form.rows(width: 5, height: 4).flatMap { [0] + [UInt8](repeating: 1, count: $0) }
      var deflate = RandomDeflate(seed: random.next())
      var builder = PNGBuilder()
      builder.addHeader(width: 5, height: 4, depth: depth, colorType: colorType)
      for (type, content) in chunks { builder.add(type, content) }
      builder.add("IDAT", Data(deflate.stream(of: rows)))
      builder.add("IEND")
      #expect(!isDirect(builder.data), "\(colorType), \(chunks)")
      let areAlike = isAlike(decoded(builder.data), decodedByLibpng(builder.data))
      #expect(areAlike, "\(colorType), \(chunks)")
    }
  }

  @Test("Another chunk ends the image data", arguments: ["IDAX", "tEXt", "IEND", "idat"])
  func interrupted(_ type: String) throws {
    let image = try PNGFixture.named("split-idat").data()
    let second = try #require(image.range(of: Data("IDAT".utf8), in: 60..<image.count)).lowerBound - 4
    var chunk = PNGBuilder()
    chunk.add(type)
    let data = image[..<second] + chunk.data.dropFirst(8) + image[second...]
    #expect(!isDirect(data))
    // The second message is that of libpng 1.6.48 for a name that is not allowed.
    let words = ["Not enough image data", "\(type): bad header (invalid type)"]
    #expect(words.contains(decoded(data).words))
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

  @Test(
    "Rows are reported once, from the top, and decoding stops on request",
    arguments: ["rgb8", "rgb8-interlaced", "indexed2-interlaced", "small-5x1-rgba8"])
  func rows(_ name: String) throws {
    final class Log {
      var rows: [Range<UInt32>] = []
      var stopsAt = UInt32.max
    }
    let data = try PNGFixture.named(name).data()
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
    log.stopsAt = 0
    #expect(decode(data) { nuke_png_decode($0, $1, $2, $3, $4, report, context) }.status == NUKE_PNG_STOPPED.rawValue)
    #expect(log.rows.count == 1)
  }

  @Test("Colors are reported before the rows, and again if libpng starts over with the stored colors")
  func changedColors() throws {
    final class Log {
      var events: [String] = []
    }
    let change: nuke_png_colors = { context, colors, count in
      let log = Unmanaged<Log>.fromOpaque(context!).takeUnretainedValue()
      log.events.append(colors == nil ? "none" : "\(count)")
      for index in 0..<Int(count) * 4 { colors?[index] = 7 }
    }
    let report: nuke_png_rows = { context, first, count in
      let log = Unmanaged<Log>.fromOpaque(context!).takeUnretainedValue()
      if log.events.last != "rows" { log.events.append("rows") }
      return 1
    }
    func decoded(_ data: Data) -> (Outcome, [String]) {
      let log = Log()
      let context = Unmanaged.passUnretained(log).toOpaque()
      let outcome = decode(data) { nuke_png_decode_colors($0, $1, $2, $3, $4, change, report, context) }
      return (outcome, log.events)
    }
    let data = try PNGFixture.named("indexed4").data()
    let (outcome, events) = decoded(data)
    #expect(events == ["16", "rows"])
    #expect(outcome.pixels.allSatisfy { $0 == 7 })
    // The checksum of the rows is wrong, which is found once they were told of; libpng finds it with the last of them.
    let checksum = try #require(data.range(of: Data("IEND".utf8))).lowerBound - 4 - 4 - 1
    var damaged = data
    damaged[checksum] ^= 1
    let (second, secondEvents) = decoded(withRightChecksums(damaged))
    #expect(second.status == NUKE_PNG_MALFORMED.rawValue)
    #expect(secondEvents == ["16", "rows", "none"])
    #expect(decoded(try PNGFixture.named("rgb8").data()).1 == ["rows"])
  }
}
