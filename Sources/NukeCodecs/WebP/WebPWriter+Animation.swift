internal import CNukeWebP
public import Foundation
public import NukeImaging

extension WebPWriter: AnimationWriter {
  /// Encodes an animated image with libwebpmux, which stores the changes between frames.
  ///
  /// Equal consecutive frames are merged. Delays are in milliseconds, at least one, rounded so that the sum stays
  /// correct. A side can have at most 16,383 pixels, and the maximum number of loops is 65,535.
  public func encode(_ animation: Animation) throws -> Data {
    let frames = try CheckedFrames(animation, .webp, maximumSide: Self.maximumSide)
    var config = try configuration()
    let encoder = try WebPAnimationEncoder(
      width: animation.pixelWidth, height: animation.pixelHeight, loopCount: animation.loopCount(atMost: 65_535))
    var clock = MillisecondClock()
    var isOpaque = true
    try frames.forEach { frame in
      let image = try WebPEncoding(usesARGB: true)
      isOpaque = isOpaque && frame.image.isOpaque
      try image.load(frame.pixels, isOpaque: frame.image.isOpaque)
      try encoder.append(image, at: clock.time, &config)
      _ = try clock.advance(by: frame.delay, .webp, longest: 1 << 24 - 1)
    }
    return metadata.embedded(
      inWebP: try encoder.finish(at: clock.time), width: animation.pixelWidth, height: animation.pixelHeight,
      hasAlpha: !isOpaque)
  }
}

/// libwebpmux's encoder for an animation.
private final class WebPAnimationEncoder {
  private let handle: OpaquePointer

  init(width: Int, height: Int, loopCount: Int) throws(CodecError) {
    var options = WebPAnimEncoderOptions()
    guard WebPAnimEncoderOptionsInit(&options) != 0 else {
      throw .encodingFailed(.webp, reason: "this version of libwebpmux is not supported")
    }
    options.anim_params.loop_count = Int32(clamping: loopCount)
    // Transparent, as in this package's reader, even though other readers may ignore it.
    options.anim_params.bgcolor = 0
    guard let handle = WebPAnimEncoderNew(Int32(width), Int32(height), &options) else {
      throw .outOfMemory(.webp, byteCount: width * height * 4)
    }
    self.handle = handle
  }

  deinit { WebPAnimEncoderDelete(handle) }

  func append(_ image: WebPEncoding, at timestamp: Int32, _ config: inout WebPConfig) throws(CodecError) {
    guard WebPAnimEncoderAdd(handle, image.picture, timestamp, &config) != 0 else { throw failure() }
  }

  func finish(at timestamp: Int32) throws(CodecError) -> Data {
    guard WebPAnimEncoderAdd(handle, nil, timestamp, nil) != 0 else { throw failure() }
    var output = WebPData()
    WebPDataInit(&output)
    defer { WebPDataClear(&output) }
    guard WebPAnimEncoderAssemble(handle, &output) != 0, let bytes = output.bytes else { throw failure() }
    return Data(bytes: bytes, count: output.size)
  }

  private func failure() -> CodecError {
    .encodingFailed(.webp, reason: WebPAnimEncoderGetError(handle).map { String(cString: $0) } ?? "libwebpmux failed")
  }
}
