internal import CNukeWebP
public import Foundation
public import NukeImaging

extension WebPWriter: AnimationWriter {
  /// Encodes an animated image with libwebpmux, which stores the changes between frames.
  ///
  /// Equal consecutive frames are merged. Delays are in milliseconds, at least one, rounded so that the sum stays
  /// correct. A side can have at most 16,383 pixels, and the maximum number of loops is 65,535.
  public func encode(_ animation: Animation) throws -> Data {
    try Self.check(width: animation.pixelWidth, height: animation.pixelHeight)
    var config = try configuration()
    let encoder = try WebPAnimationEncoder(
      width: animation.pixelWidth, height: animation.pixelHeight, loopCount: animation.loopCount)
    let frames = try animation.frames()
    // The exact time in seconds, and the rounded time in milliseconds.
    var (time, timestamp) = (0.0, Int32(0))
    var count = 0
    while let frame = try frames.next() {
      guard let pixels = frame.image.buffer, pixels.width == animation.pixelWidth,
        pixels.height == animation.pixelHeight
      else {
        throw CodecError.encodingFailed(.webp, reason: "frame \(frame.index) and the first frame have different sizes")
      }
      let image = try WebPEncoding(usesARGB: true)
      try image.load(pixels, isOpaque: frame.image.isOpaque)
      try encoder.append(image, at: timestamp, &config)
      time += frame.delay
      timestamp = try Self.timestamp(time, after: timestamp)
      count += 1
    }
    guard count > 0 else { throw CodecError.encodingFailed(.webp, reason: "there is no frame") }
    return try encoder.finish(at: timestamp)
  }

  private static func timestamp(_ time: TimeInterval, after last: Int32) throws(CodecError) -> Int32 {
    let wanted = (time * 1000).rounded()
    // A frame can be shown for at most 2^24 milliseconds.
    guard wanted < Double(Int32.max), wanted - Double(last) < 16_777_216, last < Int32.max else {
      throw .encodingFailed(.webp, reason: "it is longer than the format allows")
    }
    return max(Int32(wanted), last + 1)
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
    options.anim_params.loop_count = Int32(min(max(loopCount, 0), 65_535))
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
