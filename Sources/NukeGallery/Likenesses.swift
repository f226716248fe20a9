#if GTK
  import Foundation
  import Nuke

  /// The hashes of the images seen last, of a few bytes each, which stand for them until they are there again.
  struct Likenesses {
    /// How many are kept at most.
    let limit: Int
    private var hashes: [URL: ThumbHash] = [:]
    private var order: [URL] = []

    init(limit: Int = 20_000) { self.limit = max(2, limit) }

    var count: Int { hashes.count }

    subscript(url: URL) -> ThumbHash? {
      get { hashes[url] }
      set {
        guard let newValue else { return }
        if hashes.updateValue(newValue, forKey: url) == nil { order.append(url) }
        guard hashes.count > limit else { return }
        // Half at once, so that it is cheap.
        let gone = order.prefix(limit / 2)
        for url in gone { hashes[url] = nil }
        order.removeFirst(gone.count)
      }
    }

    // MARK: On disk

    private struct Entry: Codable {
      let url: URL
      let hash: ThumbHash
    }

    /// Those in a file; none where it is missing or damaged.
    init(contentsOf file: URL, limit: Int = 20_000) {
      self.init(limit: limit)
      guard let data = try? Data(contentsOf: file), let entries = try? JSONDecoder().decode([Entry].self, from: data)
      else { return }
      for entry in entries { self[entry.url] = entry.hash }
    }

    /// Replaces a file by one with all of them, or leaves it as it is.
    func write(to file: URL) throws {
      let entries = order.compactMap { url in hashes[url].map { Entry(url: url, hash: $0) } }
      try JSONEncoder().encode(entries).write(to: file, options: .atomic)
    }
  }
#endif
