import Foundation
import Nuke
import NukeStore

/// Opens the file at a path below a folder, and follows symbolic links that stay below it.
///
/// The kernel resolves the path in one step if it can. Otherwise, and for links to absolute paths below the folder, it is
/// opened folder by folder. Each one is opened relative to the one before and never through a link, and `..` in the
/// target of a link returns to the folder that was opened before. No name is therefore resolved twice, and no renaming
/// leads outside.
struct FolderWalk {
  private let root: String
  private let path: LocalSourcePath
  /// The folders from the root to the current one.
  private var folders: [Descriptor]
  /// The names that remain, in reverse order.
  private var rest: [[UInt8]]
  private var linkCount = 0

  /// As in Linux (path_resolution(7)).
  private static let linkLimit = 40
  private static let slash = UInt8(ascii: "/")

  // Opening a pipe without O_NONBLOCK would wait for its writer.
  private static let fileFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK

  init(_ root: String, _ path: LocalSourcePath) throws(DataLoader.TransferError) {
    let opened = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .fileNotReadable(path: root, reason: String(cString: strerror(errno))) }
    self.root = root
    self.path = path
    folders = [Descriptor(opened)]
    rest = path.names.reversed()
  }

  /// Opens the file.
  ///
  /// - Parameter usesKernel: `false` to open folder by folder in any case.
  func file(usesKernel: Bool = true) throws(DataLoader.TransferError) -> Descriptor {
    if usesKernel {
      let opened = Array(path.names.joined(separator: [Self.slash])).withCString {
        OpeningBeneath.open($0, in: folders[0].number, flags: Self.fileFlags)
      }
      switch -opened {
      case ...0: return Descriptor(opened)
      case ENOSYS, EAGAIN, EXDEV: break
      case let code: throw path.unreadable(code)
      }
    }
    var walk = self
    return try walk.walk()
  }

  private mutating func walk() throws(DataLoader.TransferError) -> Descriptor {
    while let name = rest.popLast() {
      if name.elementsEqual(".".utf8) { continue }
      if name.elementsEqual("..".utf8) {
        guard folders.count > 1 else { throw path.unreadable(EXDEV) }
        folders.removeLast()
        continue
      }
      let isLast = rest.isEmpty
      let flags = isLast ? Self.fileFlags : O_RDONLY | O_DIRECTORY | O_CLOEXEC
      let folder = folders[folders.count - 1]
      let opened = name.withCString { openat(folder.number, $0, flags | O_NOFOLLOW) }
      if opened < 0 {
        let code = errno
        // Opening a symbolic link with O_DIRECTORY fails as opening a file does.
        guard code == ELOOP || code == ENOTDIR, let target = Self.target(of: name, in: folder) else {
          throw path.unreadable(code)
        }
        try follow(target)
      } else if isLast {
        return Descriptor(opened)
      } else {
        folders.append(Descriptor(opened))
      }
    }
    // The target of the last link ends in `..`.
    throw .isDirectory(path: path.description)
  }

  private mutating func follow(_ target: [UInt8]) throws(DataLoader.TransferError) {
    linkCount += 1
    guard linkCount <= Self.linkLimit else { throw path.unreadable(ELOOP) }
    var names = target.split(separator: Self.slash)
    if target.first == Self.slash {
      let beginning = root.utf8.split(separator: Self.slash)
      guard root.hasPrefix("/"), names.starts(with: beginning, by: { $0.elementsEqual($1) }) else {
        throw path.unreadable(EXDEV)
      }
      names.removeFirst(beginning.count)
      folders.removeLast(folders.count - 1)
    }
    rest += names.reversed().map(Array.init)
  }

  /// Returns the target of a symbolic link; `nil` if the name is not that of a link.
  private static func target(of name: [UInt8], in folder: Descriptor) -> [UInt8]? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = name.withCString { name in
      target.withUnsafeMutableBytes {
        readlinkat(folder.number, name, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
      }
    }
    return count < 0 ? nil : Array(target.prefix(count))
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes and a zero byte after them.
  fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (self + [0]).withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
  }
}
