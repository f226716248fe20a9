internal import CNukeKernels
public import Foundation

/// Passes an input of libFuzzer to `body`, and returns the result that libFuzzer expects from its function.
///
/// `body` fails by trapping: ``expect(_:_:)``, an array's bounds, an arithmetic overflow, the address sanitizer.
public func withInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int, _ body: (Data) -> Void) -> CInt {
  if let bytes {
    // The same input always selects the same variant of the kernels, so that failures can be reproduced.
    nuke_kernels_choose(UnsafeBufferPointer(start: bytes, count: count).reduce(0) { $0 &+ UInt32($1) })
    // Not copied: libFuzzer's own copy ends where the input ends, so that the address sanitizer detects reads past it.
    body(Data(bytesNoCopy: UnsafeMutableRawPointer(mutating: bytes), count: count, deallocator: .none))
  }
  return 0
}

/// Traps, which ends the search, if a condition is false.
public func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}
