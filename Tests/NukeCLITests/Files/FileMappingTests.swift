import Foundation
import Testing

@testable import NukeCLI

// Serialized, because the number of mappings in the process is limited.
@Suite("Mapped files", .serialized)
struct FileMappingTests {
  private func file(byteCount: Int) throws -> FileHandle {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("nuke-mapping-\(UUID().uuidString)")
    try Data(repeating: 7, count: byteCount).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try FileHandle(forUpdating: url)
  }

  @Test("A mapping has the bytes of the file")
  func bytes() throws {
    let file = try file(byteCount: 100_001)
    let mapping = try #require(FileMapping(file.fileDescriptor, byteCount: 100_001))
    #expect(mapping.data == Data(repeating: 7, count: 100_001))
    #expect(!mapping.hasFailed)
  }

  @Test("What another program cuts off reads as zeros, and is reported")
  func shortened() throws {
    let file = try file(byteCount: 1 << 20)
    let mapping = try #require(FileMapping(file.fileDescriptor, byteCount: 1 << 20))
    let other = try #require(FileMapping(file.fileDescriptor, byteCount: 4096))
    try file.truncate(atOffset: 4096)
    #expect(mapping.data[4095] == 7 && mapping.data[4096] == 0 && mapping.data[(1 << 20) - 1] == 0)
    #expect(mapping.hasFailed)
    #expect(!other.hasFailed && other.data[0] == 7)
  }

  @Test("An empty file and a descriptor that is not one of a file are not mapped")
  func notMapped() throws {
    let file = try file(byteCount: 0)
    #expect(FileMapping(file.fileDescriptor, byteCount: 0) == nil)
    #expect(FileMapping(-1, byteCount: 100) == nil)
  }

  @Test("More files than can be mapped at a time are not mapped")
  func limit() throws {
    let file = try file(byteCount: 100)
    let mappings = (0..<100).map { _ in FileMapping(file.fileDescriptor, byteCount: 100) }
    #expect(mappings.contains { $0 == nil })
    #expect(mappings.compactMap { $0 }.allSatisfy { $0.data[99] == 7 })
  }
}
