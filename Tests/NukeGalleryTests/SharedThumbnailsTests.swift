#if GTK
  import Foundation
  import Nuke
  import NukeTesting
  import Testing

  @testable import NukeGallery

  @Suite("Thumbnails shared with other programs", .timeLimit(.minutes(1)))
  struct SharedThumbnailsTests {
    private let folder: PhotoFolder
    private let photo: URL
    private let pipeline: ImagePipeline
    private let observer: GalleryObserver

    /// The time at which 2001 began, in seconds since 1970.
    private static let time = 978_307_200.0

    init() throws {
      folder = try PhotoFolder()
      photo = try folder.add("a lake;1.jpg", modified: Self.time, JPEGWriter().encode(Self.image(400, 300)))
      let observer = GalleryObserver(
        thumbnails: SharedThumbnails(directory: folder.url.appendingPathComponent("cache")))
      self.observer = observer
      var loading = DataLoader.defaultConfiguration
      loading.urlCache = nil
      var configuration = ImagePipeline.Configuration(dataLoader: DataLoader(configuration: loading))
      configuration.imageCache = nil
      configuration.dataCachePolicy = .storeAll
      pipeline = ImagePipeline(configuration: configuration, delegate: observer)
    }

    private static func image(_ width: Int, _ height: Int) -> PlatformImage {
      PlatformImage(pixelWidth: width, pixelHeight: height, isOpaque: true) { bytes in
        for place in bytes.indices { bytes[place] = [40, 80, 160, 255][place % 4] }
      } ?? PlatformImage()
    }

    private func load(_ file: URL) async throws -> ImageResponse {
      try await pipeline.imageTask(with: SharedThumbnails.request(file, .large)).response
    }

    /// Waits until everything that is to be stored has been stored, in the order of the queue.
    private func waitForStoring() async {
      await withCheckedContinuation { done in
        pipeline.configuration.imageEncodingQueue.add { done.resume() }
      }
    }

    /// The paths of all stored files.
    private func stored() -> [String] {
      let cache = folder.url.appendingPathComponent("cache").path
      return (FileManager.default.enumerator(atPath: cache)?.allObjects as? [String] ?? []).filter {
        $0.hasSuffix(".png")
      }
    }

    private var thumbnail: URL {
      ThumbnailCache(directory: folder.url.appendingPathComponent("cache")).url(for: photo, size: .large)!
    }

    @Test("A photo is decoded once, and its thumbnail is used from then on")
    func once() async throws {
      let first = try await load(photo)
      #expect(first.cacheType == nil && first.image.pixelWidth == 256 && first.image.pixelHeight == 192)
      await waitForStoring()
      #expect(stored() == ["large/" + thumbnail.lastPathComponent])
      let second = try await load(photo)
      #expect(second.cacheType == .disk && second.image.pixelWidth == 256)
    }

    @Test(
      "Python finds the thumbnail under its name, with the text that the standard requires, readable by its owner alone"
    )
    func python() async throws {
      _ = try await load(photo)
      await waitForStoring()
      let script = """
        import hashlib, os, struct, sys, zlib
        from pathlib import Path
        from urllib.parse import quote
        photo, cache = sys.argv[1:]
        uri = "file://" + quote(photo, safe="/-._~!$&'()*+,=:@")
        path = Path(cache, "large", hashlib.md5(uri.encode()).hexdigest() + ".png")
        data, position, texts = path.read_bytes(), 8, {}
        while position < len(data):
            length, kind = struct.unpack(">I4s", data[position:position + 8])
            body = data[position + 8:position + 8 + length]
            assert struct.unpack(">I", data[position + 8 + length:position + 12 + length])[0] == zlib.crc32(kind + body)
            if kind == b"IHDR": size = struct.unpack(">II", body[:8])
            if kind == b"tEXt": texts.update([body.decode("latin1").split("\\0")])
            position += 12 + length
        assert texts["Thumb::URI"] == uri, texts
        print(size, texts["Thumb::MTime"], oct(path.stat().st_mode), oct(path.parent.stat().st_mode))
        """
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["python3", "-c", script, photo.path, folder.url.appendingPathComponent("cache").path]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(String(decoding: output, as: UTF8.self) == "(256, 192) 978307200 0o100600 0o40700\n")
    }

    @Test("Photos smaller than a thumbnail, thumbnails, and originals are not stored")
    func notStored() async throws {
      let small = try folder.add("small.jpg", modified: Self.time, JPEGWriter().encode(Self.image(255, 10)))
      #expect(try await load(small).image.pixelWidth == 255)
      let other = try folder.add("cache/x-large/b.jpg", modified: Self.time, JPEGWriter().encode(Self.image(400, 300)))
      #expect(try await load(other).image.pixelWidth == 256)
      _ = try await pipeline.image(for: ImageRequest(url: photo))
      await waitForStoring()
      #expect(stored().isEmpty)
    }

    /// Writes a PNG with the texts of a thumbnail.
    private func write(_ image: PlatformImage, uri: String? = nil, time: Int = 978_307_200) throws {
      try FileManager.default.createDirectory(
        at: thumbnail.deletingLastPathComponent(), withIntermediateDirectories: true)
      let texts = [("Thumb::URI", uri ?? Self.uri(photo)), ("Thumb::MTime", "\(time)")]
      try Self.adding(texts, to: PNGWriter().encode(image)).write(to: thumbnail)
    }

    /// The only character of the test's paths that is escaped, besides the space.
    private static func uri(_ file: URL) -> String {
      "file://" + file.path.replacingOccurrences(of: " ", with: "%20").replacingOccurrences(of: ";", with: "%3B")
    }

    /// Returns a PNG with text chunks after its header, independently of the writer.
    private static func adding(_ texts: [(String, String)], to png: Data) -> Data {
      func number(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
      func checksum(_ data: Data) -> UInt32 {
        ~data.reduce(UInt32.max) { sum, byte in
          (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
      }
      let chunks = texts.map { keyword, text in
        let body = Data("tEXt\(keyword)\0\(text)".utf8)
        return number(UInt32(body.count - 4)) + body + number(checksum(body))
      }
      return png.prefix(33) + chunks.reduce(Data(), +) + png.dropFirst(33)
    }

    @Test("A thumbnail of another program is used instead of the photo")
    func foreign() async throws {
      try write(Self.image(200, 150))
      let response = try await load(photo)
      #expect(response.cacheType == .disk && response.image.pixelWidth == 200)
    }

    @Test(
      "A thumbnail that lies or is damaged is ignored and written again",
      arguments: ["old", "of another file", "cut", "not PNG", "huge", "link", "folder's", "empty", "without text"])
    func hostile(_ kind: String) async throws {
      try write(Self.image(200, 150))
      let good = try Data(contentsOf: thumbnail)
      switch kind {
      case "old": try write(Self.image(200, 150), time: 978_307_199)
      case "of another file": try write(Self.image(200, 150), uri: "file:///tmp/b.jpg")
      case "cut": try good.dropLast(40).write(to: thumbnail)
      case "not PNG": try JPEGWriter().encode(Self.image(200, 150)).write(to: thumbnail)
      case "huge": try write(Self.image(257, 3))
      case "link":
        let elsewhere = try folder.add("elsewhere.png", good)
        try FileManager.default.removeItem(at: thumbnail)
        try FileManager.default.createSymbolicLink(at: thumbnail, withDestinationURL: elsewhere)
      case "folder's": try write(Self.image(200, 150), uri: Self.uri(folder.url))
      case "empty": try Data().write(to: thumbnail)
      default: try PNGWriter().encode(Self.image(200, 150)).write(to: thumbnail)
      }
      let response = try await load(photo)
      #expect(response.cacheType == nil && response.image.pixelWidth == 256)
      await waitForStoring()
      let again = try await load(photo)
      #expect(again.cacheType == .disk && again.image.pixelWidth == 256)
      if kind == "link" {
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("elsewhere.png")) == good)
      }
    }

    @Test("A photo that has changed has a new thumbnail")
    func changed() async throws {
      _ = try await load(photo)
      await waitForStoring()
      try folder.add("a lake;1.jpg", modified: Self.time + 1, JPEGWriter().encode(Self.image(300, 400)))
      let response = try await load(photo)
      #expect(response.cacheType == nil && response.image.pixelHeight == 256)
      observer.remove(photo)
      #expect(stored().isEmpty)
    }

    @Test("A damaged photo is recorded, not decoded again, and tried again on request or when it changes")
    func failure() async throws {
      let data = try Data(contentsOf: photo)
      try folder.add("a lake;1.jpg", modified: Self.time, data.prefix(20))
      await #expect(throws: ImagePipeline.Error.self) { try await load(photo) }
      // The observer may be told later than the caller.
      try await waitUntil { observer.counts.failed == 1 }
      let name = thumbnail.lastPathComponent
      #expect(stored() == ["fail/nuke-gallery-\(PackageVersion.current)/\(name)"])
      let error = await #expect(throws: ImagePipeline.Error.self) { try await load(photo) }
      #expect(error.map { "\($0)" }?.contains("could be created before") == true)
      observer.remove(photo)
      #expect(stored().isEmpty)
      await #expect(throws: ImagePipeline.Error.self) { try await load(photo) }
      try folder.add("a lake;1.jpg", modified: Self.time + 1, data)
      #expect(try await load(photo).image.pixelWidth == 256)
    }

    @Test("A failure that is reported after the photo was replaced and looked up again is not that of the new photo")
    func lateFailure() async throws {
      let data = try Data(contentsOf: photo)
      try folder.add("a lake;1.jpg", modified: Self.time, data.prefix(20))
      let task = pipeline.imageTask(with: SharedThumbnails.request(photo, .large))
      let error = await #expect(throws: ImagePipeline.Error.self) { try await task.response }
      try folder.add("a lake;1.jpg", modified: Self.time + 1, data)
      let cache = try #require(observer.dataCache(for: task.request, pipeline: pipeline))
      #expect(cache.cachedData(for: "") == nil)
      observer.imageTask(task, didReceiveEvent: .finished(.failure(try #require(error))), pipeline: pipeline)
      #expect(try await load(photo).image.pixelWidth == 256)
    }

    @Test("A thumbnail that is stored after the photo was replaced and looked up again is not that of the new photo")
    func lateThumbnail() async throws {
      let queue = pipeline.configuration.imageEncodingQueue
      queue.isSuspended = true
      #expect(try await load(photo).image.pixelHeight == 192)
      try folder.add("a lake;1.jpg", modified: Self.time + 1, JPEGWriter().encode(Self.image(300, 400)))
      #expect(try await load(photo).image.pixelHeight == 256)
      queue.isSuspended = false
      await waitForStoring()
      let response = try await load(photo)
      #expect(response.cacheType == .disk && response.image.pixelHeight == 256)
    }

    /// Stores a failure to decode a photo as it is read.
    private func storeFailure(_ data: Data, in thumbnails: SharedThumbnails) throws {
      let context = ImageDecodingContext(request: SharedThumbnails.request(photo, .large), data: data)
      let decoder = try #require(thumbnails.decoder(for: context, ImageDecoders.Default()))
      thumbnails.storeFailure(
        .decodingFailed(decoder: decoder, context: context, error: CodecError.unrecognizedFormat(looksLike: nil)))
    }

    @Test("The failure of a photo that is replaced while it is read is not that of the new photo")
    func replacedWhileRead() throws {
      let directory = folder.url.appendingPathComponent("cache")
      let thumbnails = SharedThumbnails(directory: directory)
      let entry = try #require(thumbnails.cache(for: SharedThumbnails.request(photo, .large)))
      #expect(entry.cachedData(for: "") == nil)
      let data = try Data(contentsOf: photo)
      try folder.add("a lake;1.jpg", modified: Self.time + 1, data)
      // As for every photo that has changed.
      entry.removeData(for: "")
      try storeFailure(data, in: thumbnails)
      #expect(!stored().isEmpty)
      let cache = ThumbnailCache(directory: directory, software: "nuke-gallery-\(PackageVersion.current)")
      #expect(!cache.hasFailed(photo))
    }

    @Test("The failure of data that has another length than the photo is not recorded")
    func otherLength() throws {
      let thumbnails = SharedThumbnails(directory: folder.url.appendingPathComponent("cache"))
      let entry = try #require(thumbnails.cache(for: SharedThumbnails.request(photo, .large)))
      #expect(entry.cachedData(for: "") == nil)
      try storeFailure(Data(contentsOf: photo) + [0], in: thumbnails)
      #expect(stored().isEmpty)
    }
  }
#endif
