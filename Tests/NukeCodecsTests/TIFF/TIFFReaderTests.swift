#if TIFF
  import Foundation
  import NukeCodecs
  import NukeImaging
  import Testing

  @Suite("Reading TIFF")
  struct TIFFReaderTests {
    static let fixtures = PixelFixture.all(in: "TIFF")

    static func data(_ name: String) throws -> Data {
      try #require(fixtures.first { $0.file == "\(name).tif" }).data()
    }

    @Test("Every layout is decoded", arguments: fixtures)
    func pixels(_ fixture: PixelFixture) throws {
      let reader = try ImageReaders.reader(for: fixture.data())
      #expect(reader is TIFFReader)
      try fixture.expectPixels(of: reader.decode(DecodeOptions()))
    }

    @Test("The header describes the file", arguments: fixtures)
    func header(_ fixture: PixelFixture) throws {
      fixture.expect(try TIFFReader(data: fixture.data(), limits: CodecLimits()).header, is: .tiff)
    }

    @Test("Camera metadata is read from the fields of the file, if there are any")
    func exif() throws {
      let camera = try TIFFReader(data: Self.data("camera"), limits: CodecLimits()).header.exif
      #expect(camera?.make == "Maker")
      #expect(camera?.model == "Model 1")
      #expect(try TIFFReader(data: Self.data("rgb-8"), limits: CodecLimits()).header.exif == nil)
    }

    @Test("The header is known once the first directory is available, and fewer bytes are not enough")
    func headerOfPrefix() throws {
      for name in ["rgb-8", "rgb-big", "rgb-16-motorola"] {
        let data = try Self.data(name)
        // The directory stands at the end.
        let (half, whole) = (data.count / 2, data.count)
        #expect(try TIFFReader.header(ofPrefix: data.prefix(half)) == nil)
        #expect(try TIFFReader.header(ofPrefix: data.prefix(2)) == nil)
        #expect(try TIFFReader.header(ofPrefix: data.prefix(whole))?.pixelWidth == 19)
      }
    }

    @Test("A requested orientation overrides that of the file")
    func orientation() throws {
      let reader = try TIFFReader(data: Self.data("orientation-6"), limits: CodecLimits())
      let stored = try reader.decode(DecodeOptions(orientation: .up))
      #expect((stored.pixelWidth, stored.pixelHeight) == (19, 11))
      let upright = try TIFFReader(data: Self.data("orientation-1"), limits: CodecLimits()).decode(DecodeOptions())
      #expect(stored.pixelBytes == upright.pixelBytes)
    }
  }
#endif
