#if Server
  import Foundation
  import NukeCodecs

  // The kinds of settings there are: how each reads its text, and writes it.
  extension ServerSetting {
    typealias Path<Value> = any WritableKeyPath<Configuration, Value> & Sendable

    static func flag(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<Bool>, _ summary: String
    ) -> Self {
      Self(
        name: name, group: group, shape: .flag, summary: summary,
        set: { (configuration, texts) throws(InvalidValue) in
          configuration[keyPath: path] = try SettingText.flag(texts.last ?? "")
        },
        get: { [$0[keyPath: path] ? "true" : "false"] })
    }

    static func text(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<String>, _ placeholder: String, _ summary: String
    ) -> Self {
      value(name, group, path, placeholder, summary, read: SettingText.nonempty, write: { $0 })
    }

    static func optionalText(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<String?>, _ placeholder: String, _ summary: String,
      isSecret: Bool = false
    ) -> Self {
      optional(
        name, group, path, placeholder, summary, isSecret: isSecret, read: SettingText.nonempty, write: { $0 })
    }

    static func integer(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<Int>, _ range: ClosedRange<Int>, _ placeholder: String,
      _ summary: String
    ) -> Self {
      value(
        name, group, path, placeholder, summary,
        read: { (text) throws(InvalidValue) in try SettingText.integer(text, in: range) }, write: { String($0) })
    }

    static func bytes(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<Int>, _ summary: String
    ) -> Self {
      value(name, group, path, "BYTES", summary, read: SettingText.bytes, write: SettingText.write(bytes:))
    }

    static func seconds(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<TimeInterval>, _ summary: String
    ) -> Self {
      value(name, group, path, "TIME", summary, read: SettingText.seconds, write: SettingText.write(seconds:))
    }

    static func list(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<[String]>, _ placeholder: String, _ summary: String
    ) -> Self {
      items(name, group, path, placeholder, summary, read: SettingText.nonempty, write: { $0 })
    }

    /// Bytes that are written in hexadecimal, and shown to nobody.
    static func secrets(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<[Data]>, _ summary: String
    ) -> Self {
      items(name, group, path, "HEX", summary, isSecret: true, read: SettingText.hexadecimal, write: { _ in "" })
    }

    static func value<Value>(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<Value>, _ placeholder: String, _ summary: String,
      read: @escaping @Sendable (String) throws(InvalidValue) -> Value, write: @escaping @Sendable (Value) -> String
    ) -> Self {
      Self(
        name: name, group: group, shape: .value(placeholder), summary: summary,
        set: { (configuration, texts) throws(InvalidValue) in
          configuration[keyPath: path] = try read(texts.last ?? "")
        },
        get: { [write($0[keyPath: path])] })
    }

    static func optional<Value>(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<Value?>, _ placeholder: String, _ summary: String,
      isSecret: Bool = false, read: @escaping @Sendable (String) throws(InvalidValue) -> Value,
      write: @escaping @Sendable (Value) -> String
    ) -> Self {
      Self(
        name: name, group: group, shape: .value(placeholder), summary: summary, isSecret: isSecret,
        set: { (configuration, texts) throws(InvalidValue) in
          configuration[keyPath: path] = try read(texts.last ?? "")
        },
        get: { configuration in configuration[keyPath: path].map { [write($0)] } ?? [] })
    }

    static func items<Value>(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<[Value]>, _ placeholder: String, _ summary: String,
      isSecret: Bool = false, read: @escaping @Sendable (String) throws(InvalidValue) -> Value,
      write: @escaping @Sendable (Value) -> String
    ) -> Self {
      Self(
        name: name, group: group, shape: .list(placeholder), summary: summary, isSecret: isSecret,
        set: { (configuration, texts) throws(InvalidValue) in
          var values: [Value] = []
          for text in texts { values.append(try read(text)) }
          configuration[keyPath: path] = values
        },
        get: { $0[keyPath: path].map(write) })
    }

    /// `name=value` each; the name may be missing where the placeholder has it in brackets.
    static func table<Key: Hashable & Sendable, Value: Sendable>(
      _ name: String, _ group: ServerSettingGroup, _ path: Path<[Key: Value]>, _ placeholder: String,
      _ summary: String, key: @escaping @Sendable (String) throws(InvalidValue) -> Key,
      value: @escaping @Sendable (String) throws(InvalidValue) -> Value,
      write: @escaping @Sendable (Key, Value) -> String
    ) -> Self {
      Self(
        name: name, group: group, shape: .list(placeholder), summary: summary,
        set: { (configuration, texts) throws(InvalidValue) in
          var entries: [Key: Value] = [:]
          for text in texts {
            let equals = text.firstIndex(of: "=")
            guard equals != nil || placeholder.hasPrefix("[") else {
              throw InvalidValue("\(text.debugDescription) is not \(placeholder)")
            }
            let name = try key(equals.map { String(text[..<$0]) } ?? "")
            let rest = equals.map { String(text[text.index(after: $0)...]) } ?? text
            guard entries.updateValue(try value(rest), forKey: name) == nil else {
              throw InvalidValue("\(text.debugDescription) stands for what is said already")
            }
          }
          configuration[keyPath: path] = entries
        },
        get: { $0[keyPath: path].map { write($0.key, $0.value) }.sorted() })
    }
  }
#endif
