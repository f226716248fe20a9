import Foundation
import NukeTesting
import Testing

@testable import Nuke
@testable import NukeCodecs

@Suite("Shared thumbnails")
struct ThumbnailCacheTests {
  private let temporary = DiskFolder()
  private var folder: URL { temporary.url }
  private let cache: ThumbnailCache
  private let fileSystem = FaultyFileSystem()
  /// 400 x 300 pixels, written when 2001 began.
  private let photo: URL

  init() throws {
    let folder = temporary.url
    photo = folder.appendingPathComponent("a lake;1.jpg")
    cache = ThumbnailCache(
      directory: folder.appendingPathComponent("cache/thumbnails"), software: "album-2.1", fileSystem: fileSystem)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try JPEGWriter().encode(Self.image(400, 300)).write(to: photo)
    try touch(photo, 978_307_200)
  }

  private static func image(_ width: Int, _ height: Int, _ color: Color = .init(red: 0.2, green: 0.4, blue: 0.8))
    -> Bitmap
  {
    let buffer = PixelBuffer(width: width, height: height)!
    let (red, green, blue, alpha) = color.premultipliedRGBA8
    for place in stride(from: 0, to: buffer.byteCount, by: 4) {
      (buffer.base[place], buffer.base[place + 1]) = (red, green)
      (buffer.base[place + 2], buffer.base[place + 3]) = (blue, alpha)
    }
    return Bitmap(buffer, isOpaque: alpha == 255)
  }

