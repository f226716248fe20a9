public import NukeCodecs

/// Why an image is not drawn on a terminal.
public enum TerminalImageError: Error, Sendable {
  /// There is no memory to scale it.
  case outOfMemory
  /// It cannot be encoded for the terminal.
  case encodingFailed(CodecError)
  /// This build cannot draw that way: it is made without the trait `Terminal`.
  case notBuilt(TerminalProtocol)
  /// The output takes no more: `error` is that of the closure or file handle.
  case outputFailed(any Error)
}

extension TerminalImageError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String {
    switch self {
    case .outOfMemory: "no memory to scale the image"
    case .encodingFailed(let error): "the image cannot be encoded for the terminal: \(error)"
    case .notBuilt(let method): "this build cannot draw \(method.rawValue): it needs the trait Terminal"
    case .outputFailed(let error): "the terminal cannot be written to: \(error)"
    }
  }
}
