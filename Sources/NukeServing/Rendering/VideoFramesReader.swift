import Foundation
import NukeCodecs
import NukeImaging

/// Reads frames of a video at equal distances: as rows in one still image, or as an animation.
struct VideoFramesReader: ImageReader {
  static var format: ImageFormat { .mp4 }

  let header: ImageHeader
  private let base: any ImageReader
  private let options: ImageOptions.VideoFrames
  /// The times of the frames in seconds.
  private let times: [Double]
  /// The size of a frame in the result, and in it the frame itself.
  private let cell: RenditionGeometry.Size
  private let scaled: RenditionGeometry.Size
  private let columns: Int

  /// - Parameters:
  ///   - base: a reader of a video.
  ///   - start: the time of the first frame in seconds.
  /// - Throws: ``ServingError/notAnImage(_:)`` if the duration is needed and not known.
  init(_ base: any ImageReader, _ options: ImageOptions.VideoFrames, start: Double) throws(ServingError) {
    self.base = base
    self.options = options
    let duration = base.header.duration
    let count = max(options.arrangement.count, 1)
    var step = options.step
    if step < 0 {
      guard let duration, duration > 0 else { throw .notAnImage("its duration is not known, so it has no steps") }
      step = duration / Double(count)
    }
    // Frames after the end of the video do not exist; the first one always does.
    let all = (0..<count).map { start + Double($0) * step }
    times = duration.map { end in Array(all.prefix(1)) + all.dropFirst().filter { $0 < end } } ?? all
    let source = RenditionGeometry.Size(base.header.pixelWidth, base.header.pixelHeight)
    (cell, scaled) = Self.sizes(options, of: source)
    var header = base.header
    header.orientation = .up
    header.loopCount = 0
    switch options.arrangement {
    case .tiles(let columns, let rows):
      let width = options.trims ? min(columns, times.count) : columns
      self.columns = columns
      let height = options.trims ? (times.count - 1) / columns + 1 : rows
      (header.storedWidth, header.storedHeight) = (cell.width * width, cell.height * height)
      header.hasAlpha = times.count < width * height
      (header.frameCount, header.duration) = (1, 0)
    case .animation(_, let delay):
      columns = 1
      (header.storedWidth, header.storedHeight) = (cell.width, cell.height)
      header.frameCount = options.trims ? times.count : count
      header.duration = Double(header.frameCount ?? 1) * Double(delay) / 1000
    }
    self.header = header
  }

  /// Returns the size of a frame in the result, and the size to which the frame is scaled.
  private static func sizes(
    _ options: ImageOptions.VideoFrames, of source: RenditionGeometry.Size
  ) -> (cell: RenditionGeometry.Size, scaled: RenditionGeometry.Size) {
    let (width, height) = (Double(source.width), Double(source.height))
    let factors = [options.width, options.height].enumerated().compactMap { index, side -> Double? in
      side > 0 ? Double(side) / (index == 0 ? width : height) : nil
    }
    // Frames are enlarged only to fill the size.
    let factor =
      options.fills && factors.count == 2 ? max(factors[0], factors[1]) : min(factors.min() ?? 1, 1)
    func side(_ length: Double) -> Int { max(Int(min((length * factor).rounded(), 1e12)), 1) }
    let scaled = RenditionGeometry.Size(side(width), side(height))
    guard options.fills || options.extends else { return (scaled, scaled) }
    return (
      .init(
        options.width > 0 ? options.width : scaled.width, options.height > 0 ? options.height : scaled.height),
      scaled
    )
  }

  /// Not used: the frames are those of an open reader.
  init(data: Data, limits: CodecLimits) throws(CodecError) {
    throw .unsupported(Self.format, feature: "frames of a file")
  }

  static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? { nil }

  /// One frame, and the same scaled and in its place.
  var workingByteCount: Int {
    let pixels =
      Double(base.header.pixelWidth) * Double(base.header.pixelHeight)
      + 2 * Double(cell.width) * Double(cell.height)
    return base.workingByteCount + Int(min(pixels * 4, 1e15))
  }

  var metadata: ImageMetadata { base.metadata }

