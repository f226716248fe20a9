#if Server
  import NukeBase

  /// An invalid setting, with the origin of its value and the reason. It may be the first of several that were found
  /// together.
  public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting's name, such as `max-source-bytes`.
    public let setting: String
    /// The origin of the value: `--port`, `NUKE_PORT`, or the name of the file.
    public let origin: String
    public let reason: String
    /// The errors that were found together with this one.
    public private(set) var others: [ConfigurationError] = []

    /// - Parameter origin: the origin of the value. The default is the name of the setting.
    package init(_ setting: String, at origin: String? = nil, _ reason: String) {
      self.setting = setting
      self.origin = origin ?? setting
      self.reason = reason
    }

    /// Creates an error that stands for several; `nil` if there are none.
    init?(_ errors: [ConfigurationError]) {
      let all = errors.flatMap(\.all)
      guard var first = all.first else { return nil }
      first.others = Array(all.dropFirst())
      self = first
    }

    /// This error and those that were found together with it.
    package var all: [ConfigurationError] {
      var first = self
      first.others = []
      return [first] + others
    }

    /// A line for each error.
    public var description: String {
      let text = origin == setting ? "\(setting): \(reason)" : "\(setting) (\(origin)): \(reason)"
      return ([text] + others.map(\.description)).joined(separator: "\n")
    }
  }

  /// Collects errors, so that all of them can be reported at once.
  struct ConfigurationErrors {
    private var errors: [ConfigurationError] = []

    mutating func append(_ error: ConfigurationError) { errors.append(error) }

    /// Returns the result of `body`; `nil` if it throws.
    mutating func collect<Value>(_ body: () throws(ConfigurationError) -> Value) -> Value? {
      do throws(ConfigurationError) {
        return try body()
      } catch {
        errors.append(error)
        return nil
      }
    }

    /// Throws the errors that were collected, if there are any.
    func check() throws(ConfigurationError) {
      if let error = ConfigurationError(errors) { throw error }
    }
  }

  extension String {
    /// Returns the most similar name; `nil` if none is similar. The only name that continues this one is the most similar:
    /// `--tls-cert` stands for `--tls-certificate`, although fewer letters of `--tls-key` differ.
    func nearest(among names: [String]) -> String? {
      let continued = names.filter { $0.lowercased().hasPrefix(lowercased()) }
      if continued.count == 1, let name = continued.first { return name }
      let distances = names.map { (name: $0, distance: lowercased().editDistance(to: $0.lowercased())) }
      guard let best = distances.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
      return best.distance <= Swift.max(2, count / 3) ? best.name : nil
    }
  }
#endif
