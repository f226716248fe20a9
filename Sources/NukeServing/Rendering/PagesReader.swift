import Foundation
import NukeCodecs
import NukeImaging

/// Reads some frames of an animated image as one still image: below each other, at the left.
struct PagesReader: ImageReader {
  static var format: ImageFormat { .gif }

  let header: ImageHeader
  private let base: any ImageReader
  private let animation: Animation
  private let pages: Range<Int>

  /// - Parameters:
  ///   - base: a reader of an animated image.
  ///   - pages: the indices of the frames, at least one.
  init(_ base: any ImageReader, _ animation: Animation, pages: Range<Int>) {
    self.base = base
    self.animation = animation
    self.pages = pages
    var header = base.header
    // Frames are upright.
    header.orientation = .up
    (header.storedWidth, header.storedHeight) = (animation.pixelWidth, animation.pixelHeight * pages.count)
    (header.frameCount, header.loopCount, header.duration) = (1, 1, 0)
    self.header = header
  }

  /// Not used: the pages are those of an open reader.
  init(data: Data, limits: CodecLimits) throws(CodecError) {
    throw .unsupported(Self.format, feature: "pages of a file")
  }

  static func header(ofPrefix data: Data) throws(CodecError) -> ImageHeader? { nil }

  /// The canvases of the animation, in addition to the memory of its reader.
  var workingByteCount: Int { base.workingByteCount + 3 * animation.canvasByteCount }

  var metadata: ImageMetadata { base.metadata }

  func decode(_ options: DecodeOptions) throws(CodecError) -> Bitmap {
    let format = header.format
    guard let buffer = PixelBuffer(width: header.storedWidth, height: header.storedHeight) else {
      throw .outOfMemory(format, byteCount: header.storedWidth * header.storedHeight * 4)
    }
    var isOpaque = true
    do {
      let frames = try animation.frames()
      for index in 0..<pages.upperBound {
        if options.isCancelled?() == true { throw CodecError.cancelled(format) }
        let missing = CodecError.malformed(format, reason: "frame \(index) is missing", offset: nil)
        guard index >= pages.lowerBound else {
          guard try frames.skip() else { throw missing }
          continue
        }
        guard let image = try frames.next()?.image, image.pixelWidth == buffer.width,
          image.pixelHeight == animation.pixelHeight
        else { throw missing }
        let first = (index - pages.lowerBound) * animation.pixelHeight
        image.withUnsafeBytes { bytes in
          guard let pixels = bytes.baseAddress else { return }
          UnsafeMutableRawPointer(buffer.row(first)).copyMemory(from: pixels, byteCount: bytes.count)
        }
        isOpaque = isOpaque && image.isOpaque
      }
    } catch let error as CodecError {
      throw error
    } catch {
      throw .malformed(format, reason: "\(error)", offset: nil)
    }
    return Bitmap(buffer, isOpaque: isOpaque)
  }
}

extension Renderer {
  /// Returns the reader of the pages that the options select; `reader` itself for the first page, and for sources that
  /// have no pages.
  ///
  /// - Throws: ``ServingError/notAnImage(_:)`` for a page that the source does not have, and
  ///   ``ServingError/tooLarge(_:)`` if the pages, and the frames before them, have too many pixels.
  func pages(of reader: any ImageReader, _ options: ImageOptions) throws(ServingError) -> any ImageReader {
    guard options.page > 0 || options.pageCount > 1, !reader.header.format.isVideo, reader.header.frameCount != 1,
      let animation = try animation(of: reader), animation.frameCount > 1
    else { return reader }
    guard options.page >= 0, options.page < animation.frameCount else {
      throw .notAnImage(
        "it has no page \(options.page), but \(animation.frameCount) pages, of which the first one is 0")
    }
    let count = min(max(options.pageCount, 1), animation.frameCount - options.page)
    let pages = options.page..<options.page + count
    // Later frames may depend on earlier ones, so all of them are decoded.
    let pixels = Double(animation.pixelWidth) * Double(animation.pixelHeight)
    let sum = pixels * Double(pages.upperBound)
    guard sum <= max(Double(limits.maximumAnimationPixels), pixels) else {
      throw .tooLarge(
        "the frames up to page \(pages.upperBound - 1) have \(String(format: "%.0f", sum)) pixels, more than "
          + "the limit of \(limits.maximumAnimationPixels)")
    }
    let result = PagesReader(reader, animation, pages: pages)
    do throws(CodecError) {
      try limits.source.check(
        reader.header.format, width: result.header.storedWidth, height: result.header.storedHeight)
    } catch {
      throw ServingError(loading: error)
    }
    return result
  }

  private func animation(of reader: any ImageReader) throws(ServingError) -> Animation? {
    do throws(CodecError) {
      return try reader.animation()
    } catch {
      throw ServingError(loading: error)
    }
  }
}
