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

    @Test("Written hashes are read again, up to the limit, except damaged lines")
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
      let damaged = ["", " ", "no hash", "AAAA file:///a.png", "\(hash.string)", "\(hash.string) file:///caf%E9.png"]
      try Data((damaged.joined(separator: "\n") + "\n\(hash.string) file:///cut.p").utf8).write(to: file)
      let rest = Placeholders(contentsOf: file)
      #expect(rest.count == 1)
      #expect(try rest[#require(URL(string: "file:///caf%E9.png"))] == hash)
    }
  }
#endif
