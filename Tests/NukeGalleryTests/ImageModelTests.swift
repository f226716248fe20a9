#if GTK
  import Foundation
  import NukeGTK
  import Testing

  @testable import NukeGallery

  @MainActor @Suite struct ImageModelTests {
    private static let folder = Array("/photos".utf8)

    /// A batch of photos, given as names and times, in order.
    private func batch(_ photos: [(String, Int64)], isLast: Bool = false) -> FolderScan.Batch {
      var batch = FolderScan.Batch()
      let folder = batch.store.appendFolder(Self.folder)
      for (name, time) in photos {
        if let id = batch.store.append(Array(name.utf8), in: folder, modified: time) { batch.order.append(id) }
      }
      let store = batch.store
      batch.order.sort { store.precedes($0, $1) }
      batch.isLast = isLast
      return batch
    }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: "/photos/\(name)") }

    private func names(_ model: ImageModel) -> [String] {
      (0..<g_list_model_get_n_items(model.list)).map { position in
        guard let item = g_list_model_get_item(model.list, position) else { return "" }
        defer { g_object_unref(item) }
        return model.name(of: item) ?? ""
      }
    }

    @Test(
      "A name is shown on one line, from left to right",
      arguments: [
        ("file:///photos/a%0Ab.jpg", "a\u{FFFD}b.jpg"),
        ("file:///photos/%1B%5B31m%C2%85.jpg", "\u{FFFD}[31m\u{FFFD}.jpg"),
        ("file:///photos/%E2%80%AEgpj.exe", "\u{FFFD}gpj.exe"), ("file:///photos/%FF.jpg", "\u{FFFD}.jpg"),
        ("file:///photos/%C3%A9%20%23%25.jpg", "é #%.jpg"), ("https://example.com/a/b%0Ac.jpg?d", "b\u{FFFD}c.jpg"),
        ("https://example.com", ""), ("file:///", ""),
      ])
    func displayName(address: String, name: String) throws {
      let url = try #require(URL(string: address))
      #expect(url.displayName == name)
      let model = ImageModel([url])
      #expect(names(model) == [name])
    }

    @Test("Batches are merged by time, after the named images in their order")
    func merged() {
      let model = ImageModel([url("z.png"), URL(string: "https://example.com/y.jpg?size=1")!])
      model.receive(batch([("b", 2), ("e", 5)]))
      model.receive(batch([("a", 1), ("c", 3), ("d", 4), ("f", 6)]))
      model.receive(batch([("c2", 3), ("b0", 2)], isLast: true))
      #expect(names(model) == ["z.png", "y.jpg", "f", "e", "d", "c", "c2", "b", "b0", "a"])
      #expect(!model.isListing)
    }

    @Test("An opened file is there at once, and stays selected while the others of its folder appear around it")
    func openedFile() throws {
      let model = ImageModel([url("m.png")], opensFile: true)
      g_object_ref(UnsafeMutableRawPointer(model.list))
      let selection = gtk_single_selection_new(model.list)
      defer { g_object_unref(UnsafeMutableRawPointer(selection)) }
      #expect(names(model) == ["m.png"])
      model.receive([Scan.Time(id: 0, modified: 5)])
      var positions: [guint] = []
      for photos in [[("a", 1), ("z", 9)], [("y", 8), ("x", 7), ("b", 2)], [("l", 5), ("n", 5), ("c", 3)]] {
        model.receive(batch(photos.map { ($0, Int64($1)) }))
        positions.append(gtk_single_selection_get_selected(selection))
      }
      #expect(names(model) == ["z", "y", "x", "l", "m.png", "n", "c", "b", "a"])
      #expect(positions == [1, 3, 4])
      model.remove(try #require(model.id(of: url("m.png"))))
      #expect(names(model) == ["z", "y", "x", "l", "n", "c", "b", "a"])
    }

    @Test("The folder of an opened file is listed without subfolders, and the file is in it once")
    func folderOfOpenedFile() async throws {
      let folder = try PhotoFolder(["deep/a.png"])
      for (name, time) in [("old.png", 1.0), ("opened.png", 2), ("new.png", 3), (".hidden.png", 4)] {
        try folder.add(name, modified: 1_700_000_000 + time)
      }
      let list = try ImageList([folder.url.appendingPathComponent("opened.png").path], opensFile: true)
      let model = ImageModel(list.urls, opensFile: true)
      await withCheckedContinuation { continuation in
        model.onChange = { if !model.isListing { continuation.resume() } }
        model.add(list.folders, without: list.paths, listsSubfolders: false)
      }
      model.onChange = nil
      #expect(names(model) == ["new.png", "opened.png", "old.png"])
    }

    /// The changes of a list that were reported.
    private final class Changes {
      var list: [(position: Int, removed: Int, added: Int)] = []

      func observe(_ model: OpaquePointer) {
        typealias Call = @convention(c) (OpaquePointer?, guint, guint, guint, UnsafeMutableRawPointer?) -> Void
        let call: Call = { _, position, removed, added, changes in
          guard let changes else { return }
          Unmanaged<Changes>.fromOpaque(changes).takeUnretainedValue().list
            .append((Int(position), Int(removed), Int(added)))
        }
        g_signal_connect_data(
          UnsafeMutableRawPointer(model), "items-changed", unsafeBitCast(call, to: GCallback.self),
          Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
      }
    }

    @Test("An insertion is a few messages, none of which mentions the row that has to stay", arguments: [true, false])
    func messages(isScrolled: Bool) throws {
      let model = ImageModel([url("named.png")])
      model.receive(batch((0..<100).map { ("\($0)", Int64($0 * 10)) }))
      let rows = try (40..<60).map { try #require(g_list_model_get_item(model.list, $0)) }
      defer { for row in rows { g_object_unref(row) } }
      let anchor = PhotoItems.id(of: rows[7])
      let kept = (isScrolled ? [0, 7, 19] : [19]).map { model.name(of: rows[$0]) ?? "" }
      model.willInsert = { isScrolled ? anchor : nil }
      let changes = Changes()
      changes.observe(model.list)
      var copy = names(model)
      for step in 0..<20 {
        model.receive(batch((0..<30).map { ("\(step)-\($0)", Int64(($0 * 7919 + step * 104_729) % 1000)) }))
        let now = names(model)
        #expect(changes.list.count <= kept.count + 1)
        for change in changes.list {
          #expect(kept.allSatisfy { !copy[change.position..<change.position + change.removed].contains($0) })
          copy.replaceSubrange(
            change.position..<change.position + change.removed, with: Array(repeating: "?", count: change.added))
        }
        #expect(copy.count == now.count && zip(copy, now).allSatisfy { $0 == "?" || $0 == $1 })
        changes.list = []
        copy = now
      }
      #expect(copy.count == 701 && copy.first == "named.png")
      model.remove(try #require(model.id(of: url("named.png"))))
      #expect(changes.list.map(\.position) == [0] && changes.list.map(\.removed) == [1])
    }

    @Test("A photo has one item while a list has it, and another after it has changed")
    func items() throws {
      let model = ImageModel([url("a.png")])
      let item = try #require(g_list_model_get_item(model.list, 0))
      let same = try #require(g_list_model_get_item(model.list, 0))
      #expect(item == same)
      model.rebind(try #require(model.id(of: url("a.png"))))
      let other = try #require(g_list_model_get_item(model.list, 0))
      #expect(other != item && model.name(of: other) == "a.png")
      for item in [item, same] { g_object_unref(item) }
      let id = try #require(PhotoItems.id(of: other))
      #expect(model.items.contains(id))
      g_object_unref(other)
      #expect(!model.items.contains(id))
    }

    @Test("An image is found by its URL, removed, and bound again")
    func changes() throws {
      let model = ImageModel([url("z.png")])
      model.receive(batch([("a b.png", 1), ("ü.png", 2)]))
      let id = try #require(model.id(of: URL(string: "file:///photos/%61%20b.png")!))
      model.rebind(id)
      #expect(names(model) == ["z.png", "ü.png", "a b.png"])
      model.remove(id)
      #expect(names(model) == ["z.png", "ü.png"])
      #expect(model.id(of: url("a b.png")) == nil)
      model.remove(try #require(model.id(of: url("z.png"))))
      model.receive(batch([("new.png", 3)]))
      #expect(names(model) == ["new.png", "ü.png"])
    }

    @Test("Photos match words of their folder and name")
    func search() throws {
      let model = ImageModel([])
      model.receive(batch([("Zürich am See.jpg", 1)]))
      let item = try #require(g_list_model_get_item(model.list, 0))
      defer { g_object_unref(item) }
      for text in ["zurich", "PHOTOS/zü", "see photos", ""] { #expect(model.matches(ImageSearch(text), item)) }
      for text in ["bern", "zurich bern", "photos//z"] { #expect(!model.matches(ImageSearch(text), item)) }
      #expect(model.url(of: item) == url("Zürich am See.jpg"))
    }

    @Test("The times of named files are looked up, those of URLs are unknown")
    func times() throws {
      let folder = try PhotoFolder()
      let file = try folder.add("a b.png", modified: 1_700_000_000.5)
      var store = PhotoStore()
      for url in [URL(string: "https://example.com/c.jpg")!, file, folder.url.appendingPathComponent("gone.png")] {
        store.append(url)
      }
      let times = Scan.times(store)
      #expect(times.map(\.id) == [1] && times.map(\.modified) == [1_700_000_000_500_000_000])
      let model = ImageModel([file])
      model.receive([Scan.Time(id: 0, modified: 1_700_000_000_500_000_000)])
      let item = try #require(g_list_model_get_item(model.list, 0))
      defer { g_object_unref(item) }
      #expect(model.matches(ImageSearch("2023-11"), item) && !model.matches(ImageSearch("2023-10"), item))
    }

    @Test("A list that outlives the model is empty")
    func gone() {
      var model: ImageModel? = ImageModel([url("a.png")])
      let list = model!.list
      g_object_ref(UnsafeMutableRawPointer(list))
      defer { g_object_unref(UnsafeMutableRawPointer(list)) }
      model = nil
      #expect(g_list_model_get_n_items(list) == 0 && g_list_model_get_item(list, 0) == nil)
    }
  }
#endif
