public import NukeCodecs

/// The error if an image cannot be drawn on a terminal.
public enum TerminalImageError: Error, Sendable {
  /// There is not enough memory to scale the image.
  case outOfMemory
  /// The image cannot be encoded for the terminal.
  case encodingFailed(CodecError)
  /// This build does not support the protocol, since it was built without the trait `Terminal`.
  case notBuilt(TerminalProtocol)
  /// The library of the protocol cannot be loaded; `reason` names it and the package that contains it.
  case missingLibrary(TerminalProtocol, reason: String)
  /// Writing failed with the error of the closure or file handle.
  case outputFailed(any Error)
}

extension TerminalImageError: CustomStringConvertible {
  /// A description of the error: a phrase without a period at its end, so that other messages can contain it.
  public var description: String {
    switch self {
    case .outOfMemory: "out of memory for scaling the image"
    case .encodingFailed(let error): "the image cannot be encoded for the terminal: \(error)"
    case .notBuilt(let method): "this build cannot draw \(method.rawValue): it needs the trait Terminal"
    case .missingLibrary(let method, let reason):
      "drawing \(method.rawValue) needs a library that cannot be loaded: \(reason)"
    case .outputFailed(let error): "the terminal cannot be written to: \(error)"
    }
  }
}
