#if Server
  import Foundation
  import HTTPTypes
  import Nuke
  import NukeCodecs
  import NukeServing

  /// Parses and formats the values of a setting.
  struct ValueFormat<Value: Sendable>: Sendable {
    /// The placeholder for a value in the help.
    let placeholder: String
    /// `true` if values must not be shown.
    var isSecret = false
    let read: @Sendable (String) throws(InvalidValue) -> Value
    let write: @Sendable (Value) -> String
  }

  extension ValueFormat<String> {
    static func text(_ placeholder: String, isSecret: Bool = false) -> Self {
      Self(placeholder: placeholder, isSecret: isSecret, read: SettingText.nonempty, write: { $0 })
    }

    /// The value of a header field that is not a secret.
    static let printable = Self(
      placeholder: "TEXT",
      read: { (text) throws(InvalidValue) in
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
          throw InvalidValue("\(text.debugDescription) is not a text of printable ASCII characters")
        }
        return text
      }, write: { $0 })

    /// A bearer token (RFC 6750 §2.1, and other visible characters).
    static let token = Self(
      placeholder: "TEXT", isSecret: true,
      read: { (text) throws(InvalidValue) in
        // The error must not contain the text, which is a secret.
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
          throw InvalidValue("it is not a text of visible ASCII characters without spaces")
        }
        return text
      }, write: { $0 })

    /// The characters of an entity tag (RFC 9110 §8.8.3).
    static let entityTag = Self(
      placeholder: "TEXT",
      read: { (text) throws(InvalidValue) in
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }) else {
          throw InvalidValue(
            "\(text.debugDescription) is not a text of visible ASCII characters without spaces and quotation marks")
        }
        return text
      }, write: { $0 })

    /// The beginning of the names of metrics.
    static let metricsPrefix = Self(
      placeholder: "TEXT",
      read: { (text) throws(InvalidValue) in
        guard !text.isEmpty, PrometheusText.name(text) == text else {
          throw InvalidValue(
            "\(text.debugDescription) is not the beginning of a name, of ASCII letters, digits and underscores")
        }
        return text
      }, write: { $0 })

    /// An optional name, used as the key of a table's entry.
    static let optionalName = Self(placeholder: "[NAME=]", read: { $0 }, write: { $0 })

    /// A text that may be empty.
    static let separator = Self(placeholder: "TEXT", read: { $0 }, write: { $0 })

    /// A path that begins with a slash and does not end with one.
    static let path = Self(
      placeholder: "PATH",
      read: { (text) throws(InvalidValue) in
        let parts = text.split(separator: "/")
        let isPlain = parts.allSatisfy { part in
          part != "." && part != ".." && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#%".utf8.contains($0) }
        }
        guard isPlain else { throw InvalidValue("\(text.debugDescription) is not a path, such as /images") }
        return parts.map { "/" + $0 }.joined()
      }, write: { $0 })

    /// Any of the names of an option.
    static let optionName = Self(
      placeholder: "OPTION",
      read: { (text) throws(InvalidValue) in
        guard ImageOption(text).longName != nil else {
          throw InvalidValue("\(text.debugDescription) is not the name of an option")
        }
        return text
      }, write: { $0 })

    /// An origin as browsers send it (RFC 6454, section 6.1), or `*` for all.
    static let origin = Self(
      placeholder: "ORIGIN",
      read: { (text) throws(InvalidValue) in
        if ["*", "null"].contains(text) { return text }
        guard let parts = URLComponents(string: text), parts.scheme != nil, parts.host?.isEmpty == false,
          parts.path.isEmpty, parts.user == nil, parts.query == nil, parts.fragment == nil
        else {
          throw InvalidValue("\(text.debugDescription) is not an origin, such as https://example.com, without a path")
        }
        return text.lowercased()
      }, write: { $0 })

    /// The name of a header field that can be passed on.
    static let passedHeader = Self(
      placeholder: "NAME",
      read: { (text) throws(InvalidValue) in
        guard FieldPassthrough.isAllowed(text) else {
          throw InvalidValue(
            "\(text.debugDescription) cannot be passed on"
              + (text.lowercased() == "cookie" ? "; use cookie-passthrough" : " to sources"))
        }
        return text
      }, write: { $0 })
  }

  extension ValueFormat<String> {
    /// The name of a header field (RFC 9110 §5.1).
    static let fieldName = Self(
      placeholder: "NAME",
      read: { (text) throws(InvalidValue) in
        guard HTTPField.Name(text) != nil else {
          throw InvalidValue("\(text.debugDescription) is not the name of a header field")
        }
        return text
      }, write: { $0 })

    /// The value of a header field, which may be a secret.
    static let fieldValue = Self(
      placeholder: "TEXT", isSecret: true,
      read: { (text) throws(InvalidValue) in
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
          throw InvalidValue("a value is empty, or has characters that are not allowed in a header field")
        }
        return text
      }, write: { $0 })
  }

  extension ValueFormat<URL> {
    /// The base URL of an OpenTelemetry collector.
    static let collector = Self(
      placeholder: "URL",
      read: { (text) throws(InvalidValue) in
        // The error must not contain the text, which may have a password.
        guard let url = URL(escaping: text), ["http", "https"].contains(url.scheme?.lowercased()),
          url.host?.isEmpty == false, url.user == nil, url.query == nil, url.fragment == nil
        else {
          throw InvalidValue(
            "it is not the http or https URL of a collector without user name and query, such as "
              + "http://127.0.0.1:4318; credentials belong in otlp-headers")
        }
        return url
      }, write: { $0.absoluteString })

    /// A proxy that resolves names.
    static let proxy = Self(
      placeholder: "URL", isSecret: true,
      read: { (text) throws(InvalidValue) in
        // The error must not contain the text, which may have a password. libcurl's default port is an unusual one.
        guard let url = URL(escaping: text), ["http", "https", "socks5h"].contains(url.scheme?.lowercased()),
          url.host?.isEmpty == false, url.port != nil, url.path.isEmpty || url.path == "/", url.query == nil
        else {
          throw InvalidValue(
            "it is not the URL of a proxy with its port, such as http://proxy.example.com:3128, https:// or socks5h://")
        }
        return url
      }, write: { $0.absoluteString })
  }

  extension ValueFormat<SourceReplacement> {
    static let replacement = Self(
      placeholder: "PATTERN=TEXT",
      read: { (text) throws(InvalidValue) in
        guard let replacement = SourceReplacement(text) else {
          throw InvalidValue("\(text.debugDescription) is not a replacement, such as photos://=https://example.com/")
        }
        return replacement
      }, write: { $0.description })
  }

  extension ValueFormat<Int> {
    static func integer(_ range: ClosedRange<Int>, _ placeholder: String = "COUNT") -> Self {
      Self(
        placeholder: placeholder, read: { (text) throws(InvalidValue) in try SettingText.integer(text, in: range) },
        write: { String($0) })
    }

    /// An integer of at least 1.
    static let count = integer(1...Int.max)
    static let bytes = Self(placeholder: "BYTES", read: SettingText.bytes, write: SettingText.write(bytes:))
    /// The status of a final response, or 0.
    static let fallbackStatus = Self(
      placeholder: "STATUS",
      read: { (text) throws(InvalidValue) in
        let status = try SettingText.integer(text, in: 0...599)
        guard status == 0 || status >= 200 else { throw InvalidValue("\(status) is neither 0 nor from 200 to 599") }
        return status
      }, write: { String($0) })
    static let wholeSeconds = Self(
      placeholder: "TIME", read: { (text) throws(InvalidValue) in Int(try SettingText.seconds(text)) },
      write: { SettingText.write(seconds: Double($0)) })
  }

  extension ValueFormat<Double> {
    /// A number from 0 to 1.
    static let ratio = Self(
      placeholder: "0–1",
      read: { (text) throws(InvalidValue) in
        guard let number = Double(text), (0...1).contains(number) else {
          throw InvalidValue("\(text.debugDescription) is not a number from 0 to 1")
        }
        return number
      }, write: { Int(exactly: $0).map { String($0) } ?? String($0) })
  }

  extension ValueFormat<TimeInterval> {
    static let seconds = Self(placeholder: "TIME", read: SettingText.seconds, write: SettingText.write(seconds:))
    /// A time limit, which is more than 0.
    static let limit = Self(
      placeholder: "TIME",
      read: { (text) throws(InvalidValue) in
        let seconds = try SettingText.seconds(text)
        guard seconds > 0 else { throw InvalidValue("\(text.debugDescription) is not more than 0 seconds") }
        return seconds
      }, write: SettingText.write(seconds:))
  }

  extension ValueFormat<Data> {
    /// Secret bytes in hexadecimal.
    static let secret = Self(placeholder: "HEX", isSecret: true, read: SettingText.hexadecimal, write: { _ in "" })

    /// A secret key of AES in hexadecimal.
    static let encryptionKey = Self(
      placeholder: "HEX", isSecret: true,
      read: { (text) throws(InvalidValue) in
        let key = try SettingText.hexadecimal(text)
        guard SourceCipher(key: [UInt8](key)) != nil else {
          throw InvalidValue("the key has \(key.count) bytes, and not 16, 24 or 32")
        }
        return key
      }, write: { _ in "" })
  }

  extension ValueFormat<Data> {
    /// A file in Base64.
    static let base64 = Self(
      placeholder: "BASE64",
      read: { (text) throws(InvalidValue) in
        // Programs that encode files write several lines.
        guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }), !data.isEmpty else {
          throw InvalidValue("it is not Base64")
        }
        return data
      }, write: { $0.base64EncodedString() })
  }

  extension ValueFormat<ImageFormat> {
    /// Any format of a source.
    static let sourceFormat = Self(
      placeholder: "FORMAT",
      read: { (text) throws(InvalidValue) in
        guard let format = ImageFormat(urlExtension: text) else {
          throw InvalidValue(
            "\(text.debugDescription) is not a format: "
              + ImageFormat.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return format
      }, write: { $0.rawValue })

    static let imageFormat = Self(placeholder: "FORMAT", read: SettingText.format, write: { $0.rawValue })
  }

  extension ValueFormat where Value: RawRepresentable<String> & CaseIterable {
    /// One of the cases of an enumeration.
    static var choice: Self {
      let names = Value.allCases.map(\.rawValue)
      return Self(
        placeholder: names.joined(separator: "|"),
        read: { (text) throws(InvalidValue) in
          guard let value = Value(rawValue: text) else {
            throw InvalidValue("\(text.debugDescription) is not one of \(names.joined(separator: ", "))")
          }
          return value
        }, write: { $0.rawValue })
    }
  }

  /// Parses and formats the values of settings.
  enum SettingText {
    static func nonempty(_ text: String) throws(InvalidValue) -> String {
      guard !text.isEmpty else { throw InvalidValue("it is empty: set a value, or remove it") }
      return text
    }

    static func flag(_ text: String) throws(InvalidValue) -> Bool {
      switch text.lowercased() {
      case "true", "t", "yes", "on", "1": true
      case "false", "f", "no", "off", "0": false
      default: throw InvalidValue("\(text.debugDescription) is neither true nor false")
      }
    }

    static func integer(_ text: String, in range: ClosedRange<Int>) throws(InvalidValue) -> Int {
      guard let number = Int(text), range.contains(number) else {
        let valid =
          range.upperBound == .max
          ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        throw InvalidValue("\(text.debugDescription) is not an integer \(valid)")
      }
      return number
    }

    // MARK: Sizes

    private static let byteUnits: [(String, Int)] = [
      ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
      ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000), ("B", 1),
    ]

    /// Parses a size, such as `67108864`, `64 MiB`, `64MB`, or `0`.
    static func bytes(_ text: String) throws(InvalidValue) -> Int {
      let lowered = text.lowercased()
      let unit = byteUnits.first { lowered.hasSuffix($0.0.lowercased()) }
      let digits = lowered.dropLast(unit?.0.count ?? 0).trimmingCharacters(in: .whitespaces)
      guard let number = Double(digits), number >= 0, number.isFinite else {
        throw InvalidValue("\(text.debugDescription) is not a size, such as 64MiB or 1000000")
      }
      let size = number * Double(unit?.1 ?? 1)
      guard size < 0x1p62 else { throw InvalidValue("\(text.debugDescription) is too large") }
      return Int(size)
    }

    static func write(bytes: Int) -> String {
      let unit = byteUnits[..<4].last { bytes >= $0.1 && bytes.isMultiple(of: $0.1) }
      return unit.map { "\(bytes / $0.1)\($0.0)" } ?? String(bytes)
    }

    // MARK: Times

    /// Parses a duration, such as `1.5`, `30s`, `500ms`, `5m`, or `24h`.
    static func seconds(_ text: String) throws(InvalidValue) -> TimeInterval {
      let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
      let lowered = text.lowercased()
      let unit = units.first { lowered.hasSuffix($0.0) }
      let digits = lowered.dropLast(unit?.0.count ?? 0).trimmingCharacters(in: .whitespaces)
      guard let number = Double(digits), number >= 0, number * (unit?.1 ?? 1) < 0x1p31 else {
        throw InvalidValue("\(text.debugDescription) is not a time, such as 30s, 500ms or 5m")
      }
      return number * (unit?.1 ?? 1)
    }

    static func write(seconds: TimeInterval) -> String {
      if seconds >= 1, seconds == seconds.rounded() { return "\(Int(seconds))s" }
      let milliseconds = (seconds * 1000).rounded()
      return "\(Int(milliseconds))ms"
    }

    // MARK: Formats, keys

    static func format(_ text: String) throws(InvalidValue) -> ImageFormat {
      let name = text.lowercased() == "jpg" ? "jpeg" : text.lowercased()
      let writable = ImageFormat.writable
      guard let format = writable.first(where: { $0.rawValue == name }) else {
        throw InvalidValue(
          "\(text.debugDescription) is not a format that this build writes: "
            + writable.map(\.rawValue).joined(separator: ", "))
      }
      return format
    }

    static func hexadecimal(_ text: String) throws(InvalidValue) -> Data {
      // The error must not contain the text, which is a secret.
      guard let bytes = PercentEncoding.bytes(hexadecimal: text) else {
        throw InvalidValue("it is not hexadecimal: use two digits per byte")
      }
      return Data(bytes)
    }
  }
#endif
