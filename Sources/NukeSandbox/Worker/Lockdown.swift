import CNukeSandbox
import Foundation
import Nuke
import NukeCodecs
import NukeImaging

/// Locks a worker in, in two steps: files before there are threads, which the kernel asks for, and system calls when all
/// that libraries do once has been done.
struct Lockdown {
  /// `true` if the worker may read the folders for fonts.
  let readsFonts: Bool
  /// Why not.
  let reasonWithoutFonts: String

  init(_ settings: WorkerSettings) throws(LockdownFailure) {
    // Those who ask later get no answer from the system.
    _ = (MemoryLimit.bytes, ProcessorCount.available, ProcessInfo.processInfo.environment.count)
    // There are as many workers as processors.
    IdleProcessors.shared.limit(to: 1)
    for format in ImageFormat.readable { Self.awaken(format) }
    try check(nuke_sandbox_limit_process(UInt64(max(settings.memoryLimit, 0))), "limits")
    guard nuke_sandbox_landlock_version() > 0 else {
      (readsFonts, reasonWithoutFonts) = (false, "the kernel has no Landlock")
      return
    }
    // Landlock holds for this thread and those that it starts.
    guard nuke_sandbox_thread_count() == 1 else {
      (readsFonts, reasonWithoutFonts) = (false, "the program had threads before its worker began")
      return
    }
    var folders = settings.folders.map { UnsafePointer(strdup($0)) }
    defer { for folder in folders { free(UnsafeMutablePointer(mutating: folder)) } }
    try check(nuke_sandbox_restrict_files(&folders, folders.count), "Landlock")
    (readsFonts, reasonWithoutFonts) = (true, "")
  }

  /// From here on the system does no more than it has to.
  func close() throws(LockdownFailure) { try check(nuke_sandbox_filter_calls(readsFonts), "seccomp") }

  /// Some libraries load parts of themselves when they are first used. What is read is none.
  private static func awaken(_ format: ImageFormat) {
    _ = try? ImageReaders.reader(for: format.beginning, limits: CodecLimits())
  }
}

struct LockdownFailure: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

private func check(_ error: CInt, _ what: String) throws(LockdownFailure) {
  guard error == 0 else { throw LockdownFailure("\(what): \(String(cString: strerror(error)))") }
}

extension ImageFormat {
  /// Enough of a file for its reader to be asked, and too little to be read.
  fileprivate var beginning: Data {
    switch self {
    case .heic: Data([0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("heicmif1".utf8))
    case .avif: Data([0, 0, 0, 24] + Array("ftypavif".utf8) + [0, 0, 0, 0] + Array("avifmif1".utf8))
    default: Data()
    }
  }
}
