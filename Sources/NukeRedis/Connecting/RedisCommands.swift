#if Redis
  package import Foundation

  /// Commands that are sent together, in Redis's protocol.
  package struct RedisCommands {
    package enum Argument {
      case text(String)
      case number(Int)
      /// Some bytes, and data behind them.
      case bytes([UInt8], Data)
    }

    package private(set) var bytes: [UInt8] = []
    /// Answers to expect.
    package private(set) var count = 0

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
          bytes.reserveCapacity(bytes.count + first.count + rest.count + 2)
          bytes.append(contentsOf: first)
          rest.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        append("\r\n")
      }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
  }

  extension RedisCommands.Argument: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self = .text(text) }
  }
#endif
