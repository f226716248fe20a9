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
    let set: @Sendable (inout Configuration, [String]) throws(InvalidValue) -> Void
    let get: @Sendable (Configuration) -> [String]

    /// `true` if the setting has several values.
    var isList: Bool { if case .list = shape { true } else { false } }

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

  /// A section of the help: the settings for a task.
  enum ServerSettingGroup: String, CaseIterable {
    case first = "First settings"
    case listening = "Accept connections"
    case urls = "Sign and restrict URLs"
    case sources = "Load sources"
    case stores = "Load sources from S3"
    case images = "Choose formats and qualities"
    case watermark = "Draw watermarks"
    case fallback = "Replace missing images"
    case responses = "Send responses"
    case limits = "Limit sources and results"
    case work = "Limit the load"
    case sandbox = "Isolate decoding"
    case results = "Cache results"
    case redis = "Share results in Redis"
    case bucket = "Share results in S3"
    case operation = "Observe and shut down"
    case trial = "Try out and migrate"

    /// The settings that most servers need, in the order in which one sets up a server.
    static let firstNames = [
      "allowed-sources", "local-roots", "keys", "salts", "allow-unsigned", "host", "port", "formats", "quality",
      "disk-cache",
    ]

    /// Creates the group of a setting that is listed with its family, or apart from its section; `nil` for others.
    init?(ofSetting name: String) {
      let families: [(String, Self)] = [
        ("redis-", .redis), ("require-redis", .redis), ("s3-cache", .bucket), ("s3-timeout", .bucket),
        ("s3-", .stores), ("sandbox", .sandbox), ("watermark", .watermark), ("fallback", .fallback),
        ("drain-delay", .operation), ("grace-period", .operation), ("demo", .trial), ("playground", .trial),
        ("imgproxy-environment", .trial),
      ]
      if Self.firstNames.contains(name) {
        self = .first
      } else if let family = families.first(where: { name.hasPrefix($0.0) }) {
        self = family.1
      } else {
        return nil
      }
    }
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
