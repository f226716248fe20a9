public import Foundation
public import Nuke

/// A decoder that gives an image of the test's choice for any data, and counts.
///
/// ```swift
/// let decoder = FakeDecoder(SampleImage.bitmap(width: 8, height: 8))
/// let pipeline = ImagePipeline.fake(loader: loader) { $0.makeImageDecoder = { _ in decoder } }
/// ```
public final class FakeDecoder: ImageDecoding {
  /// A Boolean value that indicates whether the pipeline sends the work to its decoding queue; see
  /// `ImageDecoding/isAsynchronous`.
  public let isAsynchronous: Bool

  private let body: @Sendable (Data) throws -> ImageContainer
  private let gate: Gate?
  private let log: CallLog?
  private let received = Watched([Data]())

  /// A decoder whose result `decode` gives.
  ///
  /// - Parameters:
  ///   - isAsynchronous: whether decoding waits in the decoding queue.
  ///   - gate: holds each decode back, on the thread that decodes.
  ///   - log: gets "decode" at the beginning of each decode.
  ///   - decode: is called on worker threads.
  public init(
    isAsynchronous: Bool = true, gate: Gate? = nil, log: CallLog? = nil,
    decode: @escaping @Sendable (Data) throws -> ImageContainer
  ) {
    self.isAsynchronous = isAsynchronous
    self.gate = gate
    self.log = log
    body = decode
  }

  /// A decoder that always gives `image`.
  public convenience init(
    _ image: PlatformImage, isAsynchronous: Bool = true, gate: Gate? = nil, log: CallLog? = nil
  ) {
    self.init(isAsynchronous: isAsynchronous, gate: gate, log: log) { _ in ImageContainer(image: image) }
  }

  /// The number of decodes that have begun.
  public var count: Int { received.value.count }
  /// The data to decode, in order.
  public var receivedData: [Data] { received.value }

  /// Returns once `count` decodes or more have begun.
  public func decodes(count: Int) async { _ = await received.wait { $0.count >= count } }

  public func decode(_ data: Data) throws -> ImageContainer {
    log?.append("decode")
    received.change { $0.append(data) }
    gate?.waitBlocking()
    return try body(data)
  }
}
