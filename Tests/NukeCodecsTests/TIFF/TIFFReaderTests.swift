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
      let header = try TIFFReader(data: fixture.data(), limits: CodecLimits()).header
      #expect(header.format == .tiff)
      #expect(header.pixelWidth == fixture.width)
      #expect(header.pixelHeight == fixture.height)
      #expect(header.bitsPerComponent == fixture.bits)
      #expect(header.colorModel.rawValue == fixture.model)
      #expect(header.hasAlpha == fixture.alpha)
      #expect(header.profileName == fixture.profile)
      #expect(header.orientation.rawValue == fixture.orientation)
      #expect(header.frameCount == 1)
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

    @Test("Decoding stops on cancellation", arguments: ["rgb-8", "rgb-8-tiles", "ycbcr-420"])
    func cancellation(_ name: String) throws {
      let reader = try TIFFReader(data: Self.data(name), limits: CodecLimits())
      #expect(throws: CodecError.cancelled(.tiff)) { try reader.decode(DecodeOptions(isCancelled: { true })) }
    }

    @Test("Several threads can use one reader at the same time")
    func concurrently() async throws {
      let reader = try TIFFReader(data: Self.data("profile-wide-alpha"), limits: CodecLimits())
      let expected = try reader.decode(DecodeOptions()).pixelBytes
      let results = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<16 { group.addTask { try reader.decode(DecodeOptions()).pixelBytes } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.allSatisfy { $0 == expected })
    }
  }
#endif
