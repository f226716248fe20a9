#if GTK
  import Foundation
  import NukeGTK
  import Testing

  @testable import NukeGallery

  @Suite struct PhotoCommandTests {
    private func impossible(_ address: String) throws -> Set<PhotoCommand> {
      let url = try #require(URL(string: address))
      return Set(PhotoCommand.allCases.filter { $0.obstacle(for: url) != nil })
    }

    @Test("Only JPEG files can be rotated, and only files have a folder and a trash")
    func obstacles() throws {
      #expect(try impossible("file:///a/b.JPG") == [])
      #expect(try impossible("file:///a/b.jpeg") == [])
      #expect(try impossible("file:///a/b.png") == [.rotateClockwise, .rotateCounterclockwise])
      #expect(
        try impossible("https://example.com/b.jpg")
          == [.rotateClockwise, .rotateCounterclockwise, .showInFolder, .trash])
      let web = try #require(URL(string: "https://example.com/b.jpg"))
      #expect(PhotoCommand.trash.obstacle(for: web) == "This image is on the web, and has no file.")
    }

    @Test("A file that cannot be moved to the trash is not deleted, and the message says why")
    func trash() throws {
      // The kernel's file systems have no trash.
      let file = URL(fileURLWithPath: "/proc/self/status")
      let failure = try #require(throws: PhotoFailure.self) { try PhotoTrash.move(file) }
      let text = "\(failure)"
      #expect(text.hasPrefix("“status” was not moved to the trash: ") && text.hasSuffix("."))
      #expect(FileManager.default.fileExists(atPath: file.path))
      #expect(throws: PhotoFailure.missing(name: "missing.jpg")) {
        try PhotoTrash.move(URL(fileURLWithPath: "/proc/missing.jpg"))
      }
    }

    @Test("The type of a file follows from its name")
    func contentType() {
      #expect(DesktopApplication.contentType(ofFileNamed: "a.jpg") == "image/jpeg")
      #expect(DesktopApplication.contentType(ofFileNamed: "a.png") == "image/png")
    }
  }
#endif
