#if GTK
  import Foundation
  import Nuke

  /// The hashes of the most recently seen images, of a few bytes each.
  struct Placeholders {
    /// The maximum number of hashes.
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
        // Half are removed at once, which is cheaper.
        let gone = order.prefix(limit / 2)
        for url in gone { hashes[url] = nil }
        order.removeFirst(gone.count)
      }
    }

    mutating func remove(_ url: URL) {
      if hashes.removeValue(forKey: url) != nil { order.removeAll { $0 == url } }
    }

    // MARK: On disk

    private struct Entry: Codable {
      let url: URL
      let hash: ThumbHash
    }

    /// Reads the hashes of a file; none if it is missing or damaged.
    init(contentsOf file: URL, limit: Int = 20_000) {
      self.init(limit: limit)
      guard let data = try? Data(contentsOf: file), let entries = try? JSONDecoder().decode([Entry].self, from: data)
      else { return }
      for entry in entries { self[entry.url] = entry.hash }
    }

    /// Atomically writes all hashes to a file.
    func write(to file: URL) throws {
      let entries = order.compactMap { url in hashes[url].map { Entry(url: url, hash: $0) } }
      try JSONEncoder().encode(entries).write(to: file, options: .atomic)
    }
  }
#endif
