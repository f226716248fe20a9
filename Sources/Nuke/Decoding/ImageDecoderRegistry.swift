import NukeImaging

/// The decoders that pipelines choose from. Those registered last are asked first; the built-in one comes last of all.
public final class ImageDecoderRegistry: Sendable {
  /// The registry that pipelines use unless told otherwise.
  public static let shared = ImageDecoderRegistry()

  private typealias Match = @Sendable (ImageDecodingContext) -> (any ImageDecoding)?

  private struct State {
    var matches: [(token: RegistrationToken, match: Match)] = []
    var lastToken = 0
  }

  private let state: Lock<State>

  /// Identifies a registration, so that it can be removed. Returned by ``ImageDecoderRegistry/register(_:)``.
  public struct RegistrationToken: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// A registry of the built-in decoder alone.
  public init() {
    state = Lock(State())
    register { ImageDecoders.Default(context: $0) }
  }

  /// The decoder for some data: that of the newest registration which gives one; `nil` if none does.
  public func decoder(for context: ImageDecodingContext) -> (any ImageDecoding)? {
    for entry in state.withLock({ $0.matches }).reversed() {
      if let decoder = entry.match(context) { return decoder }
    }
    return nil
  }

  /// Adds a decoder. `match` is called for each image, from any thread, and gives `nil` for what it does not decode.
  @discardableResult
  public func register(
    _ match: @escaping @Sendable (ImageDecodingContext) -> (any ImageDecoding)?
  ) -> RegistrationToken {
    state.withLock { state in
      state.lastToken += 1
      let token = RegistrationToken(number: state.lastToken)
      state.matches.append((token, match))
      return token
    }
  }

  /// Takes a registration back.
  public func unregister(_ token: RegistrationToken) {
    state.withLock { $0.matches.removeAll { $0.token == token } }
  }

  /// Removes all registrations, the built-in one too.
  public func clear() { state.withLock { $0.matches = [] } }
}
