#if GTK
  import Foundation
  import Nuke
  import Testing

  @testable import NukeGallery

  @Suite("Placeholders of images that were not shown", .timeLimit(.minutes(1)))
  struct PlaceholderGeneratorTests {
    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let blue: [UInt8] = [0, 0, 255, 255]

    /// An image in one color above and another below.
    private func image(_ top: [UInt8], _ bottom: [UInt8], width: Int = 320, height: Int = 240) -> PlatformImage {
      PlatformImage(pixelWidth: width, pixelHeight: height, isOpaque: true) { bytes in
        for place in bytes.indices {
          bytes[place] = (place / 4 / width < height / 2 ? top : bottom)[place % 4]
        }
      } ?? PlatformImage()
    }

    /// The colors of a placeholder in the middle of its upper and of its lower half.
    private func colors(of hash: ThumbHash?) throws -> (top: [Int], bottom: [Int]) {
      let image = try #require(hash).image()
      let (width, height) = (image.pixelWidth, image.pixelHeight)
      return image.withUnsafeBytes { bytes in
        func pixel(_ row: Int) -> [Int] { (0..<3).map { Int(bytes[(row * width + width / 2) * 4 + $0]) } }
        return (pixel(height / 4), pixel(height * 3 / 4))
      }
    }

    private func isRed(_ color: [Int]) -> Bool { color[0] > 150 && color[2] < 100 }
    private func isBlue(_ color: [Int]) -> Bool { color[2] > 150 && color[0] < 100 }

    @Test("A complete file is decoded completely", arguments: [ImageFormat.jpeg, .png, .webp])
    func whole(format: ImageFormat) throws {
      let image = image(Self.red, Self.blue)
      let data =
        switch format {
        case .png: try PNGWriter().encode(image)
        case .webp: try WebPWriter().encode(image)
        default: try JPEGWriter().encode(image)
        }
      let (top, bottom) = try colors(of: FilePlaceholder.hash(of: data, isWhole: true))
      #expect(isRed(top) && isBlue(bottom))
    }

    @Test("The first scans of a progressive image are sufficient")
    func passes() throws {
      let data = try JPEGWriter(quality: 0.9, isProgressive: true).encode(image(Self.red, Self.blue))
      let (top, bottom) = try colors(of: FilePlaceholder.hash(of: data.prefix(data.count * 2 / 3), isWhole: false))
      #expect(isRed(top) && isBlue(bottom))
    }

    @Test("The first rows of an image determine a color")
    func rows() throws {
      var random = UInt64(1)
      let noise = try #require(
        PlatformImage(pixelWidth: 200, pixelHeight: 200, isOpaque: true) { bytes in
          // Red above, blue below, and noise, so that there is something to be cut off.
          for place in bytes.indices {
            random = random &* 6_364_136_223_846_793_005 &+ 1
            let color = place / 4 / 200 < 100 ? Self.red : Self.blue
            let dark = UInt8(random >> 59)
            bytes[place] = place % 4 == 3 ? 255 : color[place % 4] > dark ? color[place % 4] - dark : 0
          }
        })
      let data = try PNGWriter().encode(noise)
      let (top, bottom) = try colors(of: FilePlaceholder.hash(of: data.prefix(data.count / 3), isWhole: false))
      #expect(isRed(top) && isRed(bottom))
    }

    @Test("Invalid data and huge images have no placeholder")
    func bad() throws {
      #expect(FilePlaceholder.hash(of: Data(), isWhole: true) == nil)
      #expect(FilePlaceholder.hash(of: Data("<html>".utf8), isWhole: true) == nil)
      var png = try PNGWriter().encode(image(Self.red, Self.blue))
      png.replaceSubrange(16..<24, with: [0, 0, 0x40, 0, 0, 0, 0x40, 0])
      #expect(FilePlaceholder.hash(of: png, isWhole: true) == nil)
      let jpeg = try JPEGWriter().encode(image(Self.red, Self.blue))
      #expect(FilePlaceholder.hash(of: jpeg.prefix(jpeg.count / 2), isWhole: false) == nil)
    }

    @Test("Files are read in order, except known and unreadable ones")
    func files() async throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("placeholder-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let data = try JPEGWriter().encode(image(Self.red, Self.blue))
      let names = ["a.jpg", "known.jpg", "damaged.jpg", "missing.jpg", "pipe.jpg", "b.jpg"]
      let urls = names.map { folder.appendingPathComponent($0) }
      // Opening it would wait for a writer.
      try #require(mkfifo(folder.path + "/pipe.jpg", 0o600) == 0)
      for url in urls where !["missing.jpg", "pipe.jpg"].contains(url.lastPathComponent) {
        try (url.lastPathComponent == "damaged.jpg" ? Data(count: 100) : data).write(to: url)
      }
      let remote = try #require(URL(string: "http://pictures.test/c.jpg"))
      let (found, continuation) = AsyncStream.makeStream(of: URL.self)
      let generator = PlaceholderGenerator(urls + [remote]) {
        $0.lastPathComponent == "known.jpg"
      } store: { url, _ in
        continuation.yield(url)
      }
      defer { generator.stop() }
      var iterator = found.makeAsyncIterator()
      #expect(await iterator.next() == urls[0])
      #expect(await iterator.next() == urls[5])
      generator.add(remote, data)
      #expect(await iterator.next() == remote)
    }

    @Test("A prefetched image is reported, unless it has a placeholder")
    func fetched() async throws {
      let data = try JPEGWriter().encode(image(Self.red, Self.blue))
      let urls = try [data, data + Data([0])].map {
        try #require(URL(string: "data:image/jpeg;base64,\($0.base64EncodedString())"))
      }
      let observer = GalleryObserver()
      let (offered, continuation) = AsyncStream.makeStream(of: (URL, Data).self)
      observer.onFetch = { continuation.yield(($0, $1)) }
      var loading = DataLoader.defaultConfiguration
      loading.urlCache = nil
      let configuration = ImagePipeline.Configuration(dataLoader: DataLoader(configuration: loading))
      let pipeline = ImagePipeline(configuration: configuration, delegate: observer)
      var iterator = offered.makeAsyncIterator()
      _ = try await pipeline.data(for: ImageRequest(url: urls[0], priority: .low))
      let first = try #require(await iterator.next())
      #expect(first.0 == urls[0] && first.1 == data)
      observer.store(try #require(FilePlaceholder.hash(of: data, isWhole: true)), for: urls[0])
      for url in urls { _ = try await pipeline.data(for: ImageRequest(url: url, priority: .low)) }
      #expect(try #require(await iterator.next()).0 == urls[1])
    }
  }
#endif
