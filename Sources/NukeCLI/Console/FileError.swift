import Foundation

/// Why a file could not be read or written, in the words of the system.
struct FileError: Error, CustomStringConvertible {
  let action: String
  let path: String
  let code: Int32

  /// The error that the system has noted last.
  init(_ action: String, _ path: String, code: Int32 = errno) {
    self.action = action
    self.path = path
    self.code = code
  }

  var description: String { "cannot \(action) \(path): \(Self.text(code))" }

  static func text(_ code: Int32) -> String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

enum FileDescriptorWriter {
  /// Writes all of `data`, however many calls that takes.
  static func write(_ data: Data, to descriptor: Int32, named path: String) throws(FileError) {
    let failure: FileError? = data.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
        if count >= 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        } else if errno != EINTR {
          return FileError("write", path)
        }
      }
      return nil
    }
    if let failure { throw failure }
  }
}
