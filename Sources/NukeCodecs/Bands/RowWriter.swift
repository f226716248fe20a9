/// A writer that can encode an image in bands of rows.
package protocol RowWriter: ImageWriter {
  /// Returns the memory that encoding in bands needs, in bytes; `nil` if the options of this writer need the whole image.
  func rowByteCount(width: Int, height: Int, _ contents: RowContents) -> Int?

  /// Returns an encoder for `height` rows. The file is complete when it has received the last one.
  func rowSink(
    width: Int, height: Int, _ contents: RowContents, to output: RowOutput
  ) throws(CodecError) -> any RowSink
}

/// Receives a file in pieces.
package final class RowOutput {
  private let receive: (UnsafeRawBufferPointer) throws -> Void
  /// The error that `receive` threw. It stops encoding.
  package private(set) var error: (any Error)?

  package init(_ receive: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.receive = receive }

  /// Returns `false` to stop encoding.
  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do {
      try receive(bytes)
      return true
    } catch {
      self.error = error
      return false
    }
  }
}
