import Foundation

/// The reason why a file could not be read or written, with the system's description.
struct FileError: Error, CustomStringConvertible {
  let action: String
  let path: String
  let code: Int32

  /// Creates an error from the system's error code. The default is `errno`.
  init(_ action: String, _ path: String, code: Int32 = errno) {
    self.action = action
    self.path = path
    self.code = code
  }

  var description: String { "cannot \(action) \(path == "-" ? "standard output" : path): \(reason)" }
  var reason: String { Self.text(code) }

  static func text(_ code: Int32) -> String {
    let text = String(cString: strerror(code))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// Reads and writes complete buffers, with as many system calls as necessary.
enum Descriptor {
  static func write(_ data: Data, to descriptor: Int32, named path: String) throws(FileError) {
    let failure: FileError? = data.withUnsafeBytes { bytes in
      do throws(FileError) {
        try write(bytes, to: descriptor, named: path)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, named path: String) throws(FileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno != EINTR {
        throw FileError("write", path)
      }
    }
  }

  /// Reads until `data` has `size` bytes. Returns `false` if the file ends earlier.
  static func read(
    _ descriptor: Int32, into data: inout Data, upTo size: Int, _ action: String = "read", named path: String
  ) throws(FileError) -> Bool {
    var chunk = [UInt8](repeating: 0, count: max(1, min(size - data.count, 1 << 18)))
    while data.count < size {
      let count = Foundation.read(descriptor, &chunk, min(chunk.count, size - data.count))
      if count == 0 { return false }
      if count > 0 {
        data.append(contentsOf: chunk[..<count])
      } else if errno != EINTR {
        throw FileError(action, path)
      }
    }
    return true
  }
}
