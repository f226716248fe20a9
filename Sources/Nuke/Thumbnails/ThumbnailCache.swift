public import Foundation
import NukeCodecs
public import NukeImaging

/// The thumbnails of this user's files that all programs of a desktop share.
///
/// File managers keep small images of what they show under `~/.cache/thumbnails`, and so do many viewers. A program
/// that looks there first shows a folder of photographs without decoding one of them, and what it makes is there for
/// the others.
///
/// ```swift
/// let thumbnails = ThumbnailCache(software: "photo-frame-1.0")
/// let thumbnail = try await thumbnails.thumbnail(of: file, size: .large)
/// show(thumbnail.image)
/// ```
///
/// A thumbnail is valid as long as its file was not changed since: both times are compared to the second, and the lengths
/// where the thumbnail says one in bytes. What it says is read however PNG stores text, compressed or not. Files are
/// written beside their place and renamed into it, and are for their owner alone, as are the folders; what a process left
/// half written is removed after an hour.
///
/// The rules are those of freedesktop.org's Thumbnail Managing Standard, version 0.9. Shared repositories (`.sh_thumbnails`)
/// are not looked at. Values may be used by several threads at once; calls without `async` read and write files.
public struct ThumbnailCache: Sendable {
  /// The maximum size of a thumbnail.
  public enum Size: Int, Sendable, CaseIterable, Comparable {
    /// 128 pixels a side.
    case normal = 128
    /// 256 pixels a side: what file managers show.
    case large = 256
    /// 512 pixels a side.
    case xLarge = 512
    /// 1024 pixels a side.
    case xxLarge = 1024

    /// The longest side in pixels.
    public var pixels: Int { rawValue }

    public static func < (lhs: Size, rhs: Size) -> Bool { lhs.rawValue < rhs.rawValue }

    /// The name of the folder: "normal", "large", "x-large" or "xx-large".
    public var folderName: String {
      switch self {
      case .normal: "normal"
      case .large: "large"
      case .xLarge: "x-large"
      case .xxLarge: "xx-large"
      }
    }
  }

  /// Why there is no thumbnail, or none was kept. The description is one sentence that names the path.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// Only files have thumbnails here.
    case notAFile(URL)
    case fileNotReadable(path: String, reason: String)
    /// The same program failed at this version of the file before.
    case failedBefore(path: String)
    case notStored(path: String, reason: String)
    /// The file is a thumbnail itself, of which none are kept and nothing is noted.
    case isThumbnail(path: String)
    /// No folder for caches is known: neither `XDG_CACHE_HOME` nor `HOME` is set to an absolute path.
    case noFolder

    public var description: String {
      switch self {
      case .notAFile(let url): "\(url.absoluteString) is not a file, which alone have thumbnails."
      case .fileNotReadable(let path, let reason): "\(path) cannot be read: \(reason)."
      case .failedBefore(let path): "No thumbnail of \(path) could be made before, and it has not changed since."
      case .notStored(let path, let reason): "The thumbnail \(path) cannot be written: \(reason)."
      case .isThumbnail(let path): "\(path) is a thumbnail itself, of which none are kept."
      case .noFolder: "There is no folder for thumbnails: set HOME or XDG_CACHE_HOME."
      }
    }
  }

  /// The folder that holds a folder for each size; `nil` if none is known.
  public let directory: URL?
  /// The program and its version, such as "photo-frame-1.0": written into what it makes, and the name of the folder in
  /// which it notes what it could make no thumbnail of.
  public let software: String
  let fileSystem: any DiskFileSystem

  /// The thumbnails under `$XDG_CACHE_HOME/thumbnails`, or `~/.cache/thumbnails`.
  ///
  /// - Parameters:
  ///   - directory: another folder, as for tests; `nil` for that of this user.
  ///   - software: the name and the version of the program, in ASCII; a slash becomes a hyphen.
  public init(directory: URL? = nil, software: String = "nuke") {
    self.init(
      directory: directory ?? CacheFolder.path().map { URL(fileURLWithPath: $0 + "/thumbnails") }, software: software,
      fileSystem: SystemFileSystem())
  }

  package init(directory: URL?, software: String, fileSystem: any DiskFileSystem) {
    self.directory = directory
    let name = software.replacing("/", with: "-")
    self.software = name.isEmpty || name == "." || name == ".." ? "nuke" : name
    self.fileSystem = fileSystem
  }

  // MARK: Looking

  /// Returns the location of a file's thumbnail, whether it exists or not; `nil` if `file` is not a file URL, or if
  /// there is no folder.
  public func url(for file: URL, size: Size) -> URL? {
    guard let uri = Self.uri(of: file) else { return nil }
    return directory?.appendingPathComponent("\(size.folderName)/\(Self.name(of: uri))")
  }

  /// The thumbnail that is there for the file as it is now; `nil` if there is none. A larger one that is there is made
  /// smaller.
  ///
  /// - Returns: an image of at most ``Size/pixels`` a side.
  public func cachedThumbnail(of file: URL, size: Size) -> PlatformImage? {
    guard let original = try? original(file) else { return nil }
    return stored(original, size: size)?.image
  }

  /// Returns `true` if a program of this name and version noted that it can make no thumbnail of the file as it is now.
  public func hasFailed(_ file: URL) -> Bool {
    guard let original = try? original(file) else { return false }
    return hasFailed(original)
  }

  // MARK: Writing

  /// Keeps an image as the thumbnail of a file as it is now. A failure that was noted under this name is no more.
  ///
  /// - Parameters:
  ///   - image: is made smaller where it is larger than `size`.
  ///   - file: the file that the image is of.
  ///   - size: which of its thumbnails it is.
  ///   - pixelSize: the size in pixels of what is in the file, if known, for those who show it.
  ///   - mediaType: the media type of the file, if known.
  /// - Returns: where it is.
  /// - Throws: ``Error/isThumbnail(path:)`` for a file among the thumbnails, by its path or by where links lead.
  @discardableResult
  public func store(
    _ image: PlatformImage, of file: URL, size: Size, pixelSize: (width: Int, height: Int)? = nil,
    mediaType: String? = nil
  ) throws(Error) -> URL {
    try store(image, of: original(file), size: size, pixelSize: pixelSize, mediaType: mediaType)
  }

  /// Notes that no thumbnail can be made of the file as it is now, so that nobody of this name tries again until it
  /// changes.
  ///
  /// - Throws: ``Error/isThumbnail(path:)`` for a file among the thumbnails, by its path or by where links lead.
  public func storeFailure(of file: URL) throws(Error) {
    try storeFailure(of: original(file))
  }

  /// Removes the thumbnails of a file, of all sizes, and the note of a failure: for a file that is deleted, or to make
  /// them anew.
  public func removeThumbnails(of file: URL) {
    guard let uri = Self.uri(of: file) else { return }
    let name = Self.name(of: uri)
    for path in Size.allCases.map(\.folderName) + ["fail/\(software)"] {
      guard let path = directory?.appendingPathComponent("\(path)/\(name)").path else { continue }
      _ = fileSystem.remove(path, in: AT_FDCWD)
    }
  }
}
