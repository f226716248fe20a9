/// Writes DEFLATE streams (RFC 1951) that no program would, but any may: blocks of every kind and length in turn, with
/// codes that are complete and otherwise drawn by lot, and matches where there happen to be some.
struct RandomDeflate {
  private var random: SplitMix64
  private var bits: UInt64 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  /// A zlib stream (RFC 1950) of these bytes.
  mutating func stream(of bytes: [UInt8]) -> [UInt8] {
    output = [0x78, 0x9C]
    var start = 0
    repeat {
      let count = min(
        bytes.count - start, Int.random(in: 0...[10, 300, 20_000].randomElement(using: &random)!, using: &random))
      let isLast = start + count == bytes.count
      write(isLast ? 1 : 0, 1)
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where count < 65_536: store(bytes[start..<start + count])
      case 1: compress(tokens(bytes, start..<start + count), isFixed: true)
      default: compress(tokens(bytes, start..<start + count), isFixed: false)
      }
      start += count
      if isLast { break }
    } while true
    alignToByte()
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return output + [UInt8(b >> 8), UInt8(b & 255), UInt8(a >> 8), UInt8(a & 255)]
  }

  // MARK: - Bits

  private mutating func write(_ value: Int, _ count: Int) {
    bits |= UInt64(value) << bitCount
    bitCount += count
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  private mutating func alignToByte() {
    if bitCount > 0 { write(0, 8 - bitCount) }
  }

  private mutating func store(_ bytes: ArraySlice<UInt8>) {
    write(0, 2)
    alignToByte()
    write(bytes.count, 16)
    write(bytes.count ^ 0xFFFF, 16)
    output += bytes
  }

  // MARK: - Matches

  private enum Token {
    case literal(UInt8)
    case match(length: Int, distance: Int)
  }

  private mutating func tokens(_ bytes: [UInt8], _ range: Range<Int>) -> [Token] {
    var tokens: [Token] = []
    var index = range.lowerBound
    while index < range.upperBound {
      if index > 0, Bool.random(using: &random) {
        // Near ones are the usual ones, and those that overlap what they write.
        let reach = min(index, [4, 300, 32_768].randomElement(using: &random)!)
        let distance = Int.random(in: 1...reach, using: &random)
        let limit = min(258, range.upperBound - index)
        var length = 0
        while length < limit, bytes[index + length] == bytes[index + length - distance] { length += 1 }
        if length >= 3 {
          tokens.append(.match(length: length, distance: distance))
          index += length
          continue
        }
      }
      tokens.append(.literal(bytes[index]))
      index += 1
    }
    return tokens
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12_289, 16_385, 24_577,
  ]

  /// The symbol of a value, with its extra bits.
  private static func symbol(_ value: Int, _ bases: [Int]) -> (symbol: Int, extra: Int, bits: Int) {
    let symbol = bases.lastIndex { $0 <= value }!
    let isLengths = bases.count == 29
    let bits = isLengths ? (symbol < 8 || symbol == 28 ? 0 : symbol / 4 - 1) : (symbol < 4 ? 0 : symbol / 2 - 1)
    return (symbol, value - bases[symbol], bits)
  }

  // MARK: - Codes

  private mutating func compress(_ tokens: [Token], isFixed: Bool) {
    var literals: Set<Int> = [256]
    var distances: Set<Int> = []
    for token in tokens {
      switch token {
      case .literal(let byte): literals.insert(Int(byte))
      case .match(let length, let distance):
        literals.insert(257 + Self.symbol(length, Self.lengthBases).symbol)
        distances.insert(Self.symbol(distance, Self.distanceBases).symbol)
      }
    }
    let literalCode: Code
    let distanceCode: Code
    if isFixed {
      write(1, 2)
      literalCode = Code(lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
      distanceCode = Code(lengths: [Int](repeating: 5, count: 32))
    } else {
      write(2, 2)
      // Some that are not used.
      for _ in 0..<Int.random(in: 0...20, using: &random) { literals.insert(Int.random(in: 0..<286, using: &random)) }
      literalCode = Code(lengths: randomLengths(of: literals, count: 286, limit: 15))
      distanceCode = Code(lengths: randomLengths(of: distances, count: 30, limit: 15))
      writeCodes(literalCode.lengths, distanceCode.lengths)
    }
    for token in tokens {
      switch token {
      case .literal(let byte): write(literalCode.codes[Int(byte)], literalCode.lengths[Int(byte)])
      case .match(let length, let distance):
        let (symbol, extra, bits) = Self.symbol(length, Self.lengthBases)
        write(literalCode.codes[257 + symbol], literalCode.lengths[257 + symbol])
        write(extra, bits)
        let far = Self.symbol(distance, Self.distanceBases)
        write(distanceCode.codes[far.symbol], distanceCode.lengths[far.symbol])
        write(far.extra, far.bits)
      }
    }
    write(literalCode.codes[256], literalCode.lengths[256])
  }

  /// Lengths of a complete code: the leaves of a tree that grew by lot.
  private mutating func randomLengths(of symbols: Set<Int>, count: Int, limit: Int) -> [Int] {
    var lengths = [Int](repeating: 0, count: count)
    guard symbols.count > 1 else {
      for symbol in symbols { lengths[symbol] = 1 }
      return lengths
    }
    var leaves = [1, 1]
    let prefersDeep = Bool.random(using: &random)
    while leaves.count < symbols.count {
      let candidates = leaves.indices.filter { leaves[$0] < limit }
      let index =
        prefersDeep && Int.random(in: 0..<4, using: &random) > 0
        ? candidates.max { leaves[$0] < leaves[$1] }! : candidates.randomElement(using: &random)!
      leaves[index] += 1
      leaves.append(leaves[index])
    }
    for (symbol, length) in zip(symbols.sorted(), leaves.shuffled(using: &random)) { lengths[symbol] = length }
    return lengths
  }

  private mutating func writeCodes(_ literals: [Int], _ distances: [Int]) {
    let literalCount = max(257, literals.lastIndex { $0 > 0 }! + 1)
    let distanceCount = max(1, (distances.lastIndex { $0 > 0 } ?? 0) + 1)
    let lengths = Array(literals[..<literalCount] + distances[..<distanceCount])
    // What a run is written as: the symbol, how many extra bits follow, and their value.
    var runs: [(symbol: Int, bits: Int, extra: Int)] = []
    var index = 0
    while index < lengths.count {
      let run = lengths[index...].prefix { $0 == lengths[index] }.count
      if lengths[index] == 0, run >= 3, Bool.random(using: &random) {
        let count = Int.random(in: 3...min(run, 138), using: &random)
        runs.append(count <= 10 ? (17, 3, count - 3) : (18, 7, count - 11))
        index += count
      } else if index > 0, lengths[index] == lengths[index - 1], run >= 3, Bool.random(using: &random) {
        let count = Int.random(in: 3...min(run, 6), using: &random)
        runs.append((16, 2, count - 3))
        index += count
      } else {
        runs.append((lengths[index], 0, 0))
        index += 1
      }
    }
    var used = Set(runs.map(\.symbol))
    // This code has to be complete, also where there is one symbol only.
    if used.count == 1 { used.insert(used.contains(0) ? 1 : 0) }
    let code = Code(lengths: randomLengths(of: used, count: 19, limit: 7))
    let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    let written = max(4, order.lastIndex { code.lengths[$0] > 0 }! + 1)
    write(literalCount - 257, 5)
    write(distanceCount - 1, 5)
    write(written - 4, 4)
    for symbol in order[..<written] { write(code.lengths[symbol], 3) }
    for run in runs {
      write(code.codes[run.symbol], code.lengths[run.symbol])
      write(run.extra, run.bits)
    }
  }

  /// The codes that go with lengths (3.2.2), the first bit lowest.
  private struct Code {
    let lengths: [Int]
    let codes: [Int]

    init(lengths: [Int]) {
      self.lengths = lengths
      var codes = [Int](repeating: 0, count: lengths.count)
      var code = 0
      for length in 1...15 {
        code <<= 1
        for symbol in lengths.indices where lengths[symbol] == length {
          codes[symbol] = (0..<length).reduce(0) { $0 << 1 | code >> $1 & 1 }
          code += 1
        }
      }
      self.codes = codes
    }
  }
}
