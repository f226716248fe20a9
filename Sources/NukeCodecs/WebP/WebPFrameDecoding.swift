internal import CNukeWebP
import Foundation
import NukeImaging

extension WebPContainer.Frame {
  /// Decodes into straight RGBA8.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - target: the upper left pixel; as many rows as ``area`` is high.
  ///   - bytesPerRow: from one row to the next.
  func decode(
    _ bytes: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int
  ) throws(CodecError) {
    guard !data.isEmpty, let input = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      throw isCut ? .truncated(.webp, byteCount: bytes.count) : malformed("a frame has no picture")
    }
    var config = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&config) != 0 else {
      throw .unsupported(.webp, feature: "the interface of this version of libwebp")
    }
    try check(WebPGetFeatures(input + data.lowerBound, data.count, &config.input), bytes)
    // The memory behind `target` was sized by the container: what the picture says itself must agree.
    guard Int(config.input.width) == area.width, Int(config.input.height) == area.height else {
      throw malformed(
        "a frame of \(config.input.width)x\(config.input.height) where \(area.width)x\(area.height) is due")
    }
    config.output.colorspace = MODE_RGBA
    config.output.is_external_memory = 1
    config.output.u.RGBA.rgba = target
    config.output.u.RGBA.stride = Int32(bytesPerRow)
    config.output.u.RGBA.size = bytesPerRow * (area.height - 1) + area.width * 4
    try check(WebPDecode(input + data.lowerBound, data.count, &config), bytes)
  }

  private func malformed(_ reason: String) -> CodecError {
    .malformed(.webp, reason: reason, offset: data.lowerBound)
  }

  private func check(_ status: VP8StatusCode, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory(.webp, byteCount: area.width * area.height * 4)
    case _ where isCut: throw .truncated(.webp, byteCount: bytes.count)
    case VP8_STATUS_UNSUPPORTED_FEATURE: throw .unsupported(.webp, feature: "a feature that libwebp does not know")
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw malformed("the picture ends too early")
    default: throw malformed("the picture cannot be decoded")
    }
  }
}
