#if Command
  import Foundation
  import Nuke
  import NukeCLI
  import Testing

  @Suite("Images in folders", .timeLimit(.minutes(2))) struct FolderScanTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private func folder(_ name: String) throws {
      try FileManager.default.createDirectory(
        at: place.url.appendingPathComponent(name), withIntermediateDirectories: true)
    }

    private func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: place.path(name), withDestinationPath: target)
    }

    /// The paths that are found, without that of the searched folder.
    private func found(in folder: String = "", except output: String? = nil) -> [String] {
      var scan = FolderScan(except: output.map(place.path))
      let root = folder.isEmpty ? place.url.path : place.path(folder)
      return scan.sources(in: root).map { String($0.text.dropFirst(root.count + 1)) }
    }

    @Test("Images are found by their extensions or first bytes, in the order of their names, and hidden names are not")
    func files() throws {
      for name in ["b/deep", ".hidden", "empty"] { try folder(name) }
      try place.image("c.png")
      try place.image("a.PNG")
      try place.image("b/deep/d.png")
      try place.image("b/no-extension")
      try place.image(".hidden/e.png")
      try place.image(".f.png")
      try place.write(Data("text".utf8), "notes.txt")
      try place.write(Data("text".utf8), "B.jpg")
      #expect(found() == ["B.jpg", "a.PNG", "b/deep/d.png", "b/no-extension", "c.png"])
    }

    @Test("The folder of each image in the searched one is known")
    func folders() throws {
      try folder("a/b")
      for name in ["1.png", "a/2.png", "a/b/3.png"] { try place.image(name) }
      var scan = FolderScan()
      #expect(scan.sources(in: place.url.path + "/").map(\.folder) == ["", "a", "a/b"])
    }

    @Test("Links are followed, a folder is read once, and cycles end")
    func links() throws {
      try folder("a/b")
      try place.image("a/b/1.png")
      try link("a/b/up", to: "../..")
      try link("a/self", to: ".")
      try link("again", to: "a/b")
      try link("gone.png", to: "nowhere")
      try link("link.png", to: "a/b/1.png")
      #expect(found() == ["a/b/1.png", "link.png"])
    }

    @Test("A pipe is not opened, and the folder of the results is left out")
    func others() throws {
      try folder("out")
      try place.image("out/1.png")
      try place.image("2.png")
      #expect(mkfifo(place.path("pipe.png"), 0o600) == 0)
      #expect(found(except: "out") == ["2.png"])
      #expect(found(in: "out", except: "out") == ["1.png"])
    }

    @Test("Names that are not UTF-8 are found")
    func bytes() throws {
      try place.image("a.png")
      let name = Array((place.url.path + "/caf").utf8) + [0xE9] + Array(".png\0".utf8)
      let code = name.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { rename(place.path("a.png"), $0.baseAddress!) }
      }
      #expect(code == 0)
      var scan = FolderScan()
      let sources = scan.sources(in: place.url.path)
      #expect(sources.map { $0.text.systemBytes } == [Array(name.dropLast())])
    }

    @Test("A folder that cannot be read is an unusable source")
    func unreadable() throws {
      let long = String(repeating: "a", count: 300)
      var scan = FolderScan()
      #expect(scan.sources(in: place.path(long)).isEmpty)
      guard geteuid() != 0 else { return }
      try folder("closed")
      chmod(place.path("closed"), 0)
      defer { chmod(place.path("closed"), 0o700) }
      let sources = scan.sources(in: place.url.path)
      #expect(sources.map(\.location) == [.unusable(reason: "cannot be read: permission denied")])
    }
  }
#endif
