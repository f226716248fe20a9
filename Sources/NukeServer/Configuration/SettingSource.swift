#if Server
  import Configuration
  import Foundation

  /// A source of settings: flags, the environment, or a file.
  struct SettingSource: Sendable {
    /// The value of a setting in a source.
    struct Value: Sendable, Hashable {
      var texts: [String]
      /// The origin of the value, such as the name of the flag.
      var origin: String
    }

    private let values: any ConfigSnapshot
    private let origin: @Sendable (ServerSetting) -> String

    init(_ values: any ConfigSnapshot, origin: @escaping @Sendable (ServerSetting) -> String) {
      self.values = values
      self.origin = origin
    }

    /// The environment variables that begin with `NUKE_`, except those that Kubernetes sets for services with such a
    /// name. The value of a secret may be in a file: `NUKE_KEYS_FILE` is the path of a file with the value of
    /// `NUKE_KEYS`. Several values are in several lines, or separated by commas.
    ///
    /// - Parameters:
    ///   - file: the file that the variables are from, for errors; `nil` for those of this process.
    ///   - errors: receives an error for each variable that cannot be used.
    static func environment(
      _ environment: [String: String], of file: String? = nil, _ errors: inout ConfigurationErrors,
      read: (String) throws -> Data
    ) -> Self {
      func origin(_ name: String) -> String { file.map { "\(name) in \($0)" } ?? name }
      var ours = ours(environment)
      let names = ServerSetting.all.flatMap { [$0.variable, $0.fileVariable].compactMap(\.self) } + ["NUKE_CONFIG"]
      for name in ours.keys.sorted() where !names.contains(name) {
        errors.append(.unknown(name, among: names, origin: file ?? "environment"))
      }
      var origins: [String: String] = [:]
      for setting in ServerSetting.all {
        guard let name = setting.fileVariable, let path = ours.removeValue(forKey: name) else { continue }
        guard ours[setting.variable] == nil else {
          errors.append(
            ConfigurationError(setting.name, at: origin(name), "\(setting.variable) is also set: remove one of them"))
          continue
        }
        let data: Data
        do {
          data = try read(path)
        } catch {
          errors.append(ConfigurationError(setting.name, at: origin(name), FileProblem.reason(path, error)))
          continue
        }
        guard let text = String(data: data, encoding: .utf8) else {
          errors.append(
            ConfigurationError(
              setting.name, at: origin(name), "\(path) is not UTF-8: write the values as text, one in each line"))
          continue
        }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        ours[setting.variable] = lines.filter { !$0.isEmpty }.joined(separator: ",")
        origins[setting.name] = origin(name)
      }
      for setting in ServerSetting.all where origins[setting.name] == nil {
        origins[setting.name] = origin(setting.variable)
      }
      return Self(EnvironmentVariablesProvider(environmentVariables: ours).prefixKeys(with: "nuke").snapshot()) {
        [origins] in origins[$0.name] ?? $0.variable
      }
    }

    /// Returns `true` if the environment has variables of the server, even unknown ones.
    static func isSet(in environment: [String: String]) -> Bool { !ours(environment).isEmpty }

    private static func ours(_ environment: [String: String]) -> [String: String] {
      environment.filter { $0.key.hasPrefix("NUKE_") && !isOfService($0.key, $0.value) }
    }

    /// Returns `true` for variables that Kubernetes adds to the environment for each service, here for one named "nuke"
    /// or "nuke-…": <https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables>.
    private static func isOfService(_ name: String, _ value: String) -> Bool {
      if name.hasSuffix("_PORT"), value.contains("://") { return true }
      return name.wholeMatch(
        of: /NUKE_(.+_)?(SERVICE_(HOST|PORT(_.+)?)|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)/) != nil
    }

    /// Reads a JSON file that contains an object of settings.
    ///
    /// - Parameter errors: receives an error for each key that cannot be used.
    static func file(
      _ path: String, origin: String, _ errors: inout ConfigurationErrors, read: (String) throws -> Data
    ) -> Self? {
      do {
        let data = try read(path)
        guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
          errors.append(ConfigurationError("config", at: origin, Self.notSettings(path)))
          return nil
        }
        for key in object.keys.sorted() {
          guard let setting = ServerSetting.named(key) else {
            errors.append(.unknown(key, among: ServerSetting.all.map(\.name), origin: path))
            continue
          }
          // A snapshot would have no value for it, as if the setting were not in the file.
          if object[key] is [String: Any] {
            errors.append(ConfigurationError(key, at: path, "it is an object, not \(setting.expectation)"))
          }
        }
        let bytes = Array(data)
        let values = try JSONSnapshot(data: bytes.span.bytes, providerName: path, parsingOptions: .default)
        return Self(values) { _ in path }
      } catch {
        let isSyntax = (error as? CocoaError)?.code == .propertyListReadCorrupt
        errors.append(
          ConfigurationError(
            "config", at: origin, isSyntax ? Self.notSettings(path) : FileProblem.reason(path, error)))
        return nil
      }
    }

    /// Returns the value of a setting; `nil` if the source has none.
    func value(of setting: ServerSetting) throws(ConfigurationError) -> Value? {
      let key = AbsoluteConfigKey([setting.name])
      // A file distinguishes numbers from strings; a setting accepts both.
      let types: [ConfigType] =
        switch setting.shape {
        case .flag: [.bool, .string]
        case .value: [.string, .int, .double]
        case .list: [.stringArray, .string]
        }
      for type in types {
        guard let result = try? values.value(forKey: key, type: type) else { continue }
        return result.value.map { Value(texts: Self.texts($0.content, of: setting), origin: origin(setting)) }
      }
      throw ConfigurationError(
        setting.name, at: origin(setting),
        setting.shape == .flag ? "it is neither true nor false" : "it is not \(setting.expectation)")
    }

    /// Creates a source from values by the settings' names.
    ///
    /// - Parameter name: the name of the source.
    init(_ name: String, _ values: [String: Value]) {
      let contents = values.map { name, value in
        let isList = if case .list = ServerSetting.named(name)?.shape { true } else { false }
        return (
          AbsoluteConfigKey([name]),
          ConfigValue(isList ? .stringArray(value.texts) : .string(value.texts.last ?? ""), isSecret: false)
        )
      }
      self.init(InMemoryProvider(name: name, values: Dictionary(uniqueKeysWithValues: contents)).snapshot()) {
        values[$0.name]?.origin ?? name
      }
    }

    private static func texts(_ content: ConfigContent, of setting: ServerSetting) -> [String] {
      switch content {
      // A file may have the list of a flag or a variable, in place of an array.
      case .string(let text):
        if case .list = setting.shape { text.split(separator: ",").map(String.init) } else { [text] }
      case .int(let number): [String(number)]
      case .double(let number): [String(number)]
      case .bool(let isOn): [isOn ? "true" : "false"]
      case .stringArray(let texts): texts.filter { !$0.isEmpty }
      default: []
      }
    }

    private static func notSettings(_ path: String) -> String {
      "\(path) is not JSON with settings, such as {\"port\": 8080}"
    }
  }

  /// Describes files that cannot be read.
  enum FileProblem {
    /// Returns what is wrong with a file, and what to do about it.
    static func reason(_ path: String, _ error: (any Error)? = nil) -> String {
      switch (error as? CocoaError)?.code {
      case .fileReadNoSuchFile?: "there is no file \(path): create it, or set another path"
      case .fileReadNoPermission?: "this user may not read \(path): change its owner or its mode"
      default: "\(path) cannot be read: set the path of a file"
      }
    }
  }

  extension ServerSetting {
    /// A description of valid values in a file.
    fileprivate var expectation: String {
      switch shape {
      case .flag: "true or false"
      case .value: "a text or a number"
      case .list: "a list of texts"
      }
    }
  }

  extension ConfigurationError {
    /// Creates the error for an unknown name, with a similar name as a suggestion.
    static func unknown(_ name: String, among names: [String], origin: String) -> Self {
      let nearest = name.nearest(among: names)
      return Self(
        name, at: origin,
        "unknown setting; " + (nearest.map { "did you mean \($0)?" } ?? "nuke serve --help lists all settings"))
    }
  }
#endif