  private func touch(_ file: URL, _ seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: file.path)
  }

  private func mode(_ url: URL) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
  }

  private func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/cache/thumbnails/" + path)) ?? []).sorted()
  }

  // MARK: Names

  @Test(
    "File names are the MD5 of the file's URI, as in file managers",
    arguments: [
      // As GLib's g_filename_to_uri and g_compute_checksum_for_string have them.
      ("/home/jens/photos/me.png", "file:///home/jens/photos/me.png"),
      ("/tmp/a b#c?.jpg", "file:///tmp/a%20b%23c%3F.jpg"),
      ("/tmp/;[]{}|\\^`\"<>%.jpg", "file:///tmp/%3B%5B%5D%7B%7D%7C%5C%5E%60%22%3C%3E%25.jpg"),
      ("/tmp/!$&'()*+,-.0=:@_~", "file:///tmp/!$&'()*+,-.0=:@_~"),
      ("/tmp/für/../größe.png", "file:///tmp/gr%C3%B6%C3%9Fe.png"),
    ])
  func uri(path: String, uri: String) {
    #expect(ThumbnailCache.uri(of: URL(fileURLWithPath: path)) == uri)
  }

  @Test("A file name that is not UTF-8 is escaped byte by byte, as in file managers")
  func uriOfBytes() {
    // As GLib 2.74's g_filename_to_uri has it for the bytes /tmp/f\xfcr;/../caf\xe9 1.png.
    let file = URL(string: "file:///tmp/f%FCr;/%2e%2E//./caf%e9%201.png")!
    #expect(ThumbnailCache.uri(of: file) == "file:///tmp/caf%E9%201.png")
    #expect(ThumbnailCache.uri(of: URL(string: "file://elsewhere/a.png")!) == nil)
  }

  @Test("A file whose name is not UTF-8 has a thumbnail")
  func nameOfBytes() async throws {
    let copy = FilePath(bytes: Array("\(folder.path)/caf".utf8) + [0xE9])
    #expect(copy.withPointer { copy in photo.path.withCString { Foundation.link($0, copy) } } == 0)
    let file = try #require(URL(string: folder.appendingPathComponent("caf").absoluteString + "%E9"))
    let thumbnail = try await cache.thumbnail(of: file, size: .normal)
    #expect(thumbnail.isNew && thumbnail.storingError == nil && thumbnail.image.pixelWidth == 128)
    let texts = PNGText.read(try Data(contentsOf: try #require(thumbnail.url)))
    #expect(texts["Thumb::URI"]?.hasSuffix("/caf%E9") == true && texts["Thumb::Image::Width"] == "400")
    #expect(try await !cache.thumbnail(of: file, size: .normal).isNew)
  }

  @Test("The example of the standard has its published name")
  func name() {
    let url = cache.url(for: URL(fileURLWithPath: "/home/jens/photos/me.png"), size: .xLarge)
    #expect(url?.path.hasSuffix("cache/thumbnails/x-large/c6ee772d9e49320e97ec29a7eb5b1697.png") == true)
    #expect(cache.url(for: URL(string: "https://example.com/me.png")!, size: .normal) == nil)
  }

  // MARK: Making

  @Test("A thumbnail is created once, found by every program, and fits into its size")
  func madeOnce() async throws {
    let first = try await cache.thumbnail(of: photo, size: .large)
    #expect(first.isNew && first.storingError == nil)
    #expect(first.image.pixelWidth == 256 && first.image.pixelHeight == 192)
    let second = try await ThumbnailCache(directory: cache.directory, software: "other")
      .thumbnail(of: photo, size: .large)
    #expect(!second.isNew)
    #expect(second.url == first.url)
    #expect(second.image.pixels == first.image.pixels)
  }

  @Test("A thumbnail contains its file, the modification time, and the program")
  func texts() async throws {
    let url = try #require(try await cache.thumbnail(of: photo, size: .normal).url)
    let size = try photo.resourceValues(forKeys: [.fileSizeKey]).fileSize
    #expect(
      PNGText.read(try Data(contentsOf: url)) == [
        "Thumb::URI": ThumbnailCache.uri(of: photo), "Thumb::MTime": "978307200", "Thumb::Size": "\(size ?? -1)",
        "Thumb::Mimetype": "image/jpeg", "Thumb::Image::Width": "400", "Thumb::Image::Height": "300",
        "Software": "album-2.1",
      ])
  }

  @Test("Files are accessible only to their owner, and nothing else is left in the folders")
  func permissions() async throws {
    let url = try #require(try await cache.thumbnail(of: photo, size: .normal).url)
    #expect(try mode(url) == 0o600)
    #expect(try mode(url.deletingLastPathComponent()) == 0o700)
    #expect(try mode(cache.directory!) == 0o700)
    #expect(names("normal") == [url.lastPathComponent])
  }

  @Test("Thumbnails of small images are not enlarged")
  func small() async throws {
    let icon = folder.appendingPathComponent("icon.png")
    try PNGWriter().encode(Self.image(16, 24)).write(to: icon)
    let thumbnail = try await cache.thumbnail(of: icon, size: .normal)
    #expect(thumbnail.image.pixelWidth == 16 && thumbnail.image.pixelHeight == 24)
  }

  @Test("A thumbnail of the next larger size is scaled down, and no other")
  func larger() throws {
    try cache.store(Self.image(512, 256), of: photo, size: .xLarge)
    let image = try #require(cache.cachedThumbnail(of: photo, size: .normal))
    #expect(image.pixelWidth == 128 && image.pixelHeight == 64)
    #expect(cache.cachedThumbnail(of: photo, size: .xxLarge) == nil)
    #expect(names("") == ["x-large"])
  }

  @Test(
    "A thumbnail is created again if the file has another modification time", arguments: [978_307_201.0, 978_307_199.0])
  func changed(seconds: Double) async throws {
    _ = try await cache.thumbnail(of: photo, size: .normal)
    try touch(photo, seconds)
    #expect(cache.cachedThumbnail(of: photo, size: .normal) == nil)
    #expect(try await cache.thumbnail(of: photo, size: .normal).isNew)
    #expect(cache.cachedThumbnail(of: photo, size: .normal) != nil)
  }

  @Test("Modification times are compared to the second, also if a program wrote fractions")
  func fractions() throws {
    let url = try cache.store(Self.image(10, 10), of: photo, size: .normal)
    try touch(photo, 978_307_200.75)
    #expect(cache.cachedThumbnail(of: photo, size: .normal) != nil)
    let plain = try PNGWriter().encode(Self.image(10, 10))
    try PNGText.adding(
      [("Thumb::URI", ThumbnailCache.uri(of: photo)!), ("Thumb::MTime", "978307200.75")], to: plain
    ).write(to: url)
    #expect(cache.cachedThumbnail(of: photo, size: .normal) != nil)
  }

  /// A chunk as Qt's writer of PNG makes one: compressed from 40 characters on, and in UTF-8 where need be. The stream
  /// is stored, which to those who inflate it is all the same.
  private func qtChunk(_ keyword: String, _ text: String) -> Data {
    func zlib(_ bytes: Data) -> Data {
      let (low, high) = (UInt8(bytes.count & 255), UInt8(bytes.count >> 8))
      var sums: (UInt32, UInt32) = (1, 0)
      for byte in bytes {
        sums.0 = (sums.0 + UInt32(byte)) % 65521
        sums.1 = (sums.1 + sums.0) % 65521
      }
      let checksum = withUnsafeBytes(of: (sums.1 << 16 | sums.0).bigEndian) { Data($0) }
      return Data([0x78, 0x01, 1, low, high, ~low, ~high]) + bytes + checksum
    }
    let isCompressed = text.count >= 40
    let isPlain = text.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
    let bytes = isCompressed ? zlib(Data(text.utf8)) : Data(text.utf8)
    guard isPlain else {
      let head = "\(keyword)\0\(isCompressed ? "\u{1}" : "\0")\0UTF-8\0\(keyword)\0"
      return PNGChunks.encoded("iTXt", Data(head.utf8) + bytes)
    }
    let (type, head) = isCompressed ? ("zTXt", keyword + "\0\0") : ("tEXt", keyword + "\0")
    return PNGChunks.encoded(type, Data(head.utf8) + bytes)
  }

  @Test("Thumbnails of Qt programs are read, with compressed and UTF-8 text")
  func qt() async throws {
    let uri = try #require(ThumbnailCache.uri(of: photo))
    #expect(uri.count >= 40)
    let url = try #require(cache.url(for: photo, size: .normal))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let texts = [
      ("Software", "KDE Thumbnail Generator Images (v2)"), ("Description", "Озеро — 湖"), ("Thumb::MTime", "978307200"),
      ("Thumb::Mimetype", "image/jpeg"), ("Thumb::URI", uri),
    ]
    let bare = try PNGWriter().encode(Self.image(128, 96))
    let headerEnd = 33
    var file = Data(bare[..<headerEnd])
    for (keyword, text) in texts { file += qtChunk(keyword, text) }
    file += bare[headerEnd...]
    try file.write(to: url)

    #expect(cache.cachedThumbnail(of: photo, size: .normal)?.pixelWidth == 128)
    let thumbnail = try await cache.thumbnail(of: photo, size: .normal)
    #expect(!thumbnail.isNew)
    #expect(try Data(contentsOf: url) == file)
  }

  @Test("A thumbnail is invalid if the file has another size, even within the same second")
  func changedWithinSecond() throws {
    try cache.store(Self.image(10, 10), of: photo, size: .normal)
    try JPEGWriter().encode(Self.image(40, 30)).write(to: photo)
    try touch(photo, 978_307_200)
    #expect(cache.cachedThumbnail(of: photo, size: .normal) == nil)
  }

  @Test(
    "A thumbnail need not state the size of the file, or may state it in other units",
    arguments: [nil, "1.2MB", ""] as [String?])
  func withoutLength(_ length: String?) throws {
    let url = try cache.store(Self.image(10, 10), of: photo, size: .normal)
    var texts = [("Thumb::URI", ThumbnailCache.uri(of: photo)!), ("Thumb::MTime", "978307200")]
    if let length { texts.append(("Thumb::Size", length)) }
    try PNGText.adding(texts, to: PNGWriter().encode(Self.image(10, 10))).write(to: url)
    #expect(cache.cachedThumbnail(of: photo, size: .normal) != nil)
  }

  @Test("A symbolic link has a thumbnail of its target, under the name of the link")
  func link() async throws {
    let link = folder.appendingPathComponent("link.jpg")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: photo)
    let thumbnail = try await cache.thumbnail(of: link, size: .normal)
    #expect(thumbnail.url != cache.url(for: photo, size: .normal))
    #expect(PNGText.read(try Data(contentsOf: thumbnail.url!))["Thumb::MTime"] == "978307200")
  }

  @Test("No thumbnails of thumbnails are created")
  func ofThumbnail() async throws {
    let url = try cache.store(Self.image(200, 100), of: photo, size: .large)
    let thumbnail = try await cache.thumbnail(of: url, size: .normal)
    #expect(thumbnail.image.pixelWidth == 128)
    #expect(thumbnail.url == nil && thumbnail.storingError == .isThumbnail(path: url.path))
    #expect(throws: ThumbnailCache.Error.isThumbnail(path: url.path)) {
      try cache.store(Self.image(9, 9), of: url, size: .normal)
    }
    #expect(throws: ThumbnailCache.Error.isThumbnail(path: url.path)) { try cache.storeFailure(of: url) }
    #expect(names("") == ["large"])
  }

  @Test("A damaged thumbnail is not recorded as a failure of the file")
  func ofDamagedThumbnail() async throws {
    let url = try cache.store(Self.image(200, 100), of: photo, size: .large)
    try Data("damaged".utf8).write(to: url)
    await #expect(throws: ImagePipeline.Error.self) { try await cache.thumbnail(of: url, size: .normal) }
    #expect(names("") == ["large"])
  }

  @Test(
    "Thumbnails are recognized through any symbolic links",
    arguments: ["folder by a link", "file by a link", "file behind a link"])
  func linkedThumbnail(_ kind: String) throws {
    let url = try cache.store(Self.image(200, 100), of: photo, size: .large)
    let link = folder.appendingPathComponent("link")
    var (linked, file) = (cache, url)
    switch kind {
    case "folder by a link":
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.appendingPathComponent("cache"))
      linked = ThumbnailCache(directory: link.appendingPathComponent("thumbnails"))
    case "file by a link":
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.appendingPathComponent("cache"))
      file = link.appendingPathComponent("thumbnails/large/" + url.lastPathComponent)
    default:
      file = link.appendingPathExtension("png")
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: url)
    }
    #expect(throws: ThumbnailCache.Error.isThumbnail(path: file.path)) {
      try linked.store(Self.image(9, 9), of: file, size: .normal)
    }
    #expect(throws: ThumbnailCache.Error.isThumbnail(path: file.path)) { try linked.storeFailure(of: file) }
    #expect(names("") == ["large"])
  }

  @Test("Files in folders with similar names have thumbnails")
  func neighbor() throws {
    try cache.store(Self.image(9, 9), of: photo, size: .normal)
    let neighbor = folder.appendingPathComponent("cache/thumbnails-of-mine")
    try FileManager.default.createDirectory(at: neighbor, withIntermediateDirectories: true)
    let file = neighbor.appendingPathComponent("a.jpg")
    try FileManager.default.copyItem(at: photo, to: file)
    try cache.store(Self.image(9, 9), of: file, size: .normal)
    #expect(cache.cachedThumbnail(of: file, size: .normal) != nil)
  }

  @Test("Removing the thumbnails of a file removes all of them")
  func removed() async throws {
    for size in ThumbnailCache.Size.allCases { try cache.store(Self.image(9, 9), of: photo, size: size) }
    try cache.storeFailure(of: photo)
    cache.removeThumbnails(of: photo)
    #expect(ThumbnailCache.Size.allCases.flatMap { names($0.folderName) }.isEmpty)
    #expect(!cache.hasFailed(photo))
  }

  // MARK: Failures

  @Test("A failure is recorded for each program, until the file changes")
  func failure() async throws {
    let text = folder.appendingPathComponent("notes.txt")
    try Data("not an image".utf8).write(to: text)
    await #expect(throws: ImagePipeline.Error.self) { try await cache.thumbnail(of: text, size: .normal) }
    #expect(cache.hasFailed(text))
    #expect(names("fail") == ["album-2.1"])
    #expect(!ThumbnailCache(directory: cache.directory, software: "other").hasFailed(text))
    await #expect(throws: ThumbnailCache.Error.failedBefore(path: text.path)) {
      try await cache.thumbnail(of: text, size: .normal)
    }
    try JPEGWriter().encode(Self.image(40, 30)).write(to: text)
    try touch(text, 1_000_000_000)
    #expect(!cache.hasFailed(text))
    #expect(try await cache.thumbnail(of: text, size: .normal).isNew)
  }

  @Test("A file that was recorded while it was written is tried again, within the same second")
  func failureOfPart() async throws {
    let whole = try Data(contentsOf: photo)
    try whole.prefix(20).write(to: photo)
    try touch(photo, 978_307_200)
    await #expect(throws: ImagePipeline.Error.self) { try await cache.thumbnail(of: photo, size: .normal) }
    #expect(cache.hasFailed(photo))
    try whole.write(to: photo)
    try touch(photo, 978_307_200)
    #expect(!cache.hasFailed(photo))
    #expect(try await cache.thumbnail(of: photo, size: .normal).isNew)
  }

  @Test("Storing a thumbnail of any size removes the failure")
  func failureThatIsOver() async throws {
    try cache.storeFailure(of: photo)
    #expect(try await cache.thumbnail(of: photo, size: .normal, isMadeAnew: true).url != nil)
    #expect(!cache.hasFailed(photo))
    #expect(try await cache.thumbnail(of: photo, size: .large).isNew)
  }

  private static let failures: [(CodecError, Bool)] = [
    (.outOfMemory(.jpeg, byteCount: 1), false), (.notBuilt(.heic, .reading), false),
    (.tooLarge(.jpeg, width: 9, height: 9, limit: .side(8)), false),
    (.tooManyFrames(.gif, count: 9, limit: 8), false), (.cancelled(.jpeg), false),
    (.malformed(.jpeg, reason: "no", offset: nil), true), (.truncated(.jpeg, byteCount: 9), true),
    (.unsupported(.jpeg, feature: "arithmetic coding"), true), (.unrecognizedFormat(looksLike: nil), true),
  ]

  @Test("Failures that the file did not cause are not recorded", arguments: failures)
  func faults(error: CodecError, isNoted: Bool) async throws {
    let pipeline = ImagePipeline { $0.makeImageDecoder = { _ in FailingDecoder(error: error) } }
    await #expect(throws: ImagePipeline.Error.self) {
      try await cache.thumbnail(of: photo, size: .normal, pipeline: pipeline)
    }
    #expect(cache.hasFailed(photo) == isNoted)
  }

  private struct FailingDecoder: ImageDecoding {
    let error: CodecError
    func decode(_ data: Data) throws -> ImageContainer { throw error }
  }

  @Test("A photo that is replaced while its thumbnail is created gets its own thumbnail", .timeLimit(.minutes(1)))
  func replacedPhoto() async throws {
    let (gate, log) = (Gate(), CallLog())
    let pipeline = ImagePipeline {
      $0.makeImageDecoder = { _ in
        log.append("decoder")
        return GatedDecoder(gate: gate)
      }
    }
    async let old = cache.thumbnail(of: photo, size: .normal, pipeline: pipeline)
    await log.entries(count: 1)
    try JPEGWriter().encode(Self.image(300, 400)).write(to: photo, options: .atomic)
    try touch(photo, 978_307_201)
    async let new = cache.thumbnail(of: photo, size: .normal, pipeline: pipeline)
    await log.entries(count: 2)
    gate.open()
    #expect(try await old.image.pixelWidth == 128)
    #expect(try await new.image.pixelHeight == 128)
  }

  private struct GatedDecoder: ImageDecoding {
    let gate: Gate

    func decode(_ data: Data) throws -> ImageContainer {
      gate.waitBlocking()
      return try ImageDecoders.Default().decode(data)
    }
  }

  @Test("A missing file has no thumbnail, and nothing is recorded")
  func missing() async throws {
    let nothing = folder.appendingPathComponent("nothing.jpg")
    await #expect(
      throws: ThumbnailCache.Error.fileNotReadable(path: nothing.path, reason: "No such file or directory")
    ) { try await cache.thumbnail(of: nothing, size: .normal) }
    await #expect(
      throws: ThumbnailCache.Error.fileNotReadable(path: folder.path, reason: "it is not a regular file")
    ) { try await cache.thumbnail(of: folder, size: .normal) }
    let page = URL(string: "https://example.com/a.jpg")!
    await #expect(throws: ThumbnailCache.Error.notAFile(page)) { try await cache.thumbnail(of: page, size: .normal) }
    #expect(names("").isEmpty)
  }

  @Test(
    "Thumbnails that are damaged, of another file, too large, or without text are ignored",
    arguments: ["cut", "other", "large", "bare", "empty", "link"])
  func foreign(_ kind: String) async throws {
    let url = try cache.store(Self.image(100, 100), of: photo, size: .normal)
    let good = try Data(contentsOf: url)
    let texts = [("Thumb::URI", ThumbnailCache.uri(of: photo)!), ("Thumb::MTime", "978307200")]
    try FileManager.default.removeItem(at: url)
    switch kind {
    case "cut": try good.dropLast(30).write(to: url)
    case "other":
      try PNGText.adding([("Thumb::URI", "file:///other"), texts[1]], to: PNGWriter().encode(Self.image(9, 9)))
        .write(to: url)
    case "large": try PNGText.adding(texts, to: PNGWriter().encode(Self.image(129, 9))).write(to: url)
    case "bare": try PNGWriter().encode(Self.image(9, 9)).write(to: url)
    case "link":
      let elsewhere = folder.appendingPathComponent("elsewhere.png")
      try good.write(to: elsewhere)
      try FileManager.default.createSymbolicLink(at: url, withDestinationURL: elsewhere)
    default: try Data().write(to: url)
    }
    #expect(cache.cachedThumbnail(of: photo, size: .normal) == nil)
    let thumbnail = try await cache.thumbnail(of: photo, size: .normal)
    #expect(thumbnail.isNew)
    #expect(cache.cachedThumbnail(of: photo, size: .normal)?.pixels == thumbnail.image.pixels)
  }

  @Test("A thumbnail is returned even if it cannot be stored, and an existing one stays")
  func fullDisk() async throws {
    let url = try cache.store(Self.image(100, 100), of: photo, size: .normal)
    let before = try Data(contentsOf: url)
    var step = 1
    while true {
      fileSystem.fault = .failure(step: step, code: ENOSPC)
      let thumbnail = try await cache.thumbnail(of: photo, size: .normal, isMadeAnew: true)
      #expect(thumbnail.image.pixelWidth == 128)
      fileSystem.fault = nil
      #expect(names("normal") == [url.lastPathComponent])
      guard let error = thumbnail.storingError else { break }
      #expect(error == .notStored(path: url.path, reason: "No space left on device"))
      #expect(thumbnail.url == nil)
      #expect(try Data(contentsOf: url) == before)
      step += 1
    }
    // Folder, file, bytes and renaming.
    #expect(step > 3)
    #expect(try Data(contentsOf: url) != before)
  }

  @Test("Temporary files of killed processes are removed after an hour, and nothing else")
  func leftovers() throws {
    let place = folder.appendingPathComponent("cache/thumbnails/normal")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let names = [
      ".12-34.part": 3700.0, ".99999-18446744073709551615.part": 1e9, ".12-35.part": 3500, ".12-36.png": 1e9,
      "12-37.part": 1e9, ".a-b.part": 1e9, ".12.part": 1e9,
    ]
    for (name, age) in names {
      let file = place.appendingPathComponent(name)
      try Data("half".utf8).write(to: file)
      try touch(file, Date().timeIntervalSince1970 - age)
    }
    let url = try cache.store(Self.image(9, 9), of: photo, size: .normal)
    let left = names.keys.filter { $0 != ".12-34.part" && !$0.hasPrefix(".99999") }
    #expect(self.names("normal") == (left + [url.lastPathComponent]).sorted())
  }

  @Test("Without a cache folder nothing is stored")
  func noFolder() async throws {
    let cache = ThumbnailCache(directory: nil, software: "album", fileSystem: fileSystem)
    #expect(cache.url(for: photo, size: .normal) == nil)
    #expect(try await cache.thumbnail(of: photo, size: .normal).storingError == .noFolder)
  }

  @Test("The name of a program cannot lead out of the folder", arguments: ["..", "a/../../b", "", "."])
  func software(_ name: String) throws {
    let cache = ThumbnailCache(directory: cache.directory, software: name)
    try cache.storeFailure(of: photo)
    #expect(names("fail").count == 1)
    #expect(cache.hasFailed(photo))
  }
}
