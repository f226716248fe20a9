import NukeBase

/// A registry of image decoders. The most recently registered decoder has precedence; the built-in one comes last.
public final class ImageDecoderRegistry: Sendable {
  /// The default registry of pipelines.
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

  /// Creates a registry with the built-in decoder only.
  public init() {
    state = Lock(State())
    register { ImageDecoders.Default(context: $0) }
  }

  /// Returns the decoder for the data in `context`, from the most recent registration that provides one; `nil` if none
  /// does.
  public func decoder(for context: ImageDecodingContext) -> (any ImageDecoding)? {
    for entry in state.withLock({ $0.matches }).reversed() {
      if let decoder = entry.match(context) { return decoder }
    }
    return nil
  }

  /// Registers a decoder. `match` is called for each image, on any thread, and returns `nil` for data that it does not
  /// decode.
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

  /// Removes a registration.
  public func unregister(_ token: RegistrationToken) {
    // The closure is released outside the lock, because an object that it captures may use the registry.
    let removed = state.withLock { state in
      state.matches.firstIndex { $0.token == token }.map { state.matches.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  /// Removes all registrations, including the built-in one.
  public func clear() {
    let removed = state.withLock { exchange(&$0.matches, with: []) }
    withExtendedLifetime(removed) {}
  }
}
