#if Redis
  import Nuke

  /// What the keys on a server are called. Each has the SHA-1 of what it stands for, so that none is long, and none tells
  /// an address.
  package struct RedisKeys: Sendable {
    private let prefix: String

    package init(prefix: String) { self.prefix = prefix }

    package func data(_ key: String) -> String { prefix + "data:" + Self.digits(key) }
    package func lease(_ key: String) -> String { prefix + "lease:" + Self.digits(key) }

    private static func digits(_ key: String) -> String { DataCache.filename(for: key) ?? "" }

    /// What SCAN takes for the keys of all data.
    package var patternOfData: String {
      var pattern = ""
      for character in prefix {
        if "*?[]\\^".contains(character) { pattern.append("\\") }
        pattern.append(character)
      }
      return pattern + "data:*"
    }

    func isData(_ key: String) -> Bool { key.hasPrefix(prefix + "data:") }
  }
#endif
