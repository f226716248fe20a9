#if Server
  /// One thing that a server can be told: its name, how it is said, and where it goes.
  ///
  /// The name is that of the flag, of the file's key, and, in capitals with `NUKE_` before it, of the variable.
  struct ServerSetting: Sendable {
    typealias Configuration = ImageServer.Configuration

    /// How values are said.
    enum Shape: Sendable, Hashable {
      /// On or off; the flag needs no value.
      case flag
      /// One value, and what stands for it in the help.
      case value(String)
      /// Several: the flag may be repeated, commas separate, the file has an array.
      case list(String)
    }

    let name: String
    let group: ServerSettingGroup
    let shape: Shape
    /// A line for the help, without its full stop.
    let summary: String
    var isSecret = false
    let set: @Sendable (inout Configuration, [String]) throws(InvalidValue) -> Void
    let get: @Sendable (Configuration) -> [String]

    /// As an environment spells the name.
    var variable: String { "NUKE_" + name.uppercased().replacing("-", with: "_") }
  }

  /// Where in the help a setting stands.
  enum ServerSettingGroup: String, CaseIterable {
    case listening = "Listening"
    case urls = "URLs"
    case sources = "Sources"
    case limits = "Limits"
    case work = "Work"
    case results = "Stores of results"
    case pictures = "Pictures"
    case answers = "Answers"
    case operation = "Operation"
  }

  /// Why a value is none: what would be one.
  struct InvalidValue: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }
#endif
