public import Foundation
public import Nuke

/// A decoder that returns a given image for any data, and records its calls.
///
/// ```swift
/// let decoder = FakeDecoder(SampleImage.bitmap(width: 8, height: 8))
/// let pipeline = ImagePipeline.fake(loader: loader) { $0.makeImageDecoder = { _ in decoder } }
/// ```
public final class FakeDecoder: ImageDecoding {
  /// A Boolean value that indicates whether the pipeline uses its decoding queue. See `ImageDecoding/isAsynchronous`.
  public let isAsynchronous: Bool

  private let body: @Sendable (Data) throws -> ImageContainer
  private let gate: Gate?
  private let log: CallLog?
  private let received = Watched([Data]())

  /// Creates a decoder that calls a closure.
  ///
  /// - Parameters:
  ///   - isAsynchronous: `true` if decoding uses the decoding queue.
  ///   - gate: blocks each call, on the decoding thread.
  ///   - log: receives "decode" when a call starts.
  ///   - decode: returns the image. Called on worker threads.
  public init(
    isAsynchronous: Bool = true, gate: Gate? = nil, log: CallLog? = nil,
    decode: @escaping @Sendable (Data) throws -> ImageContainer
  ) {
    self.isAsynchronous = isAsynchronous
    self.gate = gate
    self.log = log
    body = decode
  }

  /// Creates a decoder that always returns `image`.
  public convenience init(
    _ image: PlatformImage, isAsynchronous: Bool = true, gate: Gate? = nil, log: CallLog? = nil
  ) {
    self.init(isAsynchronous: isAsynchronous, gate: gate, log: log) { _ in ImageContainer(image: image) }
  }

  /// The number of calls to `decode(_:)` that have started.
  public var count: Int { received.value.count }
  /// The data of each call, in order.
  public var receivedData: [Data] { received.value }

  /// Waits until at least `count` calls to `decode(_:)` have started, or the waiting task is canceled.
  public func decodes(count: Int) async { _ = await received.wait { $0.count >= count } }

  public func decode(_ data: Data) throws -> ImageContainer {
    log?.append("decode")
    received.change { $0.append(data) }
    gate?.waitBlocking()
    return try body(data)
  }
}
