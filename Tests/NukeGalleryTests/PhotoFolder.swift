#if GTK
  import Foundation

  @testable import NukeGallery

  /// A folder for one test, with empty files.
  final class PhotoFolder {
    let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("gallery-\(UUID().uuidString)")

    init(_ names: [String] = []) throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      for name in names { try add(name) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// - Parameter modified: the modification time in seconds since 1970; `nil` for now.
    @discardableResult
    func add(_ name: String, modified: Double? = nil, _ data: Data = Data()) throws -> URL {
      let file = url.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
      if let modified {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: modified)], ofItemAtPath: file.path)
      }
      return file
    }

    func link(_ name: String, to destination: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: url.appendingPathComponent(name).path, withDestinationPath: destination)
    }

    /// The path as ``ImageList`` has it.
    var path: [UInt8] { Array(url.path.utf8) }

    /// The part of a photo's path in this folder.
    func name(of photo: URL?) -> String { photo.map { String($0.path.dropFirst(url.path.count + 1)) } ?? "" }
  }
#endif
