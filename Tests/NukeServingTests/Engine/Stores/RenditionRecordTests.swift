import Foundation
import Nuke
import NukeHTTPCaching
import Testing

@testable import NukeServing

@Suite("The encoding of a rendition")
struct RenditionRecordTests {
  static let key = RenditionKey(ServiceFixture.request())
  static let record = RenditionRecord(
    Rendition(
      data: Data([1, 2, 3, 4, 5]), contentType: "image/webp", entityTag: "\"abc\"", lastModified: 1_600_000_000),
    freshness: RenditionFreshness(
      checkedAt: Timestamp(milliseconds: 1_700_000_000_001), freshUntil: Timestamp(milliseconds: 1_700_000_060_002),
      revalidateAt: Timestamp(milliseconds: 1_700_000_070_003), staleWhileRevalidate: 30, staleIfError: 600),
    source: SourceVersion(count: 77, checksum: 0xFEDC_BA98_7654_3210), sourceFields: sourceFields)
  private static let sourceFields: SourceFields = {
    var fields = SourceFields()
    fields.entityTag = "\"v1\""
    fields.cacheControl = "max-age=60"
    return fields
  }()

  @Test("A rendition is decoded as it was encoded")
  func roundTrip() throws {
    let decoded = try #require(RenditionRecord(encoded: Self.record.encoded(for: Self.key), for: Self.key))
    #expect(decoded.rendition.data == Data([1, 2, 3, 4, 5]))
    #expect(decoded.rendition.data.startIndex == 0)
    #expect(decoded.rendition.contentType == "image/webp")
    #expect(decoded.rendition.entityTag == "\"abc\"")
    #expect(decoded.rendition.lastModified == 1_600_000_000)
    #expect(decoded.rendition.freshUntil == 1_700_000_060)
    #expect(decoded.freshness == Self.record.freshness)
    #expect(decoded.source == Self.record.source)
    #expect(decoded.sourceFields == Self.sourceFields)
    #expect(decoded.rendition.sourceByteCount == 77 && decoded.rendition.sizes == nil)
  }

  @Test("Sizes and cacheability are decoded as they were encoded", arguments: Rendition.Cacheability.allCases)
  func sizes(cacheability: Rendition.Cacheability) throws {
    let sizes = RenditionSizes(sourceWidth: 4000, sourceHeight: 3000, width: 400, height: 300)
    for sizes in [nil, sizes] {
      var (rendition, freshness) = (Self.record.rendition, Self.record.freshness)
      (rendition.sizes, freshness.cacheability) = (sizes, cacheability)
      let record = RenditionRecord(rendition, freshness: freshness, source: Self.record.source)
      let decoded = try #require(RenditionRecord(encoded: record.encoded(for: Self.key), for: Self.key))
      #expect(decoded.rendition.sizes == sizes)
      #expect(decoded.freshness.cacheability == cacheability && decoded.rendition.cacheability == cacheability)
    }
  }

  @Test("The last purge and the failure of a source are decoded as they were encoded", arguments: [true, false])
  func marks(isPurged: Bool) throws {
    for kind in SharedFailure.Kind.allCases {
      let failure = SharedFailure(kind: kind, until: Timestamp(milliseconds: 1_700_000_003_004))
      for (record, isEmpty) in [(Self.record.failing(failure), false), (.failed(failure), true)] {
        var record = record
        if isPurged { record.purge = PurgeID(.max) }
        let decoded = try #require(RenditionRecord(encoded: record.encoded(for: Self.key), for: Self.key))
        #expect(decoded.failure == failure && decoded.hasOnlyFailure == isEmpty)
        #expect(decoded.purge == (isPurged ? PurgeID(.max) : nil))
        #expect(decoded.freshness == record.freshness && decoded.rendition.data == record.rendition.data)
      }
    }
  }

  @Test("The record of a failure is small, and contains no response of the source")
  func failureSize() {
    let failure = SharedFailure(kind: .failed, until: Timestamp(milliseconds: 1_700_000_003_004))
    let encoded = RenditionRecord.failed(failure).encoded(for: Self.key)
    #expect(encoded.count <= 256 + Self.key.text.utf8.count)
  }

  @Test("Entries of the version without source fields can be read")
  func earlier() throws {
    let record = RenditionRecord(
      Self.record.rendition, freshness: Self.record.freshness, source: Self.record.source)
    var encoded = record.encoded(for: Self.key)
    // The lengths of the four fields, which are empty, stand before the file.
    encoded.removeSubrange((encoded.count - 5 - 16)..<(encoded.count - 5))
    encoded.withUnsafeMutableBytes { bytes in
      let count = bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
      bytes.storeBytes(of: count - 16, toByteOffset: 12, as: UInt32.self)
    }
    let checksum = Digest.checksum(of: encoded[12...])
    encoded.withUnsafeMutableBytes { $0.storeBytes(of: checksum, toByteOffset: 4, as: UInt64.self) }
    let decoded = try #require(RenditionRecord(encoded: encoded, for: Self.key))
    #expect(decoded.freshness == Self.record.freshness)
    #expect(decoded.sourceFields == SourceFields())
  }

  @Test("A rendition is decoded from a slice, without a date, and with empty data")
  func slices() throws {
    let record = RenditionRecord(
      Rendition(data: Data(), contentType: "", entityTag: "\"\""), freshness: Self.record.freshness,
      source: Self.record.source)
    let encoded = (Data([9, 9, 9]) + record.encoded(for: Self.key)).dropFirst(3)
    let decoded = try #require(RenditionRecord(encoded: encoded, for: Self.key))
    #expect(decoded.rendition.data.isEmpty)
    #expect(decoded.rendition.lastModified == nil)
  }

  @Test("A truncated or extended entry is a miss")
  func cut() {
    let encoded = Self.record.encoded(for: Self.key)
    for count in 0..<encoded.count {
      #expect(RenditionRecord(encoded: encoded.prefix(count), for: Self.key) == nil)
    }
    #expect(RenditionRecord(encoded: encoded + [0], for: Self.key) == nil)
  }

  @Test("An entry with any flipped bit is a miss")
  func damaged() {
    let encoded = Self.record.encoded(for: Self.key)
    for index in encoded.indices {
      for bit in 0..<8 {
        var damaged = encoded
        damaged[index] ^= 1 << UInt8(bit)
        #expect(RenditionRecord(encoded: damaged, for: Self.key) == nil)
      }
    }
  }

  @Test("An entry under another key is a miss")
  func otherKey() {
    let other = RenditionKey(ServiceFixture.request(width: 101))
    #expect(RenditionRecord(encoded: Self.record.encoded(for: Self.key), for: other) == nil)
  }
}
