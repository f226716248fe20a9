#if GTK
  import Foundation
  import Testing

  @testable import NukeGallery

  @Suite struct FolderScanTests {
    /// Lists folders as one batch unless there is a clock.
    private func batches(
      _ folders: [[UInt8]], without files: Set<[UInt8]> = [], now: @escaping () -> Double = { 0 }
    ) -> [FolderScan.Batch] {
      var batches: [FolderScan.Batch] = []
      FolderScan.run(folders, without: files, now: now) { batches.append($0) }
      return batches
    }

    private func names(_ batch: FolderScan.Batch, in folder: PhotoFolder) -> [String] {
      batch.order.map { folder.name(of: batch.store.url($0)) }
    }

    private func names(_ folder: PhotoFolder) -> [String] {
      let batches = batches([folder.path])
      #expect(batches.count == 1 && batches.last?.isLast == true)
      return batches.first.map { names($0, in: folder) } ?? []
    }

    @Test("The most recent photos come first, and those of the same time by path")
    func order() throws {
      let folder = try PhotoFolder()
      for (name, time) in [("b.JPG", 2.0), ("c.png", 3), ("deep/er/a.webp", 4), ("a/z.png", 2), ("a.png", 2)] {
        try folder.add(name, modified: 1_700_000_000 + time)
      }
      try folder.add("notes.txt")
      #expect(names(folder) == ["deep/er/a.webp", "c.png", "a.png", "b.JPG", "a/z.png"])
    }

    @Test("Photos of the same second are in the order of their fractions of a second")
    func burst() throws {
      let folder = try PhotoFolder()
      for (name, time) in [("a.jpg", 0.25), ("b.jpg", 0.75), ("c.jpg", 0.5)] {
        try folder.add(name, modified: 1_700_000_000 + time)
      }
      #expect(names(folder) == ["b.jpg", "c.jpg", "a.jpg"])
    }

    @Test("Hidden files and folders are left out, unless they are named")
    func hidden() throws {
      let folder = try PhotoFolder([".b.png", ".cache/c.png", "deep/.trash/d.png", "deep/e.png"])
      #expect(names(folder) == ["deep/e.png"])
      let batch = try #require(batches([folder.path + "/.cache".utf8]).first)
      #expect(names(batch, in: folder) == [".cache/c.png"])
    }

    @Test("Links to folders are followed once, also those in a circle and to a folder that is listed anyway")
    func links() throws {
      let outside = try PhotoFolder(["o.png"])
      let folder = try PhotoFolder(["z/a.png"])
      try folder.link("a-circle", to: ".")
      try folder.link("z/up", to: "..")
      try folder.link("b-same", to: "z")
      try folder.link("outside", to: outside.url.path)
      try folder.link("outside again", to: outside.url.path)
      try folder.link("nowhere.png", to: "missing")
      try folder.link("y.png", to: "z/a.png")
      let found = names(folder)
      #expect(found.count == 3)
      #expect(Set(found).isSuperset(of: ["z/a.png", "y.png"]))
      #expect(found.contains { $0.hasPrefix("outside") && $0.hasSuffix("/o.png") })
    }

    @Test("Without subfolders, only the photos directly in a folder are listed, also those behind links")
    func flat() throws {
      let outside = try PhotoFolder(["o.png"])
      let folder = try PhotoFolder(["a.png", ".b.png", "deep/c.png", "deep.png/d.png"])
      try folder.link("linked", to: outside.url.path)
      try folder.link("linked.png", to: outside.url.path + "/o.png")
      var found: [String] = []
      FolderScan.run([folder.path], listsSubfolders: false) { found += names($0, in: folder) }
      #expect(Set(found) == ["a.png", "linked.png"] && found.count == 2)
    }

    @Test(
      "A scan finds photos that are files or links to files, and are not hidden",
      arguments: [
        ("a.png", true), ("link.png", true), (".b.png", false), ("pipe.png", false), ("folder.png", false),
        ("gone.png", false), (".deep/c.png", true),
      ])
    func finds(name: String, isFound: Bool) throws {
      let folder = try PhotoFolder(["a.png", ".b.png", "folder.png/c.png", ".deep/c.png"])
      try folder.link("link.png", to: ".b.png")
      try #require(mkfifo(folder.url.appendingPathComponent("pipe.png").path, 0o600) == 0)
      let path = folder.path + "/\(name)".utf8
      #expect(FolderScan.finds(path) == isFound)
      // The scan agrees.
      var found: [[UInt8]] = []
      FolderScan.run([PhotoStore.folder(ofPath: path)], listsSubfolders: false) { batch in
        found += batch.order.compactMap { batch.store.url($0).map { PhotoStore.path(of: $0) } }
      }
      #expect(found.contains(path) == isFound)
    }

    @Test("Pipes, devices and loops of links are left out, whatever their names")
    func otherFiles() throws {
      let folder = try PhotoFolder(["a.png", "b\nc.png"])
      try #require(mkfifo(folder.url.appendingPathComponent("pipe.png").path, 0o600) == 0)
      try folder.link("zero.png", to: "/dev/zero")
      try folder.link("loop.png", to: "loop.png")
      try folder.link("loop", to: "loop")
      #expect(Set(names(folder)) == ["a.png", "b\nc.png"])
    }

    @Test("Folders in each other, and photos that are named as well, are not listed twice")
    func twice() throws {
      let folder = try PhotoFolder(["a.png", "deep/b.png"])
      let folders = [folder.path + "/deep".utf8, folder.path, folder.path]
      let batch = try #require(batches(folders, without: [folder.path + "/a.png".utf8]).first)
      #expect(names(batch, in: folder) == ["deep/b.png"])
    }

    @Test("Names of files need not be UTF-8")
    func bytes() throws {
      let folder = try PhotoFolder()
      let path = folder.path + "/caf".utf8 + [0xE9] + ".jpg".utf8
      let file = path.withCPath { open($0, O_CREAT | O_WRONLY, 0o600) }
      #expect(file >= 0)
      close(file)
      let batch = try #require(batches([folder.path]).first)
      let url = try #require(batch.order.first.flatMap { batch.store.url($0) })
      #expect(url.absoluteString.hasSuffix("/caf%E9.jpg"))
      #expect(batch.store.first(url, in: batch.order) == batch.order.first)
    }

    @Test("A subfolder that cannot be read is reported, and the others are listed", .enabled(if: geteuid() != 0))
    func unreadable() throws {
      let folder = try PhotoFolder(["a.png", "closed/b.png"])
      let closed = folder.url.appendingPathComponent("closed").path
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed) }
      let batch = try #require(batches([folder.path]).first)
      #expect(names(batch, in: folder) == ["a.png"])
      #expect(batch.unreadable == [closed])
    }

    @Test("A folder that is gone is reported")
    func missing() throws {
      let batch = try #require(batches([Array("/no/such/folder".utf8)]).first)
      #expect(batch.order.isEmpty && batch.isLast && batch.unreadable == ["/no/such/folder"])
    }

    @Test("Large folders arrive in several batches, each in order")
    func several() throws {
      let folder = try PhotoFolder()
      for number in 0..<1000 { try folder.add("\(number).png", modified: Double(1_700_000_000 + number * 7 % 1000)) }
      var time = 0.0
      let batches = batches([folder.path]) {
        time += 1
        return time
      }
      #expect(batches.count > 2)
      #expect(batches.map(\.isLast) == batches.indices.map { $0 == batches.count - 1 })
      #expect(batches.map(\.order.count).reduce(0, +) == 1000)
      for batch in batches {
        #expect(batch.order == batch.order.sorted { batch.store.modified($0)! > batch.store.modified($1)! })
      }
    }

    @Test("A canceled scan ends without a last batch")
    func cancelled() throws {
      let folder = try PhotoFolder(["a.png"])
      FolderScan.run([folder.path], isCancelled: { true }) { _ in Issue.record("nothing is sent") }
    }
  }
#endif
