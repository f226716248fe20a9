#if Command
  import Foundation
  import Nuke
  import Testing

  @Suite("The metadata of written images", .serialized, .timeLimit(.minutes(2))) struct MetadataTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    /// EXIF in big endian: a camera, and 48° 51' 29" north.
    private static let exif: Data = {
      func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
      }
      func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
        bytes(tag, 2) + bytes(type, 2) + bytes(count, 4) + value
      }
      // A directory of two entries at 8, its text at 38, the directory of the location at 48, and its numbers at 78.
      let main = bytes(2, 2) + entry(0x010F, 2, 10, bytes(38, 4)) + entry(0x8825, 4, 1, bytes(48, 4)) + bytes(0, 4)
      let location = bytes(2, 2) + entry(1, 2, 2, [0x4E, 0, 0, 0]) + entry(2, 5, 3, bytes(78, 4)) + bytes(0, 4)
      let degrees = [48, 1, 51, 1, 29, 1].flatMap { bytes($0, 4) }
      return Data(Array("MM\0*".utf8) + bytes(8, 4) + main + Array("Cameraman\0".utf8) + location + degrees)
    }()

    /// Writes a JPEG with metadata, and returns its path.
    private func source(width: Int, height: Int) throws -> String {
      let bitmap = try #require(
        Bitmap(pixelWidth: width, pixelHeight: height, isOpaque: true) { bytes in
          bytes.bindMemory(to: UInt32.self).update(repeating: UInt32(0xFF30_A060).littleEndian)
        })
      var options = EncodeOptions(quality: 0.8)
      options.metadata = ImageMetadata(exif: Self.exif)
      options.keptMetadata = .all
      return try place.write(ImageWriters.writer(for: .jpeg, options: options).encode(bitmap), "camera.jpg")
    }

    private func exif(_ name: String) throws -> (make: String?, hasLocation: Bool) {
      let exif = try ImageReaders.reader(for: place.data(name)).header.exif
      return (exif?.make, exif?.hasLocation == true)
    }

    @Test("The source of these tests has a camera and a location")
    func camera() throws {
      _ = try source(width: 40, height: 30)
      let facts = try exif("camera.jpg")
      #expect(facts.make == "Cameraman" && facts.hasLocation)
    }

    @Test(
      "Metadata is written with --keep-metadata, and the location also with --keep-location",
      arguments: [["load", "--output"], ["convert", "-o"]],
      [
        ([], nil, false), (["--keep-metadata"], "Cameraman", false),
        (["--keep-metadata", "--keep-location"], "Cameraman", true),
      ] as [([String], String?, Bool)])
    func kept(command: [String], expected: (options: [String], make: String?, hasLocation: Bool)) async throws {
      let file = try source(width: 40, height: 30)
      for name in ["out.jpg", "out.png", "out.webp"] {
        try await Command.succeed(
          [command[0], file, command[1], place.path(name), "--size", "20x", "--processor", "rotate:90"]
            + expected.options)
        let facts = try exif(name)
        #expect(facts.make == expected.make && facts.hasLocation == expected.hasLocation, "\(name)")
        #expect(try ImageReaders.reader(for: place.data(name)).header.pixelHeight == 20)
      }
    }

    @Test("A large JPEG that is converted in bands keeps its metadata")
    func bands() async throws {
      let file = try source(width: 1_000, height: 1_001)
      for (options, make) in [([], nil), (["--keep-metadata"], "Cameraman")] as [([String], String?)] {
        let outcome = try await Command.succeed(["convert", file, place.path("out.jpg"), "--verbose"] + options)
        #expect(outcome.output.contains("transcoding"))
        let facts = try exif("out.jpg")
        #expect(facts.make == make && !facts.hasLocation)
      }
    }

    @Test("A format without metadata is written without it, and an image without metadata is no failure")
    func none() async throws {
      try await Command.succeed("convert", try source(width: 40, height: 30), place.path("a.bmp"), "--keep-metadata")
      try await Command.succeed("convert", place.path("a.bmp"), place.path("b.jpg"), "--keep-metadata")
      #expect(try exif("b.jpg").make == nil)
    }
  }

  @Suite("The maximum size of written files", .serialized, .timeLimit(.minutes(2))) struct MaximumSizeTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    @Test(
      "The quality is reduced until the file is small enough, with processors",
      arguments: [["load", "--output"], ["convert", "-o"]], ["a.jpg", "a.webp"])
    func reduced(command: [String], name: String) async throws {
      let arguments = [command[0], Sample.path("lake.jpg"), command[1], place.path(name), "--size", "800x"]
      try await Command.succeed(arguments + ["--quality", "95"])
      #expect(try place.data(name).count > 20_000)
      try await Command.succeed(arguments + ["--quality", "95", "--max-output-bytes", "20K"])
      let data = try place.data(name)
      #expect(data.count <= 20_000)
      #expect(try ImageReaders.reader(for: data).header.pixelWidth == 800)
      // It is the highest such quality: a slightly smaller limit is not reached by the same file.
      let limit = data.count - 1
      try await Command.succeed(arguments + ["--quality", "95", "--max-output-bytes", "\(limit)"])
      #expect(try place.data(name).count <= limit)
    }

    @Test("A file that is small enough keeps its quality")
    func unchanged() async throws {
      for (name, options) in [("a.jpg", []), ("b.jpg", ["--max-output-bytes", "5M"])] {
        try await Command.succeed(["convert", Sample.path("lake.jpg"), place.path(name), "--size", "200x"] + options)
      }
      #expect(try place.data("a.jpg") == place.data("b.jpg"))
    }

    @Test("An image that cannot be small enough fails, and leaves no file", arguments: ["a.jpg", "a.png", "a.gif"])
    func failure(name: String) async throws {
      let outcome = try await Command.run(
        "convert", Sample.path("lake.jpg"), place.path(name), "--size", "100x", "--max-output-bytes", "150")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("of --max-output-bytes: write a smaller image"), "\(outcome.errors)")
      #expect(try place.contents().isEmpty)
    }
  }
#endif
