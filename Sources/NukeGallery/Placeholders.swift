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

    // A line has a hash in Base64, a space and a URL. Reading JSON takes more than twice as long, before the window appears.

    /// Reads the hashes of a file; none if it is missing. Damaged lines are ignored.
    init(contentsOf file: URL, limit: Int = 20_000) {
      self.init(limit: limit)
      var rest = ((try? Data(contentsOf: file)).map { [UInt8]($0) } ?? [])[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = rest[..<end]
        rest = rest[(end + 1)...]
        guard let space = line.firstIndex(of: UInt8(ascii: " ")),
          let hash = Data(base64Encoded: Data(line[..<space])).flatMap({ try? ThumbHash($0) }),
          let url = URL(string: String(decoding: line[(space + 1)...], as: UTF8.self))
        else { continue }
        self[url] = hash
      }
    }

    /// Atomically writes all hashes to a file.
    func write(to file: URL) throws {
      let lines = order.compactMap { url in hashes[url].map { "\($0.string) \(url.absoluteString)\n" } }
      try Data(lines.joined().utf8).write(to: file, options: .atomic)
    }
  }
#endif
