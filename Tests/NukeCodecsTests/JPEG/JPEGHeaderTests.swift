import Foundation
import NukeCodecs
import NukeImaging
import Testing

@Suite("JPEG header")
struct JPEGHeaderTests {
  @Test("It needs the bytes up to the first scan, and no more", arguments: JPEGFixture.all)
  func prefixes(_ fixture: JPEGFixture) throws {
    let data = try fixture.data()
    let full = try JPEGReader(data: data).header
    let scan = try #require(data.firstRange(of: Data([0xFF, 0xDA]))).upperBound
    for count in 0...data.count {
      let header = try JPEGReader.header(ofPrefix: data.prefix(count))
      // A thumbnail has a scan of its own, before that of the image.
      if count < scan { #expect(header == nil) }
      guard let header else { continue }
      #expect(header.storedWidth == full.storedWidth)
      #expect(header.storedHeight == full.storedHeight)
      #expect(header.orientation == full.orientation)
      #expect(header.isProgressive == full.isProgressive)
      #expect(header.profileName == full.profileName)
      #expect(header.exif == full.exif)
    }
    #expect(try JPEGReader.header(ofPrefix: data) != nil)
  }

  @Test("It contains the camera metadata", arguments: ["camera-II", "camera-MM"])
  func camera(_ name: String) throws {
    let exif = try #require(JPEGReader(data: JPEGFixture.data(name)).header.exif)
    #expect(exif.make == "Example")
    #expect(exif.hasLocation)
    #expect(exif.isoSpeed == 400)
  }

  /// `data` with the byte at `offset` behind the marker 0xFF `marker` replaced.
  private func patched(_ data: Data, marker: UInt8, offset: Int, _ byte: UInt8) throws -> Data {
    var data = data
    data[try #require(data.firstRange(of: Data([0xFF, marker]))).upperBound + offset] = byte
    return data
  }

  @Test("12 bits, lossless and hierarchical files are rejected as unsupported")
  func unsupported() throws {
    let data = try JPEGFixture.data("s420")
    #expect(throws: CodecError.unsupported(.jpeg, feature: "12 bits per component")) {
      try JPEGReader(data: patched(data, marker: 0xC0, offset: 2, 12))
    }
    for (marker, feature) in [(UInt8(0xC3), "the lossless form"), (0xC5, "the hierarchical form")] {
      #expect(throws: CodecError.unsupported(.jpeg, feature: feature)) {
        try JPEGReader(data: patched(data, marker: 0xC0, offset: -1, marker))
      }
    }
    #expect(throws: CodecError.unsupported(.jpeg, feature: "2 components")) {
      let header = Data([0xFF, 0xD8, 0xFF, 0xC0, 0, 14, 8, 0, 9, 0, 9, 2, 1, 0x11, 0, 2, 0x11, 0, 0xFF, 0xDA])
      _ = try JPEGReader(data: header)
    }
  }

  @Test("A height or a width of 0 is rejected")
  func emptySides() throws {
    var data = try patched(JPEGFixture.data("s420"), marker: 0xC0, offset: 4, 0)
    #expect(throws: CodecError.unsupported(.jpeg, feature: "a height that is stated after the image (DNL)")) {
      try JPEGReader(data: data)
    }
    data = try patched(JPEGFixture.data("s420"), marker: 0xC0, offset: 6, 0)
    #expect(throws: CodecError.malformed(.jpeg, reason: "the header states a size of 0x29", offset: nil)) {
      try JPEGReader(data: data)
    }
  }

  @Test("More pixels than the limit are rejected before memory is allocated")
  func limits() throws {
    var data = try JPEGFixture.data("s420")
    let frame = try #require(data.firstRange(of: Data([0xFF, 0xC0]))).upperBound
    data.replaceSubrange(frame + 3..<frame + 7, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: CodecError.tooLarge(.jpeg, width: 65_535, height: 65_535, limit: .side(16_384))) {
      try JPEGReader(data: data)
    }
    #expect(throws: CodecError.tooLarge(.jpeg, width: 43, height: 29, limit: .pixelCount(1000))) {
      try JPEGReader(data: JPEGFixture.data("s420"), limits: .init(maximumPixelCount: 1000))
    }
  }

  @Test("The error states where the markers are damaged")
  func damage() throws {
    #expect(throws: CodecError.malformed(.jpeg, reason: "a segment of 1 bytes", offset: 4)) {
      try JPEGReader(data: Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0, 0]))
    }
    #expect(throws: CodecError.malformed(.jpeg, reason: "the image ends before its first scan", offset: 4)) {
      try JPEGReader(data: Data([0xFF, 0xD8, 0xFF, 0xD9]))
    }
    #expect(throws: CodecError.malformed(.jpeg, reason: "a scan without a frame header", offset: 4)) {
      try JPEGReader(data: Data([0xFF, 0xD8, 0xFF, 0xDA, 0, 2]))
    }
    #expect(throws: CodecError.truncated(.jpeg, byteCount: 3)) { try JPEGReader(data: Data([0xFF, 0xD8, 0xFF])) }
  }
}
