import Foundation
import NukeImaging

/// Decodes the frames of a WebP animation in order. For one thread at a time.
final class WebPFrameSource: AnimationFrameSource {
  private let data: Data
  private let frames: [WebPContainer.Frame]
  private let profile: ColorProfile?
  private let orientation: Orientation
  private var canvas: AnimationCanvas
  private var index = 0

  /// - Parameter profile: the profile of the colors; `nil` for sRGB.
  init(data: Data, container: WebPContainer, profile: ColorProfile?, orientation: Orientation) {
    self.data = data
    frames = container.frames
    self.profile = profile
    self.orientation = orientation
    canvas = AnimationCanvas(format: .webp, width: container.width, height: container.height)
  }

  func rewind() {
    canvas.reset()
    index = 0
  }

  func nextFrame() throws -> Bitmap? { try next() }

  func next() throws(CodecError) -> Bitmap? {
    guard index < frames.count else { return nil }
    let frame = frames[index]
    let image = try data.reading { bytes throws(CodecError) in try draw(frame, from: bytes) }
    index += 1
    return try image.upright(orientation)
  }

  private func draw(_ frame: WebPContainer.Frame, from bytes: UnsafeRawBufferPointer) throws(CodecError) -> Bitmap {
    let area = frame.area
    guard frame.hasAlpha, frame.blends, !canvas.isBlank else {
      return try canvas.draw(
        in: area, coverage: frame.hasAlpha ? .complete : .opaque, disposal: frame.disposal
      ) { buffer throws(CodecError) in
        let target = buffer.row(area.y) + area.x * 4
        try frame.decode(bytes, to: target, bytesPerRow: buffer.bytesPerRow)
        for y in 0..<area.height {
          finish(target + y * buffer.bytesPerRow, count: area.width, hasAlpha: frame.hasAlpha)
        }
      }
    }
    let layer = try PixelBuffer.allocate(.webp, width: area.width, height: area.height)
    try frame.decode(bytes, to: layer.base, bytesPerRow: layer.bytesPerRow)
    finish(layer.base, count: area.width * area.height, hasAlpha: true)
    return try canvas.draw(in: area, coverage: .partial, disposal: frame.disposal) { buffer throws(CodecError) in
      for y in 0..<area.height {
        Self.blend(layer.row(y), over: buffer.row(area.y + y) + area.x * 4, count: area.width)
      }
    }
  }

  /// Converts decoded pixels to premultiplied sRGB.
  private func finish(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, hasAlpha: Bool) {
    profile?.convertToSRGB(pixels, pixelCount: count, isOpaque: !hasAlpha)
    if hasAlpha { PixelKernels.best.premultiply(pixels, count: count) }
  }

  /// Blends premultiplied pixels with source over: source + target x (1 - alpha), rounded to the nearest value.
  private static func blend(
    _ source: UnsafeMutablePointer<UInt8>, over target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    let source = UnsafeRawPointer(source).assumingMemoryBound(to: UInt32.self)
    let target = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt32.self)
    for x in 0..<count {
      let over = UInt32(littleEndian: source[x])
      let alpha = over >> 24
      if alpha == 255 {
        target[x] = source[x]
      } else if alpha != 0 {
        let under = UInt32(littleEndian: target[x])
        // Two channels at once, with 16 bits each. x / 255 rounded is (x + 128 + ((x + 128) >> 8)) >> 8.
        var low = (under & 0x00FF_00FF) &* (255 - alpha) &+ 0x0080_0080
        var high = (under >> 8 & 0x00FF_00FF) &* (255 - alpha) &+ 0x0080_0080
        low = (low &+ (low >> 8 & 0x00FF_00FF)) >> 8 & 0x00FF_00FF
        high = (high &+ (high >> 8 & 0x00FF_00FF)) & 0xFF00_FF00
        target[x] = UInt32(littleEndian: over &+ (low | high))
      }
    }
  }
}

extension Bitmap {
  /// Returns the image rotated according to `orientation`.
  func upright(_ orientation: Orientation) throws(CodecError) -> Bitmap {
    guard orientation != .up, let buffer else { return self }
    return try buffer.upright(orientation, isOpaque: isOpaque, .webp)
  }
}
