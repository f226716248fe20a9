#if Redis
  package import Foundation
  import Nuke

  /// Commands that are sent together, in the Redis protocol.
  package struct RedisCommands {
    package enum Argument {
      case text(String)
      case number(Int)
      /// Protocol bytes, followed by data.
      case bytes([UInt8], Data)
    }

    /// A buffer that is sent with one system call.
    enum Part {
      case bytes([UInt8])
      case data(Data)

      func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch self {
        case .bytes(let bytes): bytes.withUnsafeBytes(body)
        case .data(let data): data.withUnsafeBytes(body)
        }
      }
    }

    /// The size from which data is sent without being copied into a buffer. Below it, a copy is cheaper than another
    /// system call.
    private static let largeData = 32 << 10

    private var parts: [Part] = []
    /// The protocol bytes after the last part.
    private var tail: [UInt8] = []
    /// The number of expected replies.
    package private(set) var count = 0
    private(set) var byteCount = 0

    package init() {}

    package init(_ arguments: Argument...) { add(arguments) }

    package mutating func add(_ arguments: Argument...) { add(arguments) }

    package mutating func add(_ arguments: [Argument]) {
      count += 1
      append("*\(arguments.count)\r\n")
      for argument in arguments {
        switch argument {
        case .text(let text):
          append("$\(text.utf8.count)\r\n")
          append(text)
        case .number(let number):
          let text = String(number)
          append("$\(text.utf8.count)\r\n\(text)")
        case .bytes(let first, let rest):
          append("$\(first.count + rest.count)\r\n")
          tail.append(contentsOf: first)
          append(rest)
          byteCount += first.count + rest.count
        }
        append("\r\n")
      }
    }

    private mutating func append(_ text: String) {
      tail.append(contentsOf: text.utf8)
      byteCount += text.utf8.count
    }

    private mutating func append(_ data: Data) {
      guard data.count >= Self.largeData else { return data.withUnsafeBytes { tail.append(contentsOf: $0) } }
      parts += [.bytes(tail), .data(data)]
      tail = []
    }

    /// All parts in order. None is empty.
    var allParts: [Part] { tail.isEmpty ? parts : parts + [.bytes(tail)] }
  }

  extension RedisCommands.Argument: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self = .text(text) }
  }

  /// The names of the keys on a server. Each contains the SHA-1 of the cache key, so that the names are short and
  /// reveal no URL.
  package struct RedisKeys: Sendable {
    private let prefix: String

    package init(prefix: String) { self.prefix = prefix }

    package func data(_ key: String) -> String { prefix + "data:" + Self.digits(key) }
    package func lease(_ key: String) -> String { prefix + "lease:" + Self.digits(key) }

    private static func digits(_ key: String) -> String { DataCache.filename(for: key) ?? "" }

    /// The pattern of all data keys, for SCAN.
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
