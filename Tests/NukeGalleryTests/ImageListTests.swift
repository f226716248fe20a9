#if GTK
  import Foundation
  import Testing

  @testable import NukeGallery

  @Suite struct ImageListTests {
    private typealias Folder = PhotoFolder

    @Test("Folders are listed later, and named images are known at once")
    func folder() throws {
      let folder = try Folder(["a.png", ".b.png"])
      let list = try ImageList([folder.url.path + "/", folder.url.appendingPathComponent(".b.png").path, "/"])
      #expect(list.folders == [Array(folder.url.path.utf8), []])
      #expect(list.urls.map(\.lastPathComponent) == [".b.png"])
      #expect(list.paths == [Array((folder.url.path + "/.b.png").utf8)])
    }

    @Test("A file that is the only place is opened with its folder, that of a link with the folder of the link")
    func singleFile() throws {
      let folder = try Folder(["a.png", "deep/b.JPG", "c d.png"])
      try folder.link("link.png", to: "deep/b.JPG")
      let deep = folder.path + "/deep".utf8
      for (name, expected) in [("a.png", folder.path), ("deep/b.JPG", deep), ("link.png", folder.path)] {
        let list = try ImageList([folder.url.appendingPathComponent(name).path], opensFile: true)
        #expect(list.opensFile && list.folders == [expected])
        #expect(list.urls.map { folder.name(of: $0) } == [name])
      }
      let list = try ImageList([folder.url.appendingPathComponent("c d.png").absoluteString], opensFile: true)
      #expect(list.opensFile && list.folders == [folder.path])
    }

    @Test("The folder of a relative path is absolute")
    func relativeFile() throws {
      let place = "Tests/NukeCodecsTests/Fixtures/JPEG/camera-MM.jpg"
      try #require(FileManager.default.fileExists(atPath: place), "tests run in the folder of the package")
      let list = try ImageList([place], opensFile: true)
      let root = FileManager.default.currentDirectoryPath
      #expect(list.folders == [Array("\(root)/Tests/NukeCodecsTests/Fixtures/JPEG".utf8)])
    }

    @Test("A file that a listing would leave out is opened alone")
    func aloneFile() throws {
      let folder = try Folder(["a.png", ".b.png"])
      try #require(mkfifo(folder.url.appendingPathComponent("pipe.png").path, 0o600) == 0)
      for name in [".b.png", "pipe.png"] {
        let list = try ImageList([folder.url.appendingPathComponent(name).path], opensFile: true)
        #expect(list.opensFile && list.folders.isEmpty && list.urls.count == 1)
      }
    }

    @Test("Several files, folders, lists and web addresses are not opened")
    func notOpened() throws {
      let folder = try Folder(["a.png", "b.png", "folder.png/c.png", "list.txt"])
      let file = folder.url.appendingPathComponent("list.txt")
      try Data("a.png\n".utf8).write(to: file)
      let path = { (name: String) in folder.url.appendingPathComponent(name).path }
      for places in [
        [], [path("a.png"), path("b.png")], [path("a.png"), path("a.png")], [path("a.png"), folder.url.path],
        [path("folder.png")], [path("list.txt")], ["https://example.com/a.png"],
      ] {
        let list = try ImageList(places, opensFile: true)
        let other = try ImageList(places)
        #expect(!list.opensFile && list.folders == other.folders && list.urls == other.urls)
      }
      let list = try ImageList([path("a.png")])
      #expect(!list.opensFile && list.folders.isEmpty)
    }

    @Test(
      "An image has one of the known extensions, in any case",
      arguments: [
        ("a.png", true), ("a.JPG", true), ("a.b.jpeg", true), ("é.svgz", true), ("a.", false), ("png", false),
        (".png", false), ("a.pngx", false), ("a.txt", false), ("a.jpg.part", false), ("a.jpegjpegjpeg", false),
      ])
    func extensions(name: String, isImage: Bool) { #expect(ImageList.isImage(name.utf8) == isImage) }

    @Test("A list contains URLs, and paths relative to its folder")
    func lines() throws {
      let folder = try Folder(["list.txt"])
      let file = folder.url.appendingPathComponent("list.txt")
      let lines = [
        "# mine", "", "  https://example.com/a?b=c \r", "https://example.com/a%20b c", "images/d.png", "/e.gif", "",
      ]
      try Data(lines.joined(separator: "\n").utf8).write(to: file)
      let list = try ImageList([file.path])
      #expect(
        list.urls.map(\.absoluteString) == [
          "https://example.com/a?b=c", "https://example.com/a%20b%20c",
          folder.url.appendingPathComponent("images/d.png").absoluteString, "file:///e.gif",
        ])
    }

    @Test("A duplicate image appears once, at its first position")
    func twice() throws {
      let urls = ["https://example.com/1", "https://example.com/2", "https://example.com/1"]
      #expect(try ImageList(urls).urls.map(\.absoluteString) == Array(urls.prefix(2)))
    }

    @Test(
      "A missing path is an error with the path, also as a URL", arguments: ["no/such/place", "file:///no/such/place"])
    func missing(place: String) throws {
      let error = try #require(throws: ImageList.Failure.self) { try ImageList([place]) }
      #expect("\(error)".contains("no/such/place"))
    }

    @Test("The URL of a folder is that folder")
    func folderURL() throws {
      let folder = try Folder(["a.png"])
      let list = try ImageList([folder.url.absoluteString])
      let same = try ImageList([folder.url.path])
      #expect(list.urls.isEmpty && list.folders == same.folders)
    }

    @Test("A file without an end is not a list, and is not read to it")
    func endless() throws {
      #expect(throws: ImageList.Failure.self) { try ImageList(["/dev/zero"]) }
      let folder = try Folder(["video"])
      let path = folder.url.appendingPathComponent("video").path
      // A sparse file.
      try #require(truncate(path, 10 << 30) == 0)
      let error = try #require(throws: ImageList.Failure.self) { try ImageList([path]) }
      #expect("\(error)".hasPrefix("\(path) is not an image, and has more than the 67"))
    }

    @Test("Lines of a list without an image are ignored and reported")
    func badLines() throws {
      let folder = try Folder(["list.txt"])
      let path = folder.url.appendingPathComponent("list.txt").path
      let lines = [
        "https://example.com/a", "", "not an image", "ftp://example.com/b.jpg", "http://", "/etc/passwd", "c.png",
      ]
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
      let list = try ImageList([path])
      #expect(list.urls.map(\.lastPathComponent) == ["a", "c.png"])
      #expect(list.badLines.map(\.number) == [3, 4, 5, 6])
      #expect(list.badLines.first?.description == "\(path):3 is not an image: not an image")
    }

    @Test("A text file without an image is not a list")
    func otherText() throws {
      let folder = try Folder(["story.txt", "empty.txt"])
      let path = folder.url.appendingPathComponent("story.txt").path
      try Data("Once upon a time\nthere was a leaf.\n".utf8).write(to: URL(fileURLWithPath: path))
      let error = try #require(throws: ImageList.Failure.self) { try ImageList([path]) }
      #expect("\(error)".hasPrefix(path))
      #expect(try ImageList([folder.url.appendingPathComponent("empty.txt").path]).urls.isEmpty)
    }

    @Test("An unreadable folder is an error with its path", .enabled(if: geteuid() != 0, "root may read everything"))
    func forbidden() throws {
      let folder = try Folder(["a.png"])
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.url.path)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path) }
      let error = try #require(throws: ImageList.Failure.self) { try ImageList([folder.url.path]) }
      #expect("\(error)".contains("the folder \(folder.url.path) cannot be read"))
    }

    @Test("A file that is neither text nor an image is rejected")
    func binary() throws {
      let folder = try Folder(["thing.bin"])
      let file = folder.url.appendingPathComponent("thing.bin")
      try Data([0xFF, 0xFE, 0x80, 0xC0, 0xFF]).write(to: file)
      #expect(throws: ImageList.Failure.self) { try ImageList([file.path]) }
    }
  }
#endif
