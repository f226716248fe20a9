#if Server
  /// A setting of the server: its name, the format of its values, and the property it sets.
  ///
  /// The name is that of the flag and of the file's key. In capitals, with `NUKE_` before it, it is the environment
  /// variable.
  struct ServerSetting: Sendable {
    typealias Configuration = ImageServer.Configuration
    typealias Path<Value> = any WritableKeyPath<Configuration, Value> & Sendable

    enum Shape: Sendable, Hashable {
      /// A Boolean value; the flag needs no value.
      case flag
      /// One value, with its placeholder in the help.
      case value(String)
      /// Several values: the flag may be repeated, commas separate values, and the file has an array or such a text.
      case list(String)
    }

    let name: String
    let shape: Shape
    /// One line for the help, without a full stop.
    let summary: String
    let isSecret: Bool
    var group = ServerSettingGroup.operation
    let set: @Sendable (inout Configuration, [String]) throws(InvalidValue) -> Void
    let get: @Sendable (Configuration) -> [String]

    /// The name of the environment variable.
    var variable: String { "NUKE_" + name.uppercased().replacing("-", with: "_") }

    /// The name of the environment variable with the path of a file that contains the value; `nil` if the value is no
    /// secret.
    var fileVariable: String? { isSecret ? variable + "_FILE" : nil }

    /// Returns `true` if everyone may read a value. All users of a machine can read command lines.
    func isPublic(_ text: String) -> Bool {
      // Only some URLs have a password.
      !isSecret || ["redis-url", "proxy"].contains(name) && !text.contains("@")
    }
  }

  /// A section of the help.
  enum ServerSettingGroup: String, CaseIterable {
    case listening = "Listening"
    case urls = "URLs"
    case sources = "Sources"
    case limits = "Limits"
    case work = "Work"
    case results = "Result cache"
    case images = "Images"
    case responses = "Responses"
    case operation = "Operation"
  }

  /// The reason why a value is invalid, with a description of valid values.
  struct InvalidValue: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  extension ServerSetting {
    init(_ name: String, _ path: Path<Bool>, _ summary: String) {
      self.init(
        name: name, shape: .flag, summary: summary, isSecret: false,
        set: { (configuration, texts) throws(InvalidValue) in
          configuration[keyPath: path] = try SettingText.flag(texts.last ?? "")
        }, get: { [$0[keyPath: path] ? "true" : "false"] })
    }

    init(optionalFlag name: String, _ path: Path<Bool?>, _ summary: String) {
      self.init(
        name: name, shape: .flag, summary: summary, isSecret: false,
        set: { (configuration, texts) throws(InvalidValue) in
          configuration[keyPath: path] = try SettingText.flag(texts.last ?? "")
        }, get: { $0[keyPath: path].map { [$0 ? "true" : "false"] } ?? [] })
    }

    init<Value>(_ name: String, _ path: Path<Value>, _ format: ValueFormat<Value>, _ summary: String) {
      self.init(
        name: name, shape: .value(format.placeholder), summary: summary, isSecret: format.isSecret,
        set: { (configuration, texts) throws(InvalidValue) in
          configuration[keyPath: path] = try format.read(texts.last ?? "")
        }, get: { [format.write($0[keyPath: path])] })
    }

    init<Value>(optional name: String, _ path: Path<Value?>, _ format: ValueFormat<Value>, _ summary: String) {
      self.init(
        name: name, shape: .value(format.placeholder), summary: summary, isSecret: format.isSecret,
        set: { (configuration, texts) throws(InvalidValue) in
          configuration[keyPath: path] = try format.read(texts.last ?? "")
        }, get: { configuration in configuration[keyPath: path].map { [format.write($0)] } ?? [] })
    }

    init<Value>(list name: String, _ path: Path<[Value]>, _ format: ValueFormat<Value>, _ summary: String) {
      self.init(
        name: name, shape: .list(format.placeholder), summary: summary, isSecret: format.isSecret,
        set: { (configuration, texts) throws(InvalidValue) in
          var values: [Value] = []
          for text in texts { values.append(try format.read(text)) }
          configuration[keyPath: path] = values
        }, get: { $0[keyPath: path].map(format.write) })
    }

    /// A list of `KEY=VALUE`. The key may be missing if its placeholder is in brackets.
    init<Key: Hashable, Value>(
      table name: String, _ path: Path<[Key: Value]>, _ key: ValueFormat<Key>, _ value: ValueFormat<Value>,
      _ summary: String
    ) {
      let isKeyOptional = key.placeholder.hasPrefix("[")
      let placeholder = isKeyOptional ? key.placeholder + value.placeholder : "\(key.placeholder)=\(value.placeholder)"
      self.init(
        name: name, shape: .list(placeholder), summary: summary, isSecret: value.isSecret,
        set: { (configuration, texts) throws(InvalidValue) in
          var entries: [Key: Value] = [:]
          for text in texts {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            // The error must not contain a secret.
            let entry = value.isSecret ? "an entry" : text.debugDescription
            guard parts.count == 2 || isKeyOptional else { throw InvalidValue("\(entry) is not \(placeholder)") }
            let name = try key.read(parts.count == 2 ? parts[0] : "")
            guard entries.updateValue(try value.read(parts.last ?? ""), forKey: name) == nil else {
              throw InvalidValue("\(entry) has the name of an earlier entry")
            }
          }
          configuration[keyPath: path] = entries
        },
        get: { configuration in
          configuration[keyPath: path].map { entry in
            let name = key.write(entry.key)
            return name.isEmpty ? value.write(entry.value) : "\(name)=\(value.write(entry.value))"
          }.sorted()
        })
    }
  }
#endif
