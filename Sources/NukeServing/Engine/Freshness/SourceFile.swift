import Foundation
import Nuke

/// A source's bytes and what is known of them.
struct SourceFile: Sendable {
  let data: Data
  let check: SourceCheck
}

/// Identifies the version of a source.
struct SourceMark: Equatable, Sendable {
  let count: Int
  let checksum: UInt64

  init(_ data: Data) { self.init(count: data.count, checksum: Digest.checksum(of: data)) }

  init(count: Int, checksum: UInt64) {
    self.count = count
    self.checksum = checksum
  }
}
