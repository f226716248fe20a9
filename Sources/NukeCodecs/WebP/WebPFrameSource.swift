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
    return try image.upright(orientation, .webp)
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
        AnimationCanvas.blend(layer.row(y), over: buffer.row(area.y + y) + area.x * 4, count: area.width)
      }
    }
  }

  /// Converts decoded pixels to premultiplied sRGB.
  private func finish(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, hasAlpha: Bool) {
    profile?.convertToSRGB(pixels, pixelCount: count, isOpaque: !hasAlpha)
    if hasAlpha { PixelKernels.best.premultiply(pixels, count: count) }
  }
}
