#if GTK
  import Foundation
  import Nuke
  import Testing

  @testable import NukeGallery

  @Suite struct LikenessesTests {
    private func url(_ number: Int) -> URL { URL(fileURLWithPath: "/pictures/\(number).png") }

    private func hash() throws -> ThumbHash {
      let image = try #require(
        PlatformImage(pixelWidth: 4, pixelHeight: 3, isOpaque: true) { bytes in
          for place in bytes.indices { bytes[place] = 255 }
        })
      return try ThumbHash(encoding: image)
    }

    @Test("The oldest go when there are too many")
    func limit() throws {
      var likenesses = Likenesses(limit: 10)
      let hash = try hash()
      for number in 0..<10 { likenesses[url(number)] = hash }
      likenesses[url(3)] = hash
      #expect(likenesses.count == 10)
      likenesses[url(10)] = hash
      #expect(likenesses.count == 6)
      #expect(likenesses[url(4)] == nil)
      #expect((5...10).allSatisfy { likenesses[url($0)] == hash })
    }

    @Test("What is written is read again, up to the limit, and damage gives none")
    func file() throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("likenesses-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      #expect(Likenesses(contentsOf: file).count == 0)
      var likenesses = Likenesses()
      let hash = try hash()
      for number in 0..<9 { likenesses[url(number)] = hash }
      try likenesses.write(to: file)
      let read = Likenesses(contentsOf: file)
      #expect(read.count == 9)
      #expect(read[url(8)] == hash)
      #expect(Likenesses(contentsOf: file, limit: 4)[url(8)] == hash)
      #expect(Likenesses(contentsOf: file, limit: 4).count <= 4)
      try Data(contentsOf: file).dropLast(3).write(to: file)
      #expect(Likenesses(contentsOf: file).count == 0)
    }
  }
#endif
