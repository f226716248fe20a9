public import Foundation
public import NukeImaging

extension PNGWriter: AnimationWriter {
  /// Encodes an animated PNG. Programs without support for animations show its first frame.
  ///
  /// Encoding is lossless, and ``maximumColorCount`` is ignored. For each frame, only the smallest rectangle that
  /// contains all changes is written. Unchanged pixels in it are transparent if that makes the file smaller. Delays are
  /// stored as fractions from 11 ms, because readers replace shorter ones by 100 ms, to 65,535 seconds. The maximum
  /// number of loops is 2,147,483,647.
  ///
  /// All frames have the same color type and palette, so they are decoded twice; the first time ends early if only the
  /// largest format is left. In addition to the file, two frames are in memory, and the buffers for encoding one of
  /// them.
  public func encode(_ animation: Animation) throws -> Data {
    let (width, height) = (animation.pixelWidth, animation.pixelHeight)
    let frames = try CheckedFrames(animation, .png, maximumSide: Self.maximumSide)
    let contents = try contents(frames, width: width)
    var last = try frames.first()
    let form = PNGForm(contents, width: width, rowCount: height * animation.frameCount)
    var file = PNGAnimationFile(
      writer: self, form: form, frameCount: animation.frameCount,
      loopCount: animation.loopCount(atMost: Int(Int32.max)))
    try file.append(last.image, onto: nil, delay: last.delay)
    while let frame = try frames.next() {
      try file.append(frame.image, onto: last.image, delay: frame.delay)
      last = frame
    }
    return file.finished()
  }

  /// Returns the contents of all frames. A transparent pixel is added if frames can use it for unchanged pixels.
  private func contents(_ frames: CheckedFrames, width: Int) throws -> PNGForm.Contents {
    var contents = PNGForm.Contents()
    var last: Bitmap?
    var (changed, covered) = (0, 0)
    while !contents.isAnything, let image = try frames.next()?.image {
      image.withUnsafeBytes { contents.add($0.bindMemory(to: UInt32.self), width: width) }
      if let last, let area = image.area(differingFrom: last) {
        covered += area.width * area.height
        changed += zip(image.pixels(in: area), last.pixels(in: area)).count { $0 != $1 }
      }
      last = image
    }
    contents.allowTransparent(withChannel: changed < covered / 2)
    return contents
  }
}

/// Assembles the chunks of an animated PNG (PNG specification, third edition, 11.3.6).
private struct PNGAnimationFile {
  private let writer: PNGWriter
  private let form: PNGForm
  private let announcedCount: Int
  private let loopCount: Int
  private var file = Data()
  private var frameCount = 0
  private var sequence = 0
  /// The number of frames in a row for which leaving out pixels was tried in vain.
  private var lossCount = 0

  /// The end of the header chunk.
  private static let headerEnd = PNGChunks.signatureLength + 25

  /// - Parameter frameCount: 1 for a still image.
  init(writer: PNGWriter, form: PNGForm, frameCount: Int, loopCount: Int) {
    self.writer = writer
    self.form = form
    announcedCount = frameCount
    self.loopCount = loopCount
  }

  /// Writes the difference between a frame and the previous one.
  mutating func append(_ image: Bitmap, onto last: Bitmap?, delay: TimeInterval) throws(CodecError) {
    guard let last else {
      let area = PixelRect(x: 0, y: 0, width: image.pixelWidth, height: image.pixelHeight)
      var chunks = writer.chunks(form)
      if announcedCount > 1 { chunks = announcement(announcedCount) + chunks + control(area, blends: false, delay) }
      // Without the `IEND` chunk.
      file = try encoded(image.pixels(in: area), area, chunks: chunks).dropLast(12)
      frameCount = 1
      return
    }
    // A frame without changes is stored as one of its pixels.
    let area = image.area(differingFrom: last) ?? PixelRect(x: 0, y: 0, width: 1, height: 1)
    let pixels = image.pixels(in: area)
    var (still, blends) = (try encoded(pixels, area), false)
    // After several frames in which blending made the file no smaller, only every eighth frame tries it.
    let isWorthTrying = form.holdsTransparent && (lossCount < 4 || frameCount % 8 == 0)
    if isWorthTrying, let changes = Self.changes(pixels, from: last.pixels(in: area)) {
      let other = try encoded(changes, area)
      blends = other.count < still.count
      lossCount = blends ? 0 : lossCount + 1
      if blends { still = other }
    }
    file.append(control(area, blends: blends, delay))
    append(imageDataOf: still)
    frameCount += 1
  }

  private func encoded(_ pixels: [UInt32], _ area: PixelRect, chunks: Data = Data()) throws(CodecError) -> Data {
    let still = pixels.withUnsafeBufferPointer { pixels in
      let layout = PNGLayout(pixels, width: area.width, form: form)
      // A sequence number precedes the data.
      return writer.encode(
        layout, width: area.width, height: area.height, chunks: chunks, longestChunk: Int(Int32.max) - 4)
    }
    guard let still else { throw PNGWriter.outOfMemory(width: area.width, height: area.height) }
    return still
  }

