import Foundation
import Nuke
import NukeTesting

extension FakeDataLoader.Answer {
  /// Data in as many parts as there are gates. Each part comes once its gate is open.
  ///
  /// - Parameter cuts: where each part but the last ends.
  static func parts(of data: Data, cutAt cuts: [Int], heldBy gates: [Gate]) -> Self {
    let (starts, ends) = ([0] + cuts, cuts + [data.count])
    let steps = gates.indices.flatMap { index -> [Step] in
      [.wait(gates[index]), .chunk(data.dropFirst(starts[index]).prefix(ends[index] - starts[index]))]
    }
    return Self(steps + [.complete(nil)])
  }
}

extension ImagePipeline.Configuration {
  /// Decodes a preview of every part of a download.
  mutating func decodeEveryPart() {
    isProgressiveDecodingEnabled = true
    progressiveDecodingInterval = 0
  }
}
