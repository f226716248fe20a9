import Foundation
import Nuke

/// Finds the images in folders, and in the folders in them.
///
/// Hidden files and folders are left out. A folder is read once, even if symbolic links lead to it again.
package struct FolderScan {
  /// The folder for results, which are not sources.
  private let output: FileIdentity?
  private let isRecursive: Bool
  private var known: Set<FileIdentity>

  /// - Parameters:
  ///   - output: a folder that is left out if it is in another one.
  ///   - isRecursive: `false` to search no folders in folders.
  package init(except output: String? = nil, isRecursive: Bool = true) {
    self.init(except: output, isRecursive: isRecursive, known: [])
  }

  /// - Parameter known: the folders that have been read.
  init(except output: String?, isRecursive: Bool, known: Set<FileIdentity>) {
    self.output = output?.fileStatus.map(FileIdentity.init)
    self.isRecursive = isRecursive
    self.known = known
  }

  /// Returns the images in a folder, in the order of the bytes of their names. For a folder that cannot be read, there is
  /// an unusable source.
  ///
  /// - Parameters:
  ///   - relative: the path of the folder in the one that the user named.
  ///   - willRead: called with each folder, and its path in the one that the user named, before its names are read.
  package mutating func sources(
    in folder: String, below relative: String = "", willRead: (String, String) -> Void = { _, _ in }
  ) -> [Source] {
    guard let status = folder.fileStatus, known.insert(FileIdentity(status)).inserted else { return [] }
    var sources: [Source] = []
    add(folder, below: relative, to: &sources, willRead)
    return sources
  }

  private mutating func add(
    _ folder: String, below relative: String, to sources: inout [Source], _ willRead: (String, String) -> Void
  ) {
    willRead(folder, relative)
    let names: [[UInt8]]
    do throws(FileError) {
      names = try Self.names(in: folder)
    } catch {
      return sources.append(Source(text: folder, location: .unusable(reason: "cannot be read: \(error.reason)")))
    }
    for bytes in names where bytes.first != UInt8(ascii: ".") {
      let name = String(system: bytes)
      let path = folder.utf8.last == UInt8(ascii: "/") ? folder + name : folder + "/" + name
      // There is none at the end of a broken link.
      guard let status = path.fileStatus else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        let identity = FileIdentity(status)
        guard isRecursive, identity != output, known.insert(identity).inserted else { continue }
        add(path, below: relative.isEmpty ? name : relative + "/" + name, to: &sources, willRead)
      case S_IFREG where ImageFile.isImage(path):
        sources.append(Source(text: path, location: .file(path: path), folder: relative))
      default: break
      }
    }
  }

  /// Returns the names in a folder, ordered by their bytes.
  private static func names(in folder: String) throws(FileError) -> [[UInt8]] {
    guard let stream = folder.withSystemPath({ opendir($0) }) else { throw FileError("read", folder) }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      // `readdir` returns `nil` at the end too, and then leaves the error as it was.
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      names.append(name)
    }
    guard errno == 0 else { throw FileError("read", folder) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
