package import Foundation

/// Bytes in which a lost or doubled chunk cannot hide; they repeat after a number that divides no chunk's size.
package func noise(_ count: Int) -> Data {
  var data = Data(capacity: count)
  while data.count < count { data.append(noiseBlock.prefix(count - data.count)) }
  return data
}

private let noiseBlock: Data = {
  var value: UInt64 = 0x9E37_79B9_7F4A_7C15
  return Data(
    (0..<100_003).map { _ in
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: value >> 56)
    })
}()
