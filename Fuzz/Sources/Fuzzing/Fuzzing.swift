internal import CNukeKernels
public import Foundation

/// Hands one of libFuzzer's inputs to `body`; the result is what libFuzzer expects of its function.
///
/// `body` fails by trapping: ``expect(_:_:)``, an array's bounds, an arithmetic overflow, the address sanitizer.
public func withInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int, _ body: (Data) -> Void) -> CInt {
  if let bytes {
    // The same variant of the kernels for the same input, so that a failure can be repeated.
    nuke_kernels_choose(UnsafeBufferPointer(start: bytes, count: count).reduce(0) { $0 &+ UInt32($1) })
    // Not copied: libFuzzer's own copy ends where the input ends, so that the address sanitizer sees a read behind it.
    body(Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), count: count, deallocator: .none))
  }
  return 0
}

/// Ends the program, and with it the search, where something does not hold that must.
public func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
