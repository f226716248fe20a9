/// SHA-256 (FIPS 180-4) and HMAC (RFC 2104), to check signatures with.
enum SHA256 {
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    var bytes = message + [0x80]
    bytes += [UInt8](repeating: 0, count: (119 - message.count % 64) % 64)
    bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
    for start in stride(from: 0, to: bytes.count, by: 64) { add(bytes[start..<(start + 64)], to: &state) }
    return state.flatMap { word in (0..<4).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  }

  static func hmac(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    let key = key.count > 64 ? hash(key) : key
    let block = key + [UInt8](repeating: 0, count: 64 - key.count)
    return hash(block.map { $0 ^ 0x5c } + hash(block.map { $0 ^ 0x36 } + message))
  }

  private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[index + $1]) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var v = state
    for index in 0..<64 {
      let choice = v[4] & v[5] ^ ~v[4] & v[6]
      let sum = rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)
      let first = v[7] &+ sum &+ choice &+ constants[index] &+ words[index]
      let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
      let second = (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)) &+ majority
      v = [first &+ second, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for index in state.indices { state[index] &+= v[index] }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  /// The first bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = {
    var constants: [UInt32] = []
    var candidate: UInt64 = 2
    while constants.count < 64 {
      if !(2..<candidate).contains(where: { $0 * $0 <= candidate && candidate % $0 == 0 }) {
        constants.append(UInt32(truncatingIfNeeded: root(candidate)))
      }
      candidate += 1
    }
    return constants
  }()

  /// The cube root times 2^32, rounded down.
  private static func root(_ number: UInt64) -> UInt64 {
    var low: UInt64 = 0
    var high: UInt64 = 8 << 32
    while low + 1 < high {
      let middle = (low + high) / 2
      // middle³ ≤ number · 2^96, in 192 bits.
      let square = middle.multipliedFullWidth(by: middle)
      let lower = square.low.multipliedFullWidth(by: middle)
      let upper = square.high.multipliedFullWidth(by: middle)
      let (sum, carries) = upper.low.addingReportingOverflow(lower.high)
      let isLess = upper.high == 0 && !carries && (sum >> 32 < number || sum == number << 32 && lower.low == 0)
      if isLess { low = middle } else { high = middle }
    }
    return low
  }
}
