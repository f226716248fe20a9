import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Writing animated images")
struct AnimationWriterTests {
  @Test(
    "Frames are read back with the same pixels, delays and loop count", arguments: AnimationFormat.all, [true, false])
  func roundTrip(_ format: AnimationFormat, isOpaque: Bool) throws {
    let sequence = try format.frames(5, isOpaque: isOpaque)
    let data = try format.exact.encode(animation(sequence, [0.04, 0.1, 0.5, 0.0334, 2], loops: 3))
    let read = try format.read(data)
    #expect(read.frameCount == 5)
    if format.maximumLoopCount != nil { #expect(read.loopCount == 3) }
    for (delay, wanted) in zip(read.delays, format.delays) { #expect(abs(delay - wanted) < 0.0011) }
    #expect(abs(read.duration - format.delays.reduce(0, +)) < 0.001)
    // Colors under alpha are stored straight, and premultiplied again.
    for (one, other) in zip(try frames(of: read), sequence) {
      #expect(largestDifference(one.image.pixelBytes, other.pixelBytes) <= (isOpaque ? 0 : 1), "frame \(one.index)")
    }
  }

  @Test("Lossy frames are close, and a lower quality makes a smaller file", arguments: AnimationFormat.withQuality)
  func lossy(_ format: AnimationFormat) throws {
    let writer = try #require(format.lossy)
    let sequence = try format.frames(4, isOpaque: true)
    let data = try writer(0.9).encode(animation(sequence))
    for (one, other) in zip(try frames(of: format.read(data)), sequence) {
      let sum = zip(one.image.pixelBytes, other.pixelBytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(sum / one.image.byteCount <= 6, "frame \(one.index)")
    }
    #expect(try writer(0.1).encode(animation(sequence)).count < data.count)
  }

  @Test("Loop counts are read back, up to the largest of the format", arguments: AnimationFormat.all)
  func loops(_ format: AnimationFormat) throws {
    let sequence = try format.frames(2, isOpaque: true)
    func stored(_ count: Int) throws -> Int {
      try format.read(format.exact.encode(animation(sequence, loops: count))).loopCount
    }
    guard let maximum = format.maximumLoopCount else {
      #expect([0, 7].contains(try stored(7)))
      return
    }
    for count in [0, 1, 2, 3, 7, 65_535, maximum] { #expect(try stored(count) == count) }
    #expect(try stored(maximum + 1) == maximum)
  }

  @Test("Equal frames keep their total duration", arguments: AnimationFormat.all)
  func equalFrames(_ format: AnimationFormat) throws {
    let two = try format.frames(2, isOpaque: true)
    let sequence = [two[0], two[0], two[1], two[1]]
    let read = try format.read(format.exact.encode(animation(sequence, [0.1, 0.2, 0.3, 0.4])))
    #expect(abs(read.duration - 1) < 1e-9)
    let frames = try frames(of: read)
    #expect(frames.first?.image.pixelBytes == two[0].pixelBytes)
    #expect(frames.last?.image.pixelBytes == two[1].pixelBytes)
  }

  @Test("Frames with a delay of 0 remain separate", arguments: AnimationFormat.all)
  func noDelays(_ format: AnimationFormat) throws {
    let read = try format.read(format.exact.encode(animation(format.frames(3, isOpaque: true), [0, 0, 0.5])))
    #expect(read.frameCount == 3)
    // GIF and PNG lengthen short delays. In the others, they take a millisecond from the next one.
    let isExtended = [.gif, .png].contains(format.format)
    #expect(abs((read.delays.last ?? 0) - (isExtended ? 0.5 : 0.498)) < 0.0001)
  }

  @Test("Thirty frames of a thirtieth of a second take a second", arguments: AnimationFormat.all)
  func roundedDelays(_ format: AnimationFormat) throws {
    let thirtieths = [Double](repeating: 1.0 / 30, count: 30)
    let sequence = try animation(format.frames(30, isOpaque: true), thirtieths)
    #expect(abs(try format.read(format.exact.encode(sequence)).duration - 1) < 1e-6)
  }

  @Test("A long delay is shortened to the longest of the format, or an error", arguments: AnimationFormat.all)
  func longDelays(_ format: AnimationFormat) throws {
    let sequence = try format.frames(3, isOpaque: true)
    let long = try animation(sequence, [1e7, 1, 1])
    if let delay = format.longDelay {
      #expect(try format.read(format.exact.encode(long)).delays == [delay, 1, 1])
      return
    }
    let error = CodecError.encodingFailed(format.format, reason: "it is longer than the format allows")
    #expect(throws: error) { try format.exact.encode(long) }
    // The largest number of milliseconds in the 24 bits of WebP.
    let longest = try format.read(format.exact.encode(animation(sequence, [16_777.215, 1, 1]))).delays
    #expect(zip(longest, [16_777.215, 1, 1]).allSatisfy { abs($0 - $1) < 1e-6 })
    if format.format == .webp {
      #expect(throws: error) { try format.exact.encode(animation(sequence, [16_777.216, 1, 1])) }
    }
  }

  @Test("A single frame is written as an image", arguments: AnimationFormat.all, [true, false])
  func singleFrame(_ format: AnimationFormat, isOpaque: Bool) throws {
    let frame = try #require(try format.frames(2, isOpaque: isOpaque).last)
    let reader = try ImageReaders.reader(for: format.exact.encode(animation([frame])))
    #expect(try reader.animation() == nil)
    let image = try reader.decode(DecodeOptions())
    #expect(image.pixelBytes == frame.pixelBytes)
    #expect(image.isOpaque == isOpaque)
  }

  @Test("An animation without frames is rejected", arguments: AnimationFormat.all)
  func noFrames(_ format: AnimationFormat) throws {
    for delays in [[], [0.1, 0.1]] {
      let empty = Animation(pixelWidth: 4, pixelHeight: 4, loopCount: 0, delays: delays) { FramesInMemory([]) }
      #expect(throws: CodecError.encodingFailed(format.format, reason: "there is no frame")) {
        try format.exact.encode(empty)
      }
    }
  }

  @Test("A frame of another size is rejected", arguments: AnimationFormat.all)
  func differentSizes(_ format: AnimationFormat) throws {
    let frame = try format.frames(1, isOpaque: true)[0]
    for other in [try Bitmap.waves(40, 31, opaque: true), try Bitmap.waves(39, 30, opaque: true), Bitmap()] {
      let mixed = Animation(pixelWidth: 40, pixelHeight: 30, loopCount: 0, delays: [0.1, 0.1, 0.1]) {
        FramesInMemory([frame, other, frame])
      }
      #expect(
        throws: CodecError.encodingFailed(format.format, reason: "frame 1 and the first frame have different sizes")
      ) { try format.exact.encode(mixed) }
    }
  }

  @Test("An empty canvas, and one too large for the format, are rejected", arguments: AnimationFormat.all)
  func canvas(_ format: AnimationFormat) throws {
    let empty = Animation(pixelWidth: 0, pixelHeight: 3, loopCount: 0, delays: [0.1]) { FramesInMemory([Bitmap()]) }
    #expect(throws: CodecError.encodingFailed(format.format, reason: "the image is empty")) {
      try format.exact.encode(empty)
    }
    guard let side = format.largeSide else { return }
    let wide = try #require(Bitmap(pixelWidth: side, pixelHeight: 1) { _ in })
    let reason = "\(side)x1 pixels: a side can have at most \(side - 1) pixels"
    #expect(throws: CodecError.encodingFailed(format.format, reason: reason)) {
      try format.exact.encode(animation([wide]))
    }
  }