  func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    guard case .tiles = self.options.arrangement else { return try frame(at: times[0], options) }
    guard let buffer = PixelBuffer(width: header.storedWidth, height: header.storedHeight) else {
      throw .outOfMemory(header.format, byteCount: header.storedWidth * header.storedHeight * 4)
    }
    buffer.clear()
    for (index, time) in times.enumerated() {
      let frame = try frame(at: time, options)
      let (x, y) = (index % columns * cell.width, index / columns * cell.height)
      frame.withUnsafeBytes { bytes in
        guard let pixels = bytes.baseAddress else { return }
        for row in 0..<frame.pixelHeight {
          UnsafeMutableRawPointer(buffer.row(y + row) + x * 4).copyMemory(
            from: pixels + row * frame.bytesPerRow, byteCount: frame.bytesPerRow)
        }
      }
    }
    return Bitmap(buffer, isOpaque: !header.hasAlpha)
  }

  func animation() throws(CodecError) -> Animation? {
    guard case .animation(_, let delay) = options.arrangement, let count = header.frameCount, count > 1 else {
      return nil
    }
    return Animation(
      pixelWidth: cell.width, pixelHeight: cell.height, loopCount: 0,
      delays: Array(repeating: Double(delay) / 1000, count: count)
    ) { Frames(reader: self, count: count) }
  }

  /// Decodes each frame by itself. After the end of the video, its last frame is repeated.
  private final class Frames: AnimationFrameSource {
    private let reader: VideoFramesReader
    private let count: Int
    private var index = 0
    private var last: Bitmap?

    init(reader: VideoFramesReader, count: Int) {
      self.reader = reader
      self.count = count
    }

    func nextFrame() throws -> Bitmap? {
      guard index < count else { return nil }
      if index < reader.times.count { last = try reader.frame(at: reader.times[index], DecodeOptions()) }
      index += 1
      return last
    }

    func rewind() { index = 0 }
  }

  /// Returns a frame in the size that it has in the result.
  private func frame(at time: Double, _ decoding: DecodeOptions) throws(CodecError) -> Bitmap {
    var decoding = decoding
    // The time is rounded down to a unit of the file, and must not be before a frame that begins at this time.
    (decoding.posterFrame, decoding.orientation) = (.time(time + 1e-6), nil)
    let frame = try base.decode(decoding)
    // Only the part that is shown is scaled.
    let x = Self.part(of: scaled.width, within: cell.width, options.focus.x)
    let y = Self.part(of: scaled.height, within: cell.height, options.focus.y)
    let across = Double(frame.pixelWidth) / Double(scaled.width)
    let down = Double(frame.pixelHeight) / Double(scaled.height)
    let region = PixelRegion(
      x: Double(x.lowerBound) * across, y: Double(y.lowerBound) * down, width: Double(x.count) * across,
      height: Double(y.count) * down)
    let placed = frame.sampled(region, width: x.count, height: y.count)?.placed(
      x: (cell.width - x.count) / 2, y: (cell.height - y.count) / 2, width: cell.width, height: cell.height,
      fill: (0, 0, 0, 255))
    guard let placed else { throw .outOfMemory(header.format, byteCount: cell.width * cell.height * 4) }
    return placed
  }

  /// Returns the part of a scaled side that is shown within a side of the result.
  private static func part(of side: Int, within cell: Int, _ focus: Double) -> Range<Int> {
    guard side > cell else { return 0..<side }
    let start = (focus * Double(side) - Double(cell) / 2).rounded().bounded(to: side - cell)
    return start..<start + cell
  }
}

extension Renderer {
  /// Returns the reader of the frames that the options select from a video; `reader` itself if they select none.
  ///
  /// - Throws: ``ServingError/tooLarge(_:)`` if the frames have too many pixels, and ``ServingError/notAnImage(_:)``.
  func videoFrames(of reader: any ImageReader, _ options: ImageOptions) throws(ServingError) -> any ImageReader {
    guard let frames = options.videoFrames, reader.header.format.isVideo else { return reader }
    let result = try VideoFramesReader(reader, frames, start: options.videoSecond)
    let pixels = Double(reader.header.pixelWidth) * Double(reader.header.pixelHeight) * Double(frames.arrangement.count)
    guard pixels <= Double(limits.maximumAnimationPixels) * 10 else {
      throw .tooLarge("the selected frames have \(pixels) pixels, more than the limit")
    }
    do throws(CodecError) {
      try limits.source.check(
        reader.header.format, width: result.header.storedWidth, height: result.header.storedHeight)
    } catch {
      throw ServingError(loading: error)
    }
    return result
  }
}
