import CNukeJPEGSamples
import Foundation

/// A JPEG that libjpeg-turbo wrote, of a kind drawn by lot.
struct JPEGDraw: CustomStringConvertible {
  let sample: JPEGSample
  let data: Data

  init(_ sample: JPEGSample) {
    self.sample = sample
    var sample = sample
    var count = 0
    let file = jpeg_sample_make(&sample, &count)
    data = Data(UnsafeRawBufferPointer(start: file, count: count))
    free(file)
  }

  init(isProgressive: Bool, _ random: inout SplitMix64) {
    var sample = JPEGSample()
    // Mostly some MCUs in both directions, now and then less than one.
    sample.width = random.next() % 8 == 0 ? .random(in: 1...4, using: &random) : .random(in: 1...140, using: &random)
    sample.height = random.next() % 8 == 0 ? .random(in: 1...4, using: &random) : .random(in: 1...100, using: &random)
    sample.gray = random.next() % 5 == 0
    sample.across = .random(in: 1...2, using: &random)
    sample.down = .random(in: 1...2, using: &random)
    sample.quality = .random(in: 1...100, using: &random)
    sample.optimized = Bool.random(using: &random)
    sample.progressive = isProgressive
    sample.restart_interval = Bool.random(using: &random) ? 0 : .random(in: 1...30, using: &random)
    sample.content = .random(in: 0..<UInt32(jpeg_sample_contents), using: &random)
    sample.seed = random.next()
    self.init(sample)
  }

  var description: String {
    let kind = "\(sample.gray ? "gray" : "\(sample.across)x\(sample.down)")\(sample.progressive ? " progressive" : "")"
    return "\(sample.width)x\(sample.height) \(kind) quality \(sample.quality) restart \(sample.restart_interval)"
      + " content \(sample.content) seed \(sample.seed)"
  }

  /// The file with one to four bytes changed or missing.
  func damaged(_ random: inout SplitMix64) -> Data {
    var bytes = Array(data)
    for _ in 0..<Int.random(in: 1...4, using: &random) where bytes.count > 1 {
      // Half of the changes hit the second half, where nothing but coefficients stands.
      let start = Bool.random(using: &random) ? 0 : bytes.count / 2
      let position = Int.random(in: start..<bytes.count, using: &random)
      switch random.next() % 6 {
      case 0: bytes[position] ^= 1 << UInt8(random.next() % 8)
      case 1: bytes[position] = UInt8(truncatingIfNeeded: random.next())
      case 2: bytes[position] = 0xFF
      case 3: bytes[position] = 0
      case 4: bytes.remove(at: position)
      default: bytes.removeSubrange(max(position, bytes.count / 2)...)
      }
    }
    return Data(bytes)
  }
}
