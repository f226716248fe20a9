import CNukeSandbox
import Foundation
import Nuke
import NukeCodecs

/// Sandboxes the current process in two steps. File access is restricted before any thread is started, as the kernel
/// requires. System calls are restricted after the libraries have initialized themselves.
struct Lockdown {
  /// `true` if the worker can read the font folders.
  let readsFonts: Bool
  /// The reason why it cannot.
  let reasonWithoutFonts: String

  init(_ settings: WorkerSettings) throws(WorkerError) {
    // Compute these values now and cache them: after the lockdown, the system calls for them fail.
    _ = (MemoryLimit.bytes, ProcessorCount.available, ProcessInfo.processInfo.environment.count)
    // There are as many workers as processors.
    IdleProcessors.shared.limit(to: 1)
    // Readers load their libraries, some of which load parts of themselves on first use. No image is read.
    for format in ImageFormat.readable {
      _ = try? ImageReaders.reader(for: format.beginning, limits: CodecLimits())
    }
    try check(nuke_sandbox_limit_process(UInt64(max(settings.memoryLimit, 0))), "limits")
    guard nuke_sandbox_landlock_version() > 0 else {
      (readsFonts, reasonWithoutFonts) = (false, "the kernel has no Landlock")
      return
    }
    // Landlock applies only to this thread and the threads that it starts.
    guard nuke_sandbox_thread_count() == 1 else {
      (readsFonts, reasonWithoutFonts) = (false, "the program had threads before its worker began")
      return
    }
    var folders = settings.folders.map { UnsafePointer(strdup($0)) }
    defer { for folder in folders { free(UnsafeMutablePointer(mutating: folder)) } }
    try check(nuke_sandbox_restrict_files(&folders, folders.count), "Landlock")
    (readsFonts, reasonWithoutFonts) = (true, "")
  }

  /// Filters system calls. From here on, the process can make only the calls that rendering needs.
  func close() throws(WorkerError) { try check(nuke_sandbox_filter_calls(readsFonts), "seccomp") }
}

private func check(_ error: CInt, _ what: String) throws(WorkerError) {
  guard error == 0 else { throw WorkerError("\(what): \(String(cString: strerror(error)))") }
}

extension ImageFormat {
  /// Bytes that identify the format but are not a complete image.
  fileprivate var beginning: Data {
    switch self {
    case .heic: Data([0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0] + Array("heicmif1".utf8))
    case .avif: Data([0, 0, 0, 24] + Array("ftypavif".utf8) + [0, 0, 0, 0] + Array("avifmif1".utf8))
    default: Data()
    }
  }
}
