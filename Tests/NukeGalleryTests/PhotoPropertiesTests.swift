#if GTK
  import Foundation
  import Nuke
  import Testing

  @testable import NukeGallery

  @Suite struct PhotoPropertiesTests {
    private let file = URL(fileURLWithPath: "/photos/2024/lake.jpg")

    private func rows(_ url: URL, _ byteCount: Int?, _ header: ImageHeader?) -> [String] {
      PhotoProperties(url, byteCount: byteCount, header: header).rows.map { "\($0.title): \($0.value)" }
    }

    private func rows(_ exif: EXIF) -> [String] {
      var header = ImageHeader(format: .jpeg, storedWidth: 40, storedHeight: 30)
      header.exif = exif
      return Array(rows(file, 1, header).dropFirst(5))
    }

    @Test("All properties are shown, in the size that the upright image has")
    func everything() {
      var header = ImageHeader(format: .jpeg, storedWidth: 6000, storedHeight: 4000)
      header.orientation = .right
      var exif = EXIF()
      exif.make = "Example"
      exif.model = "Box 1"
      exif.lensModel = "35mm f/2"
      exif.dateTimeOriginal = "2024:05:06 07:08:09"
      exif.exposureTime = 0.004
      exif.fNumber = 2.8
      exif.isoSpeed = 400
      exif.focalLength = 35
      exif.hasLocation = true
      exif.location = EXIF.Location(latitude: 48.8583, longitude: -2.29451, altitude: 35.4)
      header.exif = exif
      #expect(
        rows(file, 4_213_345, header) == [
          "Name: lake.jpg", "Folder: /photos/2024", "File size: 4.2 MB (4,213,345 bytes)",
          "Image size: 4000 × 6000 pixels", "Format: JPEG", "Date taken: 2024-05-06 07:08:09", "Camera: Example Box 1",
          "Lens: 35mm f/2", "Exposure time: 1/250 s", "Aperture: f/2.8", "ISO: 400", "Focal length: 35 mm",
          "Location: 48.8583° N, 2.2945° W", "Altitude: 35 m",
        ])
    }

    @Test("What is unknown is left out")
    func missing() throws {
      #expect(rows(file, nil, nil) == ["Name: lake.jpg", "Folder: /photos/2024"])
      #expect(rows(file, 1, nil).last == "File size: 1 byte")
      let web = try #require(URL(string: "https://example.com/a/b.png?size=2"))
      #expect(rows(web, nil, nil) == ["Name: b.png", "Address: https://example.com/a/b.png?size=2"])
      var exif = EXIF()
      exif.hasLocation = true
      #expect(rows(exif) == [])
    }

    @Test("Values that no camera means are shown as they are, or left out")
    func hostile() {
      var exif = EXIF()
      exif.exposureTime = 0
      exif.fNumber = 0
      exif.isoSpeed = 0
      exif.focalLength = 0
      #expect(rows(exif) == [])
      exif.exposureTime = 1 / 4_294_967_295
      exif.fNumber = 4_294_967_295
      exif.dateTimeOriginal = "yesterday"
      #expect(rows(exif) == ["Date taken: yesterday", "Exposure time: 1/4.295e+09 s", "Aperture: f/4.295e+09"])
    }

    @Test(
      "Exposure times have a fraction or seconds", arguments: [(2.5, "2.5 s"), (0.5, "0.5 s"), (1.0 / 60, "1/60 s")])
    func exposure(seconds: Double, text: String) {
      var exif = EXIF()
      exif.exposureTime = seconds
      #expect(rows(exif) == ["Exposure time: \(text)"])
    }

    @Test("The maker is not repeated before a model that begins with it")
    func camera() {
      var exif = EXIF()
      exif.make = "EXAMPLE"
      exif.model = "Example Box 1"
      #expect(rows(exif) == ["Camera: Example Box 1"])
      exif.model = nil
      #expect(rows(exif) == ["Camera: EXAMPLE"])
    }

    @Test("Texts of a camera are on one line, from left to right, and not longer than a path")
    func texts() {
      var exif = EXIF()
      exif.model = "Box\n1\u{202E}2"
      exif.lensModel = String(repeating: "a", count: 60_000)
      #expect(rows(exif) == ["Camera: Box\u{FFFD}1\u{FFFD}2", "Lens: " + String(repeating: "a", count: 4096)])
    }

    @Test("The size of a file is that on the disk, and its header is read from it, whatever its name")
    func reading() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gallery-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      // Noise does not compress: the file is larger than what is read at first.
      var generator = SystemRandomNumberGenerator()
      let image = try #require(
        PlatformImage(pixelWidth: 300, pixelHeight: 200, isOpaque: true) { bytes in
          for place in bytes.indices { bytes[place] = place % 4 == 3 ? 255 : .random(in: 0...255, using: &generator) }
        })
      let data = try PNGWriter().encode(image)
      try #require(data.count > 1 << 16)
      let file = folder.appendingPathComponent("noise.jpg")
      try data.write(to: file)
      let rows = PhotoProperties.read(file, in: .shared).rows.map(\.value)
      #expect(rows.suffix(2) == ["300 × 200 pixels", "PNG"])
      #expect(rows.contains { $0.contains("\(data.count.grouped) bytes") })
      for other in [folder, folder.appendingPathComponent("missing.jpg")] {
        #expect(PhotoProperties.read(other, in: .shared).rows.map(\.title) == ["Name", "Folder"])
      }
    }
  }
#endif
