public import Foundation
public import NukeCodecs

extension ImageDecoders {
  /// Decodes a frame of an MP4, MOV or WebM video and attaches the data of the video to the container.
  ///
  /// ``ImageDecoders/Default`` decodes videos too. Register this decoder to select another frame than the first one for
  /// all requests that select none:
  ///
  /// ```swift
  /// ImageDecoderRegistry.shared.register { context in
  ///   ImageDecoders.Video(context: context, posterFrame: .representative(of: 10))
  /// }
  /// ```
  ///
  /// The package's trait Video is required.
  public struct Video: ImageDecoding {
    private let posterFrame: PosterFrame
    private let limits: CodecLimits

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - posterFrame: the frame to decode.
    ///   - limits: the limits of the image.
    public init(posterFrame: PosterFrame = .first, limits: CodecLimits = .init()) {
      self.posterFrame = posterFrame
      self.limits = limits
    }

    /// Creates the decoder for a context, with the frame of its request. Returns `nil` for data that is not a video.
    ///
    /// - Parameters:
    ///   - context: the data of the video, and the request.
    ///   - posterFrame: the frame for requests with the default value of ``ImageRequest/posterFrame``.
    public init?(context: ImageDecodingContext, posterFrame: PosterFrame) {
      guard ImageFormat(sniffing: context.data)?.isVideo == true else { return nil }
      self.init(posterFrame: context.request.posterFrame == .first ? posterFrame : context.request.posterFrame)
    }

    /// Creates the decoder for a context, with the frame of its request. Returns `nil` for data that is not a video.
    public init?(context: ImageDecodingContext) { self.init(context: context, posterFrame: .first) }

    public func decode(_ data: Data) throws -> ImageContainer {
      try ImageDecoders.Default(limits: limits, thumbnail: nil, posterFrame: posterFrame).decode(data)
    }
  }
}
