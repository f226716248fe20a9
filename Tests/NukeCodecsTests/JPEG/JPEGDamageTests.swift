import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("Damaged JPEG")
struct JPEGDamageTests {
  /// Reads whatever can be read of `data`. Anything thrown that is no ``CodecError`` would not compile.
  private func read(_ data: Data, limits: CodecLimits = .init()) -> Result<Bitmap, CodecError> {
    Result { () throws(CodecError) in
      _ = try JPEGReader.header(ofPrefix: data)
      let reader = try JPEGReader(data: data, limits: limits)
      _ = reader.embeddedThumbnail
      for denominator in reader.scaleDenominators.dropFirst() {
        _ = try reader.decode(.init(scaleDenominator: denominator))
      }
      return try reader.decode()
    }
  }

  @Test("A truncated file is reported, unless the image is complete", arguments: JPEGFixture.all)
  func truncation(_ fixture: JPEGFixture) throws {
    let data = try fixture.data()
    for count in stride(from: 0, to: data.count, by: 64) {
      // A copy of its own, so that a read past the end leaves the allocation.
      let outcome = read(Data([UInt8](data.prefix(count))))
      switch outcome {
      case .success(let image): #expect(image.pixelWidth == fixture.width)
      case .failure(.truncated(.jpeg, let byteCount)): #expect(byteCount == count)
      case .failure(.malformed) where count < 2: break
      case .failure(let error): Issue.record("at \(count): \(error)")
      }
    }
  }

  @Test("A file truncated in the middle of the image is not decoded", arguments: JPEGFixture.all)
  func halves(_ fixture: JPEGFixture) throws {
    let data = try fixture.data()
    let scan = try #require(data.lastRange(of: Data([0xFF, 0xDA]))).upperBound
    let half = Data(data.prefix((scan + data.count) / 2))
    #expect(throws: CodecError.truncated(.jpeg, byteCount: half.count)) { try JPEGReader(data: half).decode() }
  }

  @Test("A file with a changed byte is decoded within the limits, or fails with an error")
  func corruption() throws {
    let files = try JPEGFixture.all.map { try [UInt8]($0.data()) }
    let limits = CodecLimits(maximumPixelCount: 1 << 18, maximumSide: 2048)
    var random = SplitMix64(state: 20)
    var images = 0
    for index in 0..<2000 {
      var bytes = files[index % files.count]
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      guard case .success(let image) = read(Data(bytes), limits: limits) else { continue }
      images += 1
      #expect(image.pixelWidth * image.pixelHeight <= limits.maximumPixelCount)
      #expect(max(image.pixelWidth, image.pixelHeight) <= limits.maximumSide)
      #expect(image.hasOnlyOpaquePixels)
    }
    // Most damage hits a coefficient or a table, and leaves an image that looks wrong.
    #expect(images > 0 && images < 2000)
  }

  @Test("An invalid code is reported with libjpeg's message and the offset")
  func badCode() throws {
    var data = try JPEGFixture.data("s420")
    let scan = try #require(data.lastRange(of: Data([0xFF, 0xDA]))).upperBound
    // A marker in the middle of the scan, with data behind it.
    data.replaceSubrange(scan + 60..<scan + 62, with: [0xFF, 0xD9])
    let error = try #require(JPEGReader.error(data))
    guard case .malformed(.jpeg, let reason, let offset?) = error else { throw error }
    #expect(reason == "Corrupt JPEG data: premature end of data segment")
    #expect(offset > scan && offset <= scan + 62)
  }

  @Test("An image with hundreds of scans is rejected")
  func scanBomb() throws {
    let data = try JPEGFixture.data("three-scans")
    let marker = Data([0xFF, 0xDA])
    let last = try #require(data.lastRange(of: marker)).lowerBound
    let scan = data[last..<data.count - 2]
    let bomb = data.prefix(last) + (0..<600).flatMap { _ in scan } + [0xFF, 0xD9]
    expectMalformed(JPEGReader.error(Data(bomb)), .jpeg, "more scans than an image of this size can need")
    // A few repeated scans do no harm.
    let few = data.prefix(last) + (0..<20).flatMap { _ in scan } + [0xFF, 0xD9]
    _ = try JPEGReader(data: Data(few)).decode()
  }

  @Test("An image without a scan for a component is rejected")
  func missingScan() throws {
    let data = try JPEGFixture.data("three-scans")
    let last = try #require(data.lastRange(of: Data([0xFF, 0xDA]))).lowerBound
    #expect(throws: CodecError.truncated(.jpeg, byteCount: last)) { try JPEGReader(data: data.prefix(last)).decode() }
    expectMalformed(JPEGReader.error(data.prefix(last) + [0xFF, 0xD9]), .jpeg, "a component has no scan")
  }
}