  @Test("A damaged frame ends the encoding with its own error", arguments: AnimationFormat.all)
  func damage(_ format: AnimationFormat) throws {
    let data = try FrameFixture.gif("disposal-mixed").data()
    let reader = try GIFReader(data: data.dropLast(data.count / 3), limits: CodecLimits())
    let damaged = try #require(try reader.animation())
    let error = #expect(throws: CodecError.self) { try format.exact.encode(damaged) }
    if case .truncated(.gif, _)? = error { return }
    guard case .malformed(.gif, _, _)? = error else {
      Issue.record("the error is not that of the frame: \(error.map(String.init(describing:)) ?? "none")")
      return
    }
  }

  @Test("Metadata is written", arguments: AnimationFormat.all.filter(\.hasMetadata), [1, 3])
  func metadata(_ format: AnimationFormat, frameCount: Int) throws {
    let kept = ImageMetadata(xmp: Data("<x:xmpmeta>Title</x:xmpmeta>".utf8))
    var options = EncodeOptions(isLossless: true)
    options.metadata = kept
    options.keptMetadata = .all
    let writer = try #require(
      try ImageWriters.writer(for: format.format, options: options) as? any AnimationWriter)
    let sequence = try format.frames(frameCount, isOpaque: false)
    let reader = try ImageReaders.reader(for: writer.encode(animation(sequence, loops: 2)))
    #expect(reader.metadata.xmp == kept.xmp)
    guard frameCount > 1 else { return }
    let frames = try frames(of: #require(try reader.animation()))
    #expect(frames.count == frameCount)
    for (one, other) in zip(frames, sequence) {
      #expect(largestDifference(one.image.pixelBytes, other.pixelBytes) <= 1, "frame \(one.index)")
    }
  }

  @Test(
    "Pillow reads the same frames, delays and loop count", .enabled(if: PillowReader.isInstalled),
    arguments: AnimationFormat.all.filter { [.gif, .png, .webp].contains($0.format) }, [true, false])
  func interchange(_ format: AnimationFormat, isOpaque: Bool) throws {
    let sequence = try format.frames(4, isOpaque: isOpaque)
    let reading = try PillowReader.read(format.exact.encode(animation(sequence, loops: 6)))
    #expect(reading.frames.count == 4)
    for (one, other) in zip(reading.frames, sequence) {
      #expect(largestDifference(premultipliedByDefinition(one), other.pixelBytes) <= (isOpaque ? 0 : 1))
    }
    #expect(reading.delays == [100, 100, 100, 100])
    // A GIF states the number of repetitions.
    #expect(reading.loops == (format.format == .gif ? 5 : 6))
  }
}
