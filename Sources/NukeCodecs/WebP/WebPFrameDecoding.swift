internal import CNukeCodecs
internal import CNukeWebP
import Foundation

extension WebPContainer.Frame {
  /// Decodes into straight RGBA8.
  ///
  /// - Parameters:
  ///   - bytes: the complete file.
  ///   - target: the address of the upper left pixel, with as many rows as the height of ``area``.
  ///   - bytesPerRow: the number of bytes from one row to the next.
  ///   - isCancelled: called repeatedly, if given.
  func decode(
    _ bytes: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int,
    isCancelled: (() -> Bool)? = nil
  ) throws(CodecError) {
    var config = try config(bytes, target: target, bytesPerRow: bytesPerRow)
    try decode(bytes, &config, isCancelled)
  }

  /// Decodes a lossy frame to luma and chroma, without converting them to RGB.
  ///
  /// - Parameters:
  ///   - bytes: the complete file.
  ///   - planes: a buffer of ``planeByteCount`` bytes.
  ///   - isCancelled: called repeatedly, if given.
  func decodePlanes(
    _ bytes: UnsafeRawBufferPointer, to planes: UnsafeMutablePointer<UInt8>, isCancelled: (() -> Bool)?
  ) throws(CodecError) -> nuke_planes_420 {
    let (luma, chromaWidth) = (area.width * area.height, (area.width + 1) / 2)
    let chroma = chromaWidth * ((area.height + 1) / 2)
    let (u, v) = (planes + luma, planes + luma + chroma)
    var config = try config(bytes)
    config.output.colorspace = MODE_YUV
    config.output.is_external_memory = 1
    config.output.u.YUVA.y = planes
    config.output.u.YUVA.u = u
    config.output.u.YUVA.v = v
    config.output.u.YUVA.y_stride = Int32(area.width)
    config.output.u.YUVA.u_stride = Int32(chromaWidth)
    config.output.u.YUVA.v_stride = Int32(chromaWidth)
    config.output.u.YUVA.y_size = luma
    config.output.u.YUVA.u_size = chroma
    config.output.u.YUVA.v_size = chroma
    try decode(bytes, &config, isCancelled)
    return nuke_planes_420(y: planes, u: u, v: v, width: UInt32(area.width), height: UInt32(area.height))
  }

  /// The size of luma and chroma in bytes.
  var planeByteCount: Int { area.width * area.height + (area.width + 1) / 2 * ((area.height + 1) / 2) * 2 }

  /// Configures libwebp to decode into straight RGBA8, for an image of the size in the container.
  func config(
    _ bytes: UnsafeRawBufferPointer, target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int
  ) throws(CodecError) -> WebPDecoderConfig {
    var config = try config(bytes)
    config.output.colorspace = MODE_RGBA
    config.output.is_external_memory = 1
    config.output.u.RGBA.rgba = target
    config.output.u.RGBA.stride = Int32(bytesPerRow)
    config.output.u.RGBA.size = bytesPerRow * (area.height - 1) + area.width * 4
    return config
  }

  /// Returns a configuration without an output, for an image of the size in the container.
  private func config(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> WebPDecoderConfig {
    guard !data.isEmpty, let input = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      throw isTruncated ? .truncated(.webp, byteCount: bytes.count) : malformed("a frame has no image")
    }
    var config = WebPDecoderConfig()
    guard WebPInitDecoderConfig(&config) != 0 else {
      throw .unsupported(.webp, feature: "any image with this version of libwebp")
    }
    try check(WebPGetFeatures(input + data.lowerBound, data.count, &config.input), bytes)
    // Memory was allocated for the size in the container. The size in the bitstream must be the same.
    guard Int(config.input.width) == area.width, Int(config.input.height) == area.height else {
      throw malformed(
        "a frame of \(config.input.width)x\(config.input.height) pixels instead of \(area.width)x\(area.height)")
    }
    return config
  }

  /// The size of the chunks that are passed to libwebp, if it can be canceled between them: a few milliseconds of work.
  private static let sliceSize = 128 << 10

  private func decode(
    _ bytes: UnsafeRawBufferPointer, _ config: inout WebPDecoderConfig, _ isCancelled: (() -> Bool)?
  ) throws(CodecError) {
    guard let first = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let input = first + data.lowerBound
    guard let isCancelled, data.count > Self.sliceSize else {
      return try check(WebPDecode(input, data.count, &config), bytes)
    }
    guard let decoder = WebPIncrementalDecoder(config) else {
      throw .outOfMemory(.webp, byteCount: area.width * area.height * 4)
    }
    var count = 0
    while true {
      if isCancelled() { throw .cancelled(.webp) }
      count = min(count + Self.sliceSize, data.count)
      let status = decoder.update(input, count)
      // The decoder is suspended until it gets more data.
      if status == VP8_STATUS_SUSPENDED, count < data.count { continue }
      return try check(status, bytes)
    }
  }

  private func malformed(_ reason: String) -> CodecError {
    .malformed(.webp, reason: reason, offset: data.lowerBound)
  }

  private func check(_ status: VP8StatusCode, _ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_OUT_OF_MEMORY: throw .outOfMemory(.webp, byteCount: area.width * area.height * 4)
    case _ where isTruncated: throw .truncated(.webp, byteCount: bytes.count)
    case VP8_STATUS_UNSUPPORTED_FEATURE: throw .unsupported(.webp, feature: "a feature that libwebp does not know")
    case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw malformed("the image ends too early")
    default: throw malformed("the image cannot be decoded")
    }
  }
}

/// A libwebp decoder for data that grows.
final class WebPIncrementalDecoder {
  private let config: UnsafeMutablePointer<WebPDecoderConfig>
  private let decoder: OpaquePointer

  /// Returns `nil` if memory cannot be allocated.
  init?(_ config: WebPDecoderConfig) {
    // The decoder keeps the address.
    let address = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
    address.initialize(to: config)
    guard let decoder = WebPIDecode(nil, 0, address) else {
      address.deallocate()
      return nil
    }
    self.config = address
    self.decoder = decoder
  }

  deinit {
    WebPIDelete(decoder)
    config.deallocate()
  }

  /// Continues decoding. `bytes` must begin with the bytes of the previous call, but may be at another address.
  func update(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> VP8StatusCode { WebPIUpdate(decoder, bytes, count) }

  /// The number of complete rows from the top.
  var rowCount: Int {
    var rows: Int32 = 0
    return WebPIDecGetRGB(decoder, &rows, nil, nil, nil) == nil ? 0 : Int(rows)
  }
}
