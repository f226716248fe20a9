import Foundation
import Nuke

/// Recognizes images among the files of a folder.
enum ImageFile {
  /// The extensions of images, also of those that this build cannot read, which is an error then. Videos are images only
  /// if this build reads them.
  private static let extensions: Set<String> = {
    let images = [
      "jpg", "jpeg", "jpe", "png", "apng", "webp", "gif", "bmp", "ico", "cur", "tif", "tiff", "avif", "heic", "heif",
      "jxl", "svg", "svgz",
    ]
    let videos: [(String, ImageFormat)] = [("mp4", .mp4), ("m4v", .mp4), ("mov", .mov), ("webm", .webm)]
    return Set(images + videos.filter { $0.1.isReadable }.map(\.0))
  }()

  /// Returns `true` if the extension of a regular file is that of an image, or if its first bytes are.
  static func isImage(_ path: String) -> Bool {
    extensions.contains((path as NSString).pathExtension.lowercased()) || format(at: path) != nil
  }

  /// Returns the format by the first bytes of a regular file; `nil` if it cannot be read, or is not an image that this
  /// build reads.
  static func format(at path: String) -> ImageFormat? {
    // A pipe must not be opened: its writer would not wait for another reader.
    guard path.fileStatus.map({ $0.st_mode & S_IFMT }) == S_IFREG else { return nil }
    let descriptor = path.withSystemPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (information, head) = (stat(), Data())
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      (try? Descriptor.read(descriptor, into: &head, upTo: 1 << 14, named: path)) != nil,
      let format = ImageFormat(sniffing: head), format.isReadable
    else { return nil }
    return format
  }
}
