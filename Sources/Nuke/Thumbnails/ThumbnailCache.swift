public import Foundation
import NukeCodecs
public import NukeImaging
import NukeStore

/// The cache of thumbnails that all desktop programs of a user share.
///
/// File managers and image viewers store small versions of images in `~/.cache/thumbnails`. A program that uses this
/// cache can show a folder of photos without decoding them, and other programs can use the thumbnails it creates.
///
/// ```swift
/// let thumbnails = ThumbnailCache(software: "photo-frame-1.0")
/// let thumbnail = try await thumbnails.thumbnail(of: file, size: .large)
/// show(thumbnail.image)
/// ```
///
/// A thumbnail is valid until its file changes. The modification times are compared, to the second, and the sizes if
/// the thumbnail states one in bytes. All text chunks of PNG are read, compressed or not. A new file is written under a
/// temporary name and renamed. Files and folders are accessible only to their owner. Temporary files that a killed
/// process leaves over are removed after an hour.
///
/// The format is that of freedesktop.org's Thumbnail Managing Standard, version 0.9. Shared thumbnail repositories
/// (`.sh_thumbnails`) are not supported. Values can be used by several threads at once. Methods that are not `async`
/// read and write files on the calling thread.
public struct ThumbnailCache: Sendable {
  /// The maximum size of a thumbnail.
  public enum Size: Int, Sendable, CaseIterable, Comparable {
    /// At most 128 pixels per side.
    case normal = 128
    /// At most 256 pixels per side, the size that file managers show.
    case large = 256
    /// At most 512 pixels per side.
    case xLarge = 512
    /// At most 1024 pixels per side.
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

  /// The reason why there is no thumbnail, or why it was not stored. The description is one sentence that contains the
  /// path.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The URL is not a file URL.
    case notAFile(URL)
    case fileNotReadable(path: String, reason: String)
    /// This program has already failed to create a thumbnail of this version of the file.
    case failedBefore(path: String)
    case notStored(path: String, reason: String)
    /// The file is a thumbnail itself. Thumbnails of thumbnails are not stored.
    case isThumbnail(path: String)
    /// There is no cache folder: neither `XDG_CACHE_HOME` nor `HOME` is an absolute path.
    case noFolder

    public var description: String {
      switch self {
      case .notAFile(let url): "\(url.absoluteString) is not a file. Only files have thumbnails."
      case .fileNotReadable(let path, let reason): "\(path) cannot be read: \(reason)."
      case .failedBefore(let path):
        "No thumbnail of \(path) could be created before, and the file has not changed since."
      case .notStored(let path, let reason): "The thumbnail \(path) cannot be written: \(reason)."
      case .isThumbnail(let path): "\(path) is a thumbnail itself, so it has none."
      case .noFolder: "There is no folder for thumbnails: set HOME or XDG_CACHE_HOME."
      }
    }
  }

  /// The folder that contains a folder for each size; `nil` if there is none.
  public let directory: URL?
  /// The name and version of the program, such as "photo-frame-1.0". It is written into thumbnails, and is the name of
  /// the folder in which failures are recorded.
  public let software: String
  let fileSystem: any DiskFileSystem

  /// Creates a cache in `$XDG_CACHE_HOME/thumbnails`, or `~/.cache/thumbnails`.
  ///
  /// - Parameters:
  ///   - directory: another folder, for example for tests; `nil` for the user's folder.
  ///   - software: the name and version of the program, in ASCII. Slashes are replaced with hyphens.
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

  // MARK: Look-ups

  /// Returns the location of a file's thumbnail, whether it exists or not; `nil` if `file` is not a file URL, or if
  /// there is no folder.
  public func url(for file: URL, size: Size) -> URL? {
    guard let uri = Self.uri(of: file) else { return nil }
    return directory?.appendingPathComponent("\(size.folderName)/\(Self.name(of: uri))")
  }

  /// Returns the valid thumbnail of a file; `nil` if there is none. A larger thumbnail is scaled down.
  ///
  /// - Returns: an image with at most ``Size/pixels`` pixels per side.
  public func cachedThumbnail(of file: URL, size: Size) -> PlatformImage? {
    guard let original = try? original(file) else { return nil }
    return stored(original, size: size)?.image
  }

  /// Returns `true` if this program and version has recorded a failure for the current version of the file.
  public func hasFailed(_ file: URL) -> Bool {
    guard let original = try? original(file) else { return false }
    return hasFailed(original)
  }

  // MARK: Writing

  /// Stores an image as the thumbnail of the current version of a file. Removes the record of a failure.
  ///
  /// - Parameters:
  ///   - image: the image. It is scaled down if it is larger than `size`.
  ///   - file: the URL of the file.
  ///   - size: the size of the thumbnail.
  ///   - pixelSize: the size of the image in the file in pixels, if known. Other programs can show it.
  ///   - mediaType: the media type of the file, if known.
  /// - Returns: the URL of the thumbnail.
  /// - Throws: ``Error/isThumbnail(path:)`` for a file that is a thumbnail itself, by its path or after following
  ///   symbolic links.
  @discardableResult
  public func store(
    _ image: PlatformImage, of file: URL, size: Size, pixelSize: (width: Int, height: Int)? = nil,
    mediaType: String? = nil
  ) throws(Error) -> URL {
    try store(image, of: original(file), size: size, pixelSize: pixelSize, mediaType: mediaType)
  }

  /// Records that no thumbnail can be created for the current version of the file. This program does not try again
  /// until the file changes.
  ///
  /// - Throws: ``Error/isThumbnail(path:)`` for a file that is a thumbnail itself, by its path or after following
  ///   symbolic links.
  public func storeFailure(of file: URL) throws(Error) {
    try storeFailure(of: original(file))
  }

  /// Removes all thumbnails of a file and the record of a failure. Call it if the file was deleted, or to create the
  /// thumbnails again.
  public func removeThumbnails(of file: URL) {
    guard let uri = Self.uri(of: file) else { return }
    let name = Self.name(of: uri)
    for path in Size.allCases.map(\.folderName) + ["fail/\(software)"] {
      guard let path = directory?.appendingPathComponent("\(path)/\(name)").path else { continue }
      _ = fileSystem.remove(path, in: AT_FDCWD)
    }
  }
}
