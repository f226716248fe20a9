public import Foundation
public import FoundationNetworking

/// Makes images of encoded data. Called on worker threads.
public protocol DataDecoding: Sendable {
  /// The image; `nil` if there is none in the data, with which loading fails.
  ///
  /// - Parameters:
  ///   - data: all of the encoded data.
  ///   - response: the server's answer; one without a type where the data did not come from a server.
  func decode(data: Data, response: URLResponse) -> Image?
}

/// Decodes every format of this build.
public struct DataDecoder: DataDecoding {
  /// A decoder. A ``Loader`` that has one decodes as `ImageDecoderRegistry.shared` says.
  public init() {}

  public func decode(data: Data, response: URLResponse) -> Image? { Image(data: data) }
}
