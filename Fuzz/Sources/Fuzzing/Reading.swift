public import Foundation
public import Nuke

extension CodecLimits {
  /// Small limits, so that each input is read quickly.
  public static let fuzzing = CodecLimits(maximumPixelCount: 1 << 20, maximumSide: 8192, maximumFrameCount: 64)
}

/// Uses all methods of `reader` with `data`. The result must be a valid image or a ``CodecError``.
public func read(_ data: Data, with type: any ImageReader.Type) {
  showPreviews(data)
  showPart(data)
  let prefixed = headersOfPrefixes(data, with: type)
  guard let reader = attempt({ try type.init(data: data, limits: .fuzzing) }) else { return }
  let header = reader.header
  // The limits of a drawing apply to the size at which it is drawn.
  expect(
    reader.isVector
      || header.storedWidth * header.storedHeight <= CodecLimits.fuzzing.maximumPixelCount
        && max(header.storedWidth, header.storedHeight) <= CodecLimits.fuzzing.maximumSide,
    "a header past the limits: \(header)")
  for prefix in prefixed {
    expect(
      prefix.storedWidth == header.storedWidth && prefix.storedHeight == header.storedHeight,
      "the beginning says \(prefix), the whole \(header)")
  }
  if let thumbnail = reader.thumbnailReader(limits: .fuzzing) {
    _ = attempt { try thumbnail.decode(DecodeOptions()) }
  }
  let first = decodeAtAllScales(reader)
  giveUpEarly(reader)
  // The default image of a PNG need not be a frame.
  play(reader, first: header.format == .png ? nil : first)
}

/// Passes the data to a decoder as a download does, each time in separate memory.
private func showPreviews(_ data: Data) {
  let decoder = ImageDecoders.Default(limits: .fuzzing)
  for part in 1...5 {
    let prefix = Data([UInt8](data.prefix(data.count * part / 5)))
    guard let preview = decoder.decodePartiallyDownloadedData(prefix) else { continue }
    expect(preview.isPreview, "a preview that does not say so")
    check(preview.image, width: preview.image.pixelWidth, height: preview.image.pixelHeight)
  }
}

/// Decodes what a damaged image has.
private func showPart(_ data: Data) {
  let decoder = ImageDecoders.Default(limits: .fuzzing)
  guard let container = attempt({ try decoder.decode(data) }), let damage = container.damage else { return }
  expect(damage.rowFraction > 0 && damage.rowFraction <= 1, "a share of rows of \(damage.rowFraction)")
  check(container.image, width: container.image.pixelWidth, height: container.image.pixelHeight)
  // The first image is still alive, so the second one is in other memory.
  let again = attempt { try decoder.decode(data) }
  expect(again.map { isEqual(container.image, $0.image) } ?? false, "two decodes of a damaged image differ")
}

/// Returns the result of `body`; `nil` if it throws an expected error.
func attempt<Value>(_ body: () throws -> Value) -> Value? {
  do {
    return try body()
  } catch {
    expect(error is CodecError, "an error that is no CodecError: \(error)")
    expect(!String(describing: error).isEmpty, "an error without words")
    return nil
  }
}

private func headersOfPrefixes(_ data: Data, with type: any ImageReader.Type) -> [ImageHeader] {
  [data.count, data.count / 2, data.count / 8, min(data.count, 64)].compactMap { count in
    // In memory of exactly this length, so that reads past the end are detected.
    let prefix = count == data.count ? data : Data([UInt8](data.prefix(count)))
    return attempt { try type.header(ofPrefix: prefix) } ?? nil
  }
}

/// Returns the image with all pixels, if it can be read.
private func decodeAtAllScales(_ reader: any ImageReader) -> Bitmap? {
  var first: Bitmap?
  for denominator in reader.scaleDenominators {
    let options = DecodeOptions(scaleDenominator: denominator)
    guard let image = attempt({ try reader.decode(options) }) else { continue }
    let size = reader.pixelSize(scaleDenominator: denominator)
    check(image, width: size.width, height: size.height)
    if denominator == 1 { first = image }
  }
  if let first, let again = attempt({ try reader.decode(DecodeOptions()) }) {
    // The first image is still alive, so the second one is in other memory. A pixel that is never written is detected.
    expect(isEqual(first, again), "two decodes differ")
  }
  return first
}

/// Cancels at the third check.
private func giveUpEarly(_ reader: any ImageReader) {
  let questions = Questions()
  let options = DecodeOptions(isCancelled: { questions.ask() > 2 })
  guard let denominator = reader.scaleDenominators.last else { return }
  var last = options
  last.scaleDenominator = denominator
  _ = attempt { try reader.decode(last) }
}

/// The counter is used only by the thread that decodes.
private final class Questions: @unchecked Sendable {
  private var count = 0
  func ask() -> Int {
    count += 1
    return count
  }
}

private func play(_ reader: any ImageReader, first: Bitmap?) {
  guard let animation = attempt({ try reader.animation() }) ?? nil else { return }
  expect(animation.frameCount <= CodecLimits.fuzzing.maximumFrameCount, "\(animation.frameCount) frames")
  expect(animation.delays.allSatisfy { $0 >= 0 && $0.isFinite }, "delays that cannot be: \(animation.delays)")
  guard let frames = attempt({ try animation.frames() }) else { return }
  var count = 0
  while count < 16, let frame = attempt({ try frames.next() }) ?? nil {
    check(frame.image, width: reader.header.pixelWidth, height: reader.header.pixelHeight)
    expect(frame.index == count, "frame \(frame.index) came in place of \(count)")
    if count == 0, let first { expect(isEqual(first, frame.image), "the still picture is not the first frame") }
    count += 1
  }
  guard count > 1, attempt({ try frames.rewind() }) != nil, let again = attempt({ try frames.next() }) ?? nil else {
    return
  }
  if let first { expect(isEqual(first, again.image), "the first frame differs after rewinding") }
}

private func check(_ image: Bitmap, width: Int, height: Int) {
  expect(
    image.pixelWidth == width && image.pixelHeight == height,
    "\(image.pixelWidth)x\(image.pixelHeight) pixels in place of \(width)x\(height)")
  let isValid = image.withUnsafeBytes { bytes in
    bytes.bindMemory(to: UInt32.self).allSatisfy { pixel in
      let pixel = UInt32(littleEndian: pixel)
      let alpha = pixel >> 24
      if alpha == 255 { return true }
      return !image.isOpaque && pixel & 255 <= alpha && pixel >> 8 & 255 <= alpha && pixel >> 16 & 255 <= alpha
    }
  }
  expect(isValid, "pixels that are not premultiplied, or not opaque though promised")
}

private func isEqual(_ one: Bitmap, _ other: Bitmap) -> Bool {
  one.pixelWidth == other.pixelWidth && one.pixelHeight == other.pixelHeight
    && one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in memcmp(one.baseAddress!, other.baseAddress!, one.count) == 0 }
    }
}
