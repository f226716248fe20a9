import Foundation
import FoundationNetworking
import Nuke
import NukeHTTPCaching

/// A source's bytes and what is known of them.
struct SourceFile: Sendable {
  let data: Data
  let mark: SourceMark
  /// When it was changed, where its server says so, in seconds since 1970.
  let lastModified: Int?
  /// Nil where nobody may keep what is made of it.
  let freshness: RenditionFreshness?

  init(_ data: Data, _ response: URLResponse?, url: URL, askedAt: Timestamp, now: Timestamp, rules: FreshnessRules) {
    self.data = data
    mark = SourceMark(data)
    freshness = rules.freshness(of: response, url: url, askedAt: askedAt, now: now)
    lastModified = response.flatMap { response in
      ResponseFacts(ResponseHead(response, url: url).fields, requestTime: askedAt, responseTime: now).lastModified
    }
  }
}

/// Tells a source's bytes from others that stand under its URL before or after.
struct SourceMark: Equatable, Sendable {
  let count: Int
  let checksum: UInt64

  init(_ data: Data) { self.init(count: data.count, checksum: Digest.checksum(of: data)) }

  init(count: Int, checksum: UInt64) {
    self.count = count
    self.checksum = checksum
  }
}