  /// Returns the pixels with unchanged ones replaced by 0; `nil` if these are few, or if a changed pixel is not opaque
  /// and would be blended with the previous one.
  private static func changes(_ pixels: [UInt32], from last: [UInt32]) -> [UInt32]? {
    var changes = pixels
    var sameCount = 0
    for index in pixels.indices {
      if pixels[index] == last[index] {
        changes[index] = 0
        sameCount += 1
      } else if pixels[index] >> 24 < 255 {
        return nil
      }
    }
    return sameCount > pixels.count / 8 ? changes : nil
  }

  private mutating func append(imageDataOf still: Data) {
    var position = Self.headerEnd
    while true {
      let (count, isImageData) = still.withUnsafeBytes {
        (Int($0.bigEndian32(at: position)), $0[position + 4..<position + 8].elementsEqual("IDAT".utf8))
      }
      guard isImageData else { return }
      file.append(PNGChunks.encoded("fdAT", number(sequence) + still.slice(position + 8..<position + 8 + count)))
      sequence += 1
      position += count + 12
    }
  }

  consuming func finished() -> Data {
    if frameCount != announcedCount {
      let announcement = announcement(frameCount)
      file.replaceSubrange(Self.headerEnd..<Self.headerEnd + announcement.count, with: announcement)
    }
    file.append(PNGChunks.encoded("IEND", Data()))
    return file
  }

  private func announcement(_ frameCount: Int) -> Data {
    PNGChunks.encoded("acTL", number(frameCount) + number(loopCount))
  }

  /// Returns the control chunk of a frame, with the disposal method "none".
  private mutating func control(_ area: PixelRect, blends: Bool, _ delay: TimeInterval) -> Data {
    var content = Data()
    for value in [sequence, area.width, area.height, area.x, area.y] { content.append(number(value)) }
    sequence += 1
    let (numerator, denominator) = Self.fraction(max(delay.isFinite ? delay : 0, 0.011))
    for value in [numerator, denominator] { content.append(contentsOf: [UInt8(value >> 8), UInt8(value & 255)]) }
    return PNGChunks.encoded("fcTL", content + [0, blends ? 1 : 0])
  }

  private func number(_ value: Int) -> Data {
    withUnsafeBytes(of: UInt32(value).bigEndian) { Data($0) }
  }

  /// Returns the nearest fraction of two 16-bit numbers, by continued fractions.
  private static func fraction(_ value: Double) -> (Int, Int) {
    guard value < 65_535 else { return (65_535, 1) }
    var (last, fraction) = ((1, 0), (Int(value), 1))
    var rest = value - value.rounded(.down)
    while rest > 1e-7 {
      let term = Int(1 / rest)
      rest = 1 / rest - Double(term)
      let next = (fraction.0 * term + last.0, fraction.1 * term + last.1)
      guard max(next.0, next.1) <= 65_535 else { break }
      (last, fraction) = (fraction, next)
    }
    return fraction
  }
}

extension Bitmap {
  /// Returns the smallest rectangle with all pixels that differ from an image of the same size; `nil` if none differ.
  fileprivate func area(differingFrom other: Bitmap) -> PixelRect? {
    withUnsafeBytes { own in
      other.withUnsafeBytes { other in
        let (own, other) = (own.bindMemory(to: UInt32.self), other.bindMemory(to: UInt32.self))
        let width = pixelWidth
        let differs = { (y: Int) in
          memcmp(own.baseAddress! + y * width, other.baseAddress! + y * width, width * 4) != 0
        }
        let rows = 0..<pixelHeight
        guard let top = rows.first(where: differs), let bottom = rows.last(where: differs) else { return nil }
        var (left, right) = (width, -1)
        for start in stride(from: top * width, through: bottom * width, by: width) {
          for x in 0..<left where own[start + x] != other[start + x] {
            left = x
            break
          }
          for x in stride(from: width - 1, to: right, by: -1) where own[start + x] != other[start + x] {
            right = x
            break
          }
        }
        return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
      }
    }
  }

  fileprivate func pixels(in area: PixelRect) -> [UInt32] {
    withUnsafeBytes { bytes in
      let pixels = bytes.bindMemory(to: UInt32.self)
      return [UInt32](unsafeUninitializedCapacity: area.width * area.height) { result, count in
        for y in 0..<area.height {
          let start = (area.y + y) * pixelWidth + area.x
          let row = UnsafeBufferPointer(rebasing: pixels[start..<start + area.width])
          (result.baseAddress! + y * area.width).initialize(from: row.baseAddress!, count: area.width)
        }
        count = area.width * area.height
      }
    }
  }
}
