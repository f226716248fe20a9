#if Server
  import Foundation
  import NukeCodecs

  /// Parses and formats the values of settings.
  enum SettingText {
    static func nonempty(_ text: String) throws(InvalidValue) -> String {
      guard !text.isEmpty else { throw InvalidValue("it is empty") }
      return text
    }

    static func flag(_ text: String) throws(InvalidValue) -> Bool {
      switch text.lowercased() {
      case "true", "yes", "on", "1": true
      case "false", "no", "off", "0": false
      default: throw InvalidValue("\(text.debugDescription) is neither true nor false")
      }
    }

    static func integer(_ text: String, in range: ClosedRange<Int>) throws(InvalidValue) -> Int {
      guard let number = Int(text) else { throw InvalidValue("\(text.debugDescription) is not a whole number") }
      guard range.contains(number) else {
        throw InvalidValue(
          range.upperBound == .max
            ? "\(number) is less than \(range.lowerBound)"
            : "\(number) is not from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }

    // MARK: Sizes

    private static let byteUnits: [(String, Int)] = [
      ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40),
      ("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000), ("B", 1),
    ]

    /// `67108864`, `64 MiB`, `64MB`, `0`.
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

    /// `1.5`, `30s`, `500ms`, `5m`, `24h`.
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
          "\(text.debugDescription) is no format that this build writes: "
            + writable.map(\.rawValue).joined(separator: ", "))
      }
      return format
    }

    static func hexadecimal(_ text: String) throws(InvalidValue) -> Data {
      // The text itself is not told: it is a secret.
      guard !text.isEmpty, text.utf8.count.isMultiple(of: 2) else {
        throw InvalidValue("it is not hexadecimal: two digits a byte")
      }
      var bytes = Data()
      var rest = text[...]
      while !rest.isEmpty {
        guard let byte = UInt8(rest.prefix(2), radix: 16), rest.first != "+" else {
          throw InvalidValue("it is not hexadecimal: two digits a byte")
        }
        bytes.append(byte)
        rest = rest.dropFirst(2)
      }
      return bytes
    }
  }
#endif
