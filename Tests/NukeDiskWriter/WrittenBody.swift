package import Foundation

/// Bodies that say themselves what they are, so that whoever reads one knows whether it is whole.
package enum WrittenBody {
  package static func make(key: Int, version: Int, length: Int) -> Data {
    var body = Data("\(key) \(version) \(length)\n".utf8)
    var state = UInt64(key) &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(version)
    while body.count < length {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      withUnsafeBytes(of: state) { body.append(contentsOf: $0) }
    }
    return body
  }

  /// The version of a body of `key`; `nil` if it is not one that was written for it.
  package static func version(of body: Data, key: Int) -> Int? {
    guard let line = body.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first else { return nil }
    let numbers = String(decoding: line, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 3, numbers[0] == key, make(key: key, version: numbers[1], length: numbers[2]) == body else {
      return nil
    }
    return numbers[1]
  }
}
