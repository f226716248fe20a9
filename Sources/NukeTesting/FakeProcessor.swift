public import Nuke

/// A processor that does what a test says, counts, and can be held back.
///
/// Two with the same name stand for the same processing, as the identifiers of real processors do.
public final class FakeProcessor: ImageProcessing {
  /// The name it was made with.
  public let identifier: String

  private let body: @Sendable (PlatformImage) throws -> PlatformImage
  private let gate: Gate?
  private let log: CallLog?
  private let began = Watched([ImageContainer]())

  /// A processor that gives images back as they are, unless `process` says otherwise.
  ///
  /// - Parameters:
  ///   - identifier: its name.
  ///   - gate: holds each call back, on the thread that processes.
  ///   - log: gets "process" with the name at the beginning of each call.
  ///   - process: is called on worker threads.
  public init(
    _ identifier: String, gate: Gate? = nil, log: CallLog? = nil,
    process: @escaping @Sendable (PlatformImage) throws -> PlatformImage = { $0 }
  ) {
    self.identifier = identifier
    self.gate = gate
    self.log = log
    body = process
  }

  /// The number of calls that have begun.
  public var count: Int { began.value.count }
  /// The containers to process, in order.
  public var receivedContainers: [ImageContainer] { began.value }

  /// Returns once `count` calls or more have begun.
  public func calls(count: Int) async { _ = await began.wait { $0.count >= count } }

  public func process(_ image: PlatformImage) -> PlatformImage? { try? body(image) }

  public func process(_ container: ImageContainer, context: ImageProcessingContext) throws -> ImageContainer {
    log?.append("process \(identifier)")
    began.change { $0.append(container) }
    gate?.waitBlocking()
    return try container.map(body)
  }
}
