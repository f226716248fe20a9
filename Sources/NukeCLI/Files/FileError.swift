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

/// Opens files, and reads and writes complete buffers, with as many system calls as necessary.
enum Descriptor {
  /// Opens a file for reading. Waits for the writer of a pipe. The caller closes the descriptor.
  static func open(_ path: String, _ action: String = "read") throws(FileError) -> Int32 {
    while true {
      let descriptor = path.withSystemPath { Foundation.open($0, O_RDONLY | O_CLOEXEC) }
      if descriptor >= 0 { return descriptor }
      guard errno == EINTR else { throw FileError(action, path) }
    }
  }

  /// Reads to the end. Throws if there are more than `limit` bytes.
  static func readToEnd(
    _ descriptor: Int32, limit: Int, _ action: String = "read", named path: String
  ) throws(FileError) -> Data {
    var data = Data()
    if try read(descriptor, into: &data, upTo: limit + 1, action, named: path) {
      throw FileError(action, path, code: EFBIG)
    }
    return data
  }

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
