#if GTK
  import Foundation
  import Nuke
  import Testing

  @testable import NukeGallery

  @Suite struct PlaceholdersTests {
    private func url(_ number: Int) -> URL { URL(fileURLWithPath: "/images/\(number).png") }

    private func hash() throws -> ThumbHash {
      let image = try #require(
        PlatformImage(pixelWidth: 4, pixelHeight: 3, isOpaque: true) { bytes in
          for place in bytes.indices { bytes[place] = 255 }
        })
      return try ThumbHash(encoding: image)
    }

    @Test("The oldest are removed if there are too many")
    func limit() throws {
      var placeholders = Placeholders(limit: 10)
      let hash = try hash()
      for number in 0..<10 { placeholders[url(number)] = hash }
      placeholders[url(3)] = hash
      #expect(placeholders.count == 10)
      placeholders[url(10)] = hash
      #expect(placeholders.count == 6)
      #expect(placeholders[url(4)] == nil)
      #expect((5...10).allSatisfy { placeholders[url($0)] == hash })
    }

    @Test("Written hashes are read again, up to the limit, and none of a damaged file")
    func file() throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("placeholders-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(Placeholders(contentsOf: file).count == 0)
      var placeholders = Placeholders()
      let hash = try hash()
      for number in 0..<9 { placeholders[url(number)] = hash }
      try placeholders.write(to: file)
      let read = Placeholders(contentsOf: file)
      #expect(read.count == 9)
      #expect(read[url(8)] == hash)
      #expect(Placeholders(contentsOf: file, limit: 4)[url(8)] == hash)
      #expect(Placeholders(contentsOf: file, limit: 4).count <= 4)
      try Data(contentsOf: file).dropLast(3).write(to: file)
      #expect(Placeholders(contentsOf: file).count == 0)
    }
  }
#endif
