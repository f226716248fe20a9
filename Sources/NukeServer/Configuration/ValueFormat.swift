#if Server
  import Foundation
  import NukeCodecs

  /// Parses and formats the values of a setting.
  struct ValueFormat<Value: Sendable>: Sendable {
    /// Stands for a value in the help.
    let placeholder: String
    /// `true` if values are shown to nobody.
    var isSecret = false
    let read: @Sendable (String) throws(InvalidValue) -> Value
    let write: @Sendable (Value) -> String
  }

  extension ValueFormat<String> {
    static func text(_ placeholder: String, isSecret: Bool = false) -> Self {
      Self(placeholder: placeholder, isSecret: isSecret, read: SettingText.nonempty, write: { $0 })
    }

    /// The key of a table's entry, or nothing.
    static let optionalName = Self(placeholder: "[NAME=]", read: { $0 }, write: { $0 })

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
  }

  extension ValueFormat<Int> {
    static func integer(_ range: ClosedRange<Int>, _ placeholder: String = "COUNT") -> Self {
      Self(
        placeholder: placeholder, read: { (text) throws(InvalidValue) in try SettingText.integer(text, in: range) },
        write: { String($0) })
    }

    /// 1 or more.
    static let count = integer(1...Int.max)
    static let bytes = Self(placeholder: "BYTES", read: SettingText.bytes, write: SettingText.write(bytes:))
    static let wholeSeconds = Self(
      placeholder: "TIME", read: { (text) throws(InvalidValue) in Int(try SettingText.seconds(text)) },
      write: { SettingText.write(seconds: Double($0)) })
  }

  extension ValueFormat<TimeInterval> {
    static let seconds = Self(placeholder: "TIME", read: SettingText.seconds, write: SettingText.write(seconds:))
  }

  extension ValueFormat<Data> {
    /// Secret bytes in hexadecimal.
    static let secret = Self(placeholder: "HEX", isSecret: true, read: SettingText.hexadecimal, write: { _ in "" })
  }

  extension ValueFormat<ImageFormat> {
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
            throw InvalidValue("\(text.debugDescription) is none of \(names.joined(separator: ", "))")
          }
          return value
        }, write: { $0.rawValue })
    }
  }
#endif
