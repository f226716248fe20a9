import Foundation

/// What Swift does not let a program do.
enum System {
  static var error: String {
    switch errno {
    case EACCES: "EACCES"
    case EPERM: "EPERM"
    case ENOSYS: "ENOSYS"
    case ENOMEM: "ENOMEM"
    default: String(cString: strerror(errno))
    }
  }

  private typealias Function = @convention(c) (Int, Int, Int, Int) -> Int

  /// Calls a function of the C library with numbers.
  static func call(_ name: String, _ first: Int = 0, _ second: Int = 0, _ third: Int = 0) -> CInt {
    guard let symbol = dlsym(nil, name) else { return 0 }
    return CInt(truncatingIfNeeded: unsafeBitCast(symbol, to: Function.self)(first, second, third, 0))
  }

  static func spin() -> Never { while true {} }

  static func crash() -> Never {
    let nowhere = UnsafeMutablePointer<UInt8>(bitPattern: 8)!
    nowhere.pointee = 1
    exit(0)
  }
}
