public import Nuke

/// A processor that calls a closure, records its calls, and can be blocked.
///
/// Two processors with the same identifier are equal, as real ones are.
public final class FakeProcessor: ImageProcessing {
  /// The identifier.
  public let identifier: String

  private let body: @Sendable (PlatformImage) throws -> PlatformImage
  private let gate: Gate?
  private let log: CallLog?
  private let began = Watched([ImageContainer]())

  /// Creates a processor. By default, it returns images unchanged.
  ///
  /// - Parameters:
  ///   - identifier: the identifier.
  ///   - gate: blocks each call, on the processing thread.
  ///   - log: receives "process" with the identifier when a call starts.
  ///   - process: returns the result. Called on worker threads.
  public init(
    _ identifier: String, gate: Gate? = nil, log: CallLog? = nil,
    process: @escaping @Sendable (PlatformImage) throws -> PlatformImage = { $0 }
  ) {
    self.identifier = identifier
    self.gate = gate
    self.log = log
    body = process
  }

  /// The number of calls that have started.
  public var count: Int { began.value.count }
  /// The containers to process, in order.
  public var receivedContainers: [ImageContainer] { began.value }

  /// Waits until at least `count` calls have started, or the waiting task is canceled.
  public func calls(count: Int) async { _ = await began.wait { $0.count >= count } }

  public func process(_ image: PlatformImage) -> PlatformImage? { try? body(image) }

  public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
    log?.append("process \(identifier)")
    began.change { $0.append(container) }
    gate?.waitBlocking()
    return try container.map(body)
  }
}
