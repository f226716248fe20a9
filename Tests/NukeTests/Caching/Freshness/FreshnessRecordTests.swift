import Foundation
import NukeHTTPCaching
import Testing

@testable import Nuke

@Suite("Freshness records")
struct FreshnessRecordTests {
  private func record(at seconds: Int = 1000, tag: String = "\"a\"") -> FreshnessRecord {
    let time = Timestamp(seconds: seconds)
    return FreshnessRecord(
      StoredResponse(
        key: "http://pictures.test/a", status: 200, fields: ["ETag": tag, "Cache-Control": "max-age=60"],
        requestTime: time, responseTime: time, content: .whole(length: 3)))
  }

  @Test("A record is decoded as it was encoded")
  func coding() throws {
    let record = record()
    let renewed = record.renewed(self.record(at: 2000, tag: "W/\"a\"").response)
    for record in [record, renewed] {
      #expect(FreshnessRecord(attributes: try #require(record.attributes)) == record)
    }
    // Also where the server now spells its validator in another way, it is the same version.
    #expect(renewed.representation == record.representation)
  }

  @Test("Damaged, truncated or foreign attributes are not a record")
  func damage() throws {
    let bytes = try #require(record().attributes)
    for count in 0..<bytes.count { #expect(FreshnessRecord(attributes: Array(bytes.prefix(count))) == nil) }
    for index in bytes.indices where !(4..<12).contains(index) {
      var damaged = bytes
      damaged[index] ^= 0x20
      #expect(FreshnessRecord(attributes: damaged) == nil)
    }
  }

  @Test("A stamp identifies a version, and other bytes are not a stamp")
  func stamp() {
    for representation in [0, 1, UInt64.max, 0x0102_0304_0506_0708] {
      let bytes = FreshnessStamp.attributes(of: representation)
      #expect(FreshnessStamp.representation(in: bytes) == representation)
      #expect(FreshnessStamp.representation(in: bytes + [0]) == nil)
      #expect(FreshnessStamp.representation(in: Array(bytes.dropLast())) == nil)
    }
    #expect(FreshnessStamp.representation(in: [UInt8](repeating: 0, count: 12)) == nil)
  }

  @Test("Merging keeps the newest record")
  func merging() {
    let row = FreshnessTable().row(for: "a")
    let (old, new) = (record(at: 1000), record(at: 2000, tag: "\"b\""))
    #expect(row.merge(nil) == nil)
    #expect(row.merge(new) == new)
    #expect(row.merge(old) == new)
    #expect(row.record == new)
  }

  @Test("There is one row for each original, and it is released with its last holder")
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

  @Test("A row of a released table does not belong to the next table at the same address")
  func nextTable() {
    for _ in 0..<100 {
      let row = FreshnessTable().row(for: "a")
      #expect(!row.isOf(FreshnessTable()))
    }
  }
}
