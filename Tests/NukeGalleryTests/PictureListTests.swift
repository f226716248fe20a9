#if GTK
  import Foundation
  import Testing

  @testable import NukeGallery

  @Suite struct PictureListTests {
    /// A folder for one test, with empty files of these names.
    private final class Folder {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("gallery-\(UUID().uuidString)")

      init(_ names: [String]) throws {
        for name in names {
          let file = url.appendingPathComponent(name)
          try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
          try Data().write(to: file)
        }
      }

      deinit { try? FileManager.default.removeItem(at: url) }
    }

    @Test("A folder gives its pictures by name, with those of folders in it, and nothing else")
    func folder() throws {
      let folder = try Folder(["b.JPG", "a.png", "deep/er/c.webp", "notes.txt", "jpg"])
      let list = try PictureList([folder.url.path])
      let names = list.urls.map { String($0.path.dropFirst(folder.url.path.count + 1)) }
      #expect(names == ["a.png", "b.JPG", "deep/er/c.webp"])
    }

    @Test("A list names addresses and paths from where it stands")
    func lines() throws {
      let folder = try Folder(["list.txt"])
      let file = folder.url.appendingPathComponent("list.txt")
      try Data("# mine\n\n  https://example.com/a?b=c \r\npictures/d.png\n/e.gif\n".utf8).write(to: file)
      let list = try PictureList([file.path])
      #expect(
        list.urls.map(\.absoluteString) == [
          "https://example.com/a?b=c", folder.url.appendingPathComponent("pictures/d.png").absoluteString,
          "file:///e.gif",
        ])
    }

    @Test("A picture that is named twice is there once, in its first place")
    func twice() throws {
      let urls = ["https://example.com/1", "https://example.com/2", "https://example.com/1"]
      #expect(try PictureList(urls).urls.map(\.absoluteString) == Array(urls.prefix(2)))
    }

    @Test("A folder without pictures gives none")
    func empty() throws {
      let folder = try Folder(["notes.txt"])
      #expect(try PictureList([folder.url.path]).urls.isEmpty)
    }

    @Test("What is not there is named")
    func missing() throws {
      let error = try #require(throws: PictureList.Failure.self) { try PictureList(["no/such/place"]) }
      #expect("\(error)".contains("no/such/place"))
    }

    @Test("A file that is no text and no picture is refused")
    func binary() throws {
      let folder = try Folder(["thing.bin"])
      let file = folder.url.appendingPathComponent("thing.bin")
      try Data([0xFF, 0xFE, 0x80, 0xC0, 0xFF]).write(to: file)
      #expect(throws: PictureList.Failure.self) { try PictureList([file.path]) }
    }
  }
#endif
