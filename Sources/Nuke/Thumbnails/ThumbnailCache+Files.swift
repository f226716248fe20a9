package import Foundation
import NukeBase
import NukeCodecs
import NukeImaging

extension ThumbnailCache {
  /// A stored thumbnail and its URL.
  struct Stored {
    let image: PlatformImage
    let url: URL
  }

  private enum Key {
    static let uri = "Thumb::URI"
    static let modified = "Thumb::MTime"
    static let byteCount = "Thumb::Size"
    static let mediaType = "Thumb::Mimetype"
    static let width = "Thumb::Image::Width"
    static let height = "Thumb::Image::Height"
    static let software = "Software"
  }

  // MARK: Reading

  /// Returns the valid thumbnail of this size, or of the next larger size, scaled down.
  func stored(_ original: Original, size: Size) -> Stored? {
    for candidate in Size.allCases where candidate >= size {
      guard let url = url(for: original.file, size: candidate), let image = valid(url, for: original, size: candidate)
      else { continue }
      return Stored(image: candidate == size ? image : Self.fitted(image, size) ?? image, url: url)
    }
    return nil
  }

  package func hasFailed(_ original: Original) -> Bool {
    guard let url = failureURL(original), let data = contents(of: url) else { return false }
    return isValid(PNGText.read(data), for: original)
  }

  private func valid(_ url: URL, for original: Original, size: Size) -> PlatformImage? {
    guard let data = validData(url, for: original) else { return nil }
    let limits = CodecLimits(maximumSide: size.pixels)
    return try? PNGReader(data: data, limits: limits).decode(DecodeOptions())
  }

  private func validData(_ url: URL, for original: Original) -> Data? {
    guard let data = contents(of: url), isValid(PNGText.read(data), for: original) else { return nil }
    return data
  }

  /// Returns the file of the valid thumbnail of this size. The image is not larger than the size, and may be damaged.
  package func data(_ original: Original, size: Size) -> Data? {
    guard let url = url(for: original.file, size: size), let data = validData(url, for: original),
      let header = try? ImageReaders.header(ofPrefix: data), max(header.pixelWidth, header.pixelHeight) <= size.pixels
    else { return nil }
    return data
  }

  /// Returns a PNG with the texts that make it a thumbnail of a version of a file.
  ///
  /// - Parameter texts: further texts.
  package func labeled(
    _ png: Data, as original: Original, adding texts: [(keyword: String, text: String)] = []
  ) throws(CodecError) -> Data {
    let own: [(keyword: String, text: String)] = [
      (Key.uri, original.uri), (Key.modified, "\(original.modified)"), (Key.byteCount, "\(original.byteCount)"),
      (Key.software, software),
    ]
    return try PNGText.adding(own + texts, to: png)
  }

  /// Stores a labeled PNG as the thumbnail of a file. Does nothing if its label is not that of the file's current
  /// version.
  package func store(labeled png: Data, of file: URL, size: Size) throws(Error) {
    let original = try original(file)
    guard isValid(PNGText.read(png), for: original) else { return }
    guard let url = url(for: file, size: size) else { throw .noFolder }
    guard !isThumbnail(original) else { throw .isThumbnail(path: original.path) }
    try put(png, at: url)
  }

  private func isValid(_ texts: [String: String], for original: Original) -> Bool {
    // Some programs write fractions of a second.
    guard texts[Key.uri] == original.uri, let modified = texts[Key.modified]?.prefix(while: { $0 != "." }) else {
      return false
    }
    // Not all programs write the size, and some write other units than bytes.
    if let byteCount = texts[Key.byteCount].flatMap(Int.init), byteCount != original.byteCount {
      return false
    }
    return Int64(modified) == original.modified
  }

  /// A PNG with 1024 x 1024 pixels of noise has 4 MB.
  private static let lengthLimit = 8 << 20

  private func contents(of url: URL) -> Data? {
    let file = fileSystem.openFile(url.path, in: AT_FDCWD)
    guard file >= 0 else { return nil }
    defer { fileSystem.close(file) }
    guard let status = fileSystem.status(of: file), status.isRegular,
      (1...Self.lengthLimit).contains(status.length)
    else { return nil }
    var data = Data(count: status.length)
    return data.withUnsafeMutableBytes { fileSystem.fill($0, from: file) } ? data : nil
  }

  // MARK: Writing

