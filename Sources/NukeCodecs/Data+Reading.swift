import Foundation

extension Data {
  /// The result of `body`, which reads the bytes; unlike `withUnsafeBytes` it keeps the type of what `body` throws.
  func reading<Value>(
    _ body: (UnsafeRawBufferPointer) throws(CodecError) -> Value
  ) throws(CodecError) -> Value {
    try withUnsafeBytes { bytes in Result { () throws(CodecError) in try body(bytes) } }.get()
  }
}
