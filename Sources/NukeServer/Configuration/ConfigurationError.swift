#if Server
  import NukeBase

  /// An invalid setting, with the origin of its value and the reason.
  public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The setting's name, such as `max-source-bytes`.
    public let setting: String
    /// The origin of the value: `--port`, `NUKE_PORT`, or the name of the file.
    public let origin: String
    public let reason: String

    /// - Parameter origin: the origin of the value. The default is the name of the setting.
    package init(_ setting: String, at origin: String? = nil, _ reason: String) {
      self.setting = setting
      self.origin = origin ?? setting
      self.reason = reason
    }

    public var description: String {
      origin == setting ? "\(setting): \(reason)" : "\(setting) (\(origin)): \(reason)"
    }
  }

  extension String {
    /// Returns the most similar name; `nil` if none is similar.
    func nearest(among names: [String]) -> String? {
      let distances = names.map { (name: $0, distance: lowercased().editDistance(to: $0.lowercased())) }
      guard let best = distances.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
      return best.distance <= Swift.max(2, count / 3) ? best.name : nil
    }
  }
#endif
