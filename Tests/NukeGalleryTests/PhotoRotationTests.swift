#if GTK
  import Foundation
  import Nuke
  import NukeGTK
  import Testing

  @testable import NukeGallery

  @Suite struct PhotoRotationTests {
    /// A folder for one test, with a JPEG of 24 by 16 pixels.
    private final class Folder {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent("gallery-\(UUID().uuidString)")
      let photo: URL

      init() throws {
        photo = url.appendingPathComponent("photo.jpg")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let image = PlatformImage(pixelWidth: 24, pixelHeight: 16, isOpaque: true) { bytes in
          for place in bytes.indices { bytes[place] = place % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: place) }
        }
        try JPEGWriter().encode(#require(image)).write(to: photo)
      }

      deinit {
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
        try? FileManager.default.removeItem(at: url)
      }

      var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }
    }

    private func header(_ url: URL) throws -> ImageHeader { try JPEGReader(data: Data(contentsOf: url)).header }

    /// The user that tests run as in containers, for whom nothing is write-protected.
    private static let isRoot = geteuid() == 0

    @Test("Rotations add up, in both directions, and leave no other file")
    func rotations() throws {
      let folder = try Folder()
      var seen: [Orientation] = []
      for isClockwise in [true, true, true, true, false] {
        try PhotoRotation.rotate(folder.photo, isClockwise: isClockwise)
        seen.append(try header(folder.photo).orientation)
      }
      #expect(seen == [.right, .down, .left, .up, .left])
      #expect(try header(folder.photo).pixelWidth == 16)
      #expect(try folder.names == ["photo.jpg"])
    }

    @Test("The mode stays, and the modification time is new")
    func attributes() throws {
      let folder = try Folder()
      let path = folder.photo.path
      let old = Date(timeIntervalSince1970: 1_000_000_000)
      try FileManager.default.setAttributes([.posixPermissions: 0o640, .modificationDate: old], ofItemAtPath: path)
      try PhotoRotation.rotate(folder.photo, isClockwise: true)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      let time = try #require(attributes[.modificationDate] as? Date)
      #expect(abs(time.timeIntervalSinceNow) < 600)
    }

    @Test("The file behind a symbolic link is rotated, and the link stays")
    func link() throws {
      let folder = try Folder()
      let link = folder.url.appendingPathComponent("link.jpg")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.photo)
      try PhotoRotation.rotate(link, isClockwise: true)
      #expect(try header(folder.photo).orientation == .right)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == folder.photo.path)
    }

    @Test("A photo whose name is not UTF-8 is rotated")
    func bytes() throws {
      let folder = try Folder()
      let path = Array((folder.url.path + "/").utf8) + [0xFF, UInt8(ascii: "\n")] + Array(".jpg".utf8)
      try #require(folder.photo.path.withCString { old in path.withCPath { rename(old, $0) } } == 0)
      let url = try #require(PhotoStore.url(ofPath: path))
      #expect(PhotoCommand.rotateClockwise.obstacle(for: url) == nil)
      try PhotoRotation.rotate(url, isClockwise: true)
      let file = try PhotoFile(path)
      let data = try #require(try file.handle.readToEnd())
      #expect(try JPEGReader(data: data).header.orientation == .right)
      #expect(PhotoProperties.read(url, in: .shared).rows.first?.value == "\u{FFFD}\u{FFFD}.jpg")
      let missing = try #require(PhotoStore.url(ofPath: path + [0xFF]))
      #expect(throws: PhotoFailure.missing(name: "\u{FFFD}\u{FFFD}.jpg\u{FFFD}")) {
        try PhotoRotation.rotate(missing, isClockwise: true)
      }
    }

    @Test("Extended attributes stay, where the disk has them")
    func extendedAttributes() throws {
      let folder = try Folder()
      let file = try #require(g_file_new_for_path(folder.photo.path))
      defer { g_object_unref(UnsafeMutableRawPointer(file)) }
      let name = "xattr::rating"
      guard g_file_set_attribute_string(file, name, "five stars", G_FILE_QUERY_INFO_NONE, nil, nil) != 0 else { return }
      try PhotoRotation.rotate(folder.photo, isClockwise: true)
      let information = try #require(g_file_query_info(file, name, G_FILE_QUERY_INFO_NONE, nil, nil))
      defer { g_object_unref(UnsafeMutableRawPointer(information)) }
      let value = g_file_info_get_attribute_string(information, name).map { String(cString: $0) }
      #expect(value == "five stars")
    }

    @Test("Another hard link keeps the old photo")
    func hardLink() throws {
      let folder = try Folder()
      let other = folder.url.appendingPathComponent("other.jpg")
      try FileManager.default.linkItem(at: folder.photo, to: other)
      let old = try Data(contentsOf: other)
      try PhotoRotation.rotate(folder.photo, isClockwise: true)
      #expect(try header(folder.photo).orientation == .right)
      #expect(try Data(contentsOf: other) == old)
    }

    @Test("Pipes, loops of links and devices are refused at once")
    func otherFiles() throws {
      let folder = try Folder()
      let pipe = folder.url.appendingPathComponent("pipe.jpg")
      try #require(mkfifo(pipe.path, 0o600) == 0)
      #expect(throws: PhotoFailure.notJPEG(name: "pipe.jpg")) { try PhotoRotation.rotate(pipe, isClockwise: true) }
      let loop = folder.url.appendingPathComponent("loop.jpg")
      try FileManager.default.createSymbolicLink(atPath: loop.path, withDestinationPath: "loop.jpg")
      #expect(throws: PhotoFailure.system(name: "loop.jpg", code: ELOOP)) {
        try PhotoRotation.rotate(loop, isClockwise: true)
      }
      #expect(throws: PhotoFile.Failure.notRegular) { try PhotoFile(Array("/dev/zero".utf8)) }
      #expect(throws: PhotoFile.Failure.system(code: ENOENT)) {
        try PhotoFile(PhotoStore.path(of: folder.url) + Array("/gone".utf8))
      }
    }

    @Test("A file that another program changes in the meantime keeps that change")
    func change() throws {
      let folder = try Folder()
      let other = Data("something else".utf8)
      #expect(throws: PhotoFailure.changed(name: "photo.jpg")) {
        try PhotoRotation.rotate(folder.photo, isClockwise: true) { try? other.write(to: folder.photo) }
      }
      #expect(try Data(contentsOf: folder.photo) == other)
      #expect(throws: PhotoFailure.notJPEG(name: "photo.jpg")) {
        try PhotoRotation.rotate(folder.photo, isClockwise: true)
      }
      #expect(try folder.names == ["photo.jpg"])
    }

    @Test("A file that cannot be rotated stays as it is")
    func failures() throws {
      let folder = try Folder()
      let truncated = try Data(contentsOf: folder.photo).prefix(100)
      for (name, data) in [("truncated.jpg", truncated), ("empty.jpg", Data()), ("text.jpg", Data("hello".utf8))] {
        let file = folder.url.appendingPathComponent(name)
        try data.write(to: file)
        #expect(throws: PhotoFailure.self, "\(name)") { try PhotoRotation.rotate(file, isClockwise: true) }
        #expect(try Data(contentsOf: file) == data)
      }
      #expect(throws: PhotoFailure.notJPEG(name: folder.url.lastPathComponent)) {
        try PhotoRotation.rotate(folder.url, isClockwise: true)
      }
      #expect(throws: PhotoFailure.missing(name: "gone.jpg")) {
        try PhotoRotation.rotate(folder.url.appendingPathComponent("gone.jpg"), isClockwise: true)
      }
      #expect(try folder.names == ["empty.jpg", "photo.jpg", "text.jpg", "truncated.jpg"])
    }

    @Test("Write-protected files and folders are respected", .disabled(if: isRoot, "root may write everywhere"))
    func protection() throws {
      let folder = try Folder()
      let data = try Data(contentsOf: folder.photo)
      try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: folder.photo.path)
      #expect(throws: PhotoFailure.readOnly(name: "photo.jpg")) {
        try PhotoRotation.rotate(folder.photo, isClockwise: true)
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.photo.path)
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
      #expect(throws: PhotoFailure.readOnlyFolder(name: "photo.jpg")) {
        try PhotoRotation.rotate(folder.photo, isClockwise: true)
      }
      #expect(try Data(contentsOf: folder.photo) == data)
    }

    @Test("The messages say what happened to which file")
    func messages() {
      #expect(
        PhotoFailure.system(name: "a.jpg", code: ENOSPC).description == "“a.jpg” was not rotated: the disk is full.")
      #expect(
        PhotoFailure.readOnlyFolder(name: "a.jpg").description
          == "“a.jpg” was not rotated: you may not create files in its folder.")
    }
  }
#endif
