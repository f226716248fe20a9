import Foundation
import NukeHTTPCaching
import Testing

@testable import Nuke

@Suite("What is kept of an original's freshness")
struct FreshnessRecordTests {
  private func record(at seconds: Int = 1000, tag: String = "\"a\"") -> FreshnessRecord {
    let time = Timestamp(seconds: seconds)
    return FreshnessRecord(
      StoredResponse(
        key: "http://pictures.test/a", status: 200, fields: ["ETag": tag, "Cache-Control": "max-age=60"],
        requestTime: time, responseTime: time, content: .whole(length: 3)))
  }

  @Test("comes back from its bytes as it was")
  func coding() throws {
    let record = record()
    let renewed = record.renewed(self.record(at: 2000, tag: "W/\"a\"").response)
    for record in [record, renewed] {
      #expect(FreshnessRecord(attributes: try #require(record.attributes)) == record)
    }
    // Also where the server now spells its validator in another way, it is the same version.
    #expect(renewed.representation == record.representation)
  }

  @Test("is nothing where its bytes are damaged, cut off, or somebody else's")
  func damage() throws {
    let bytes = try #require(record().attributes)
    for count in 0..<bytes.count { #expect(FreshnessRecord(attributes: Array(bytes.prefix(count))) == nil) }
    for index in bytes.indices where !(4..<12).contains(index) {
      var damaged = bytes
      damaged[index] ^= 0x20
      #expect(FreshnessRecord(attributes: damaged) == nil)
    }
  }

  @Test("names a version by a stamp that nothing else is taken for")
  func stamp() {
    for representation in [0, 1, UInt64.max, 0x0102_0304_0506_0708] {
      let bytes = FreshnessStamp.attributes(of: representation)
      #expect(FreshnessStamp.representation(in: bytes) == representation)
      #expect(FreshnessStamp.representation(in: bytes + [0]) == nil)
      #expect(FreshnessStamp.representation(in: Array(bytes.dropLast())) == nil)
    }
    #expect(FreshnessStamp.representation(in: [UInt8](repeating: 0, count: 12)) == nil)
  }

  @Test("is the newest of those that are known")
  func merging() {
    let row = FreshnessTable().row(for: "a")
    let (old, new) = (record(at: 1000), record(at: 2000, tag: "\"b\""))
    #expect(row.merge(nil) == nil)
    #expect(row.merge(new) == new)
    #expect(row.merge(old) == new)
    #expect(row.record == new)
  }

  @Test("is one for each original, and goes with the last who holds it")
  func rows() {
    let table = FreshnessTable()
    let held = table.row(for: "held")
    held.set(record())
    #expect(table.row(for: "held") === held)
    for index in 0..<1000 { _ = table.row(for: "\(index)") }
    #expect(table.count <= 64)
    #expect(table.row(for: "held").record == record())
    #expect(table.row(for: "0").record == nil)
    #expect(held.isOf(table))
    #expect(!held.isOf(FreshnessTable()))
  }

  @Test("of a table that is gone is none of the next one's, which may have its place in memory")
  func nextTable() {
    for _ in 0..<100 {
      let row = FreshnessTable().row(for: "a")
      #expect(!row.isOf(FreshnessTable()))
    }
  }
}