  func store(
    _ image: PlatformImage, of original: Original, size: Size, pixelSize: (width: Int, height: Int)?,
    mediaType: String?
  ) throws(Error) -> URL {
    guard let url = url(for: original.file, size: size) else { throw .noFolder }
    guard !isThumbnail(original) else { throw .isThumbnail(path: original.path) }
    guard let image = Self.fitted(image, size) else {
      throw .notStored(path: url.path, reason: "the image is empty")
    }
    var texts: [(keyword: String, text: String)] = []
    if let mediaType { texts.append((Key.mediaType, mediaType)) }
    if let (width, height) = pixelSize { texts += [(Key.width, "\(width)"), (Key.height, "\(height)")] }
    try write(image, texts, original, to: url)
    // The thumbnails of other sizes can be created as well, so remove the record of a failure.
    if let note = failureURL(original) { _ = fileSystem.remove(note.path, in: AT_FDCWD) }
    return url
  }

  package func storeFailure(of original: Original) throws(Error) {
    guard let url = failureURL(original) else { throw .noFolder }
    guard !isThumbnail(original) else { throw .isThumbnail(path: original.path) }
    guard let pixel = PixelBuffer(width: 1, height: 1) else {
      throw .notStored(path: url.path, reason: "out of memory")
    }
    pixel.base.update(repeating: 0, count: 4)
    try write(Bitmap(pixel, isOpaque: false), [], original, to: url)
  }

  private func failureURL(_ original: Original) -> URL? {
    directory?.appendingPathComponent("fail/\(software)/\(Self.name(of: original.uri))")
  }

  private func write(
    _ image: PlatformImage, _ texts: [(keyword: String, text: String)], _ original: Original, to url: URL
  ) throws(Error) {
    let png: Data
    do throws(CodecError) {
      // A thumbnail can be made again at any time: a few more bytes matter less than the time.
      png = try labeled(PNGWriter(compressionLevel: 1).encode(image), as: original, adding: texts)
    } catch {
      throw .notStored(path: url.path, reason: error.description)
    }
    try put(png, at: url)
  }

  /// Writes a temporary file in the same folder and renames it. Creates the folder.
  private func put(_ data: Data, at url: URL) throws(Error) {
    let (folder, path) = (url.deletingLastPathComponent().path, url.path)
    func failure(_ code: CInt) -> Error { .notStored(path: path, reason: String(cString: strerror(code))) }

    do {
      try fileSystem.makeFolders(folder)
    } catch {
      throw failure(error.code)
    }
    sweep(folder)
    let temporary = folder + "/" + Self.temporaryName()
    let file = fileSystem.createFile(temporary, in: AT_FDCWD)
    guard file >= 0 else { throw failure(-file) }
    var code = data.withUnsafeBytes { fileSystem.write($0, to: file) }
    fileSystem.close(file)
    if code >= 0 { code = fileSystem.rename(temporary, to: path, in: AT_FDCWD) }
    guard code >= 0 else {
      _ = fileSystem.remove(temporary, in: AT_FDCWD)
      throw failure(-code)
    }
  }

  /// Returns the image, scaled down if it is larger than the size; `nil` for an empty image.
  static func fitted(_ image: PlatformImage, _ size: Size) -> PlatformImage? {
    guard image.pixelWidth > 0, image.pixelHeight > 0 else { return nil }
    guard max(image.pixelWidth, image.pixelHeight) > size.pixels else { return image }
    let side = CGFloat(size.pixels)
    return ImageProcessors.Resize(size: CGSize(width: side, height: side), unit: .pixels, contentMode: .aspectFit)
      .process(image)
  }
}

extension ThumbnailCache {
  /// Returns the name of a temporary file: hidden, and with its own extension, so that no program regards it as a
  /// thumbnail.
  static func temporaryName() -> String { ".\(getpid())-\(UInt64.random(in: 0...UInt64.max)).part" }

  private static func isTemporary(_ name: String) -> Bool { name.wholeMatch(of: /\.[0-9]+-[0-9]+\.part/) != nil }

  /// Temporary files older than this number of seconds are left over.
  private static let patience: Int64 = 3600

  /// The folders that this process has cleaned up.
  private static let swept = Lock(Set<String>())

  /// Removes temporary files that killed processes have left over, once for each folder.
  func sweep(_ folder: String) {
    guard Self.swept.withLock({ $0.insert(folder).inserted }) else { return }
    let oldest = (Int64(Date().timeIntervalSince1970) - Self.patience) * 1_000_000_000
    for name in fileSystem.names(in: folder, of: AT_FDCWD) where Self.isTemporary(name) {
      let path = folder + "/" + name
      guard let status = fileSystem.status(path, in: AT_FDCWD), status.isRegular,
        status.modified < oldest
      else { continue }
      _ = fileSystem.remove(path, in: AT_FDCWD)
    }
  }
}
