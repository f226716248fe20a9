import Foundation
import Nuke
import NukeImaging

/// The number of workers of a sandbox, and their limits. Changes have no effect on existing sandboxes.
public struct SandboxConfiguration: Sendable, Hashable {
  /// Processes that make images: one a processor by default, and one more, so that looking at a header does not wait
  /// for images.
  public var workerCount = ProcessorCount.available + 1
  /// Images after which a worker makes room for a new one: 1000 by default. With 1, what an image does to its worker
  /// ends with it; each image then waits for a process to start.
  public var imagesPerWorker = 1000
  /// Seconds that one image may take in a worker, which is ended then: 30 by default.
  public var timeLimit = 30.0
  /// Seconds that a worker has to finish what nobody waits for any more; then it is ended. Half of one by default.
  public var cancellationGrace = 0.5
  /// Bytes that a worker may take for itself: by default a quarter of the memory that this process may use, which is
  /// the budget of a service for decoded images, and 512 MiB.
  public var memoryLimit = MemoryLimit.bytes / 4 + (512 << 20)
  /// Bytes in memory past which a worker makes room for a new one: 256 MiB by default.
  public var keptMemory = 256 << 20
  /// The program that workers run, which calls ``RenderWorker/runIfAsked()``; `nil`, which is the default, for this
  /// one.
  public var program: String?
  /// Folders with fonts, and with what is known of them, for text in drawings. Workers read nothing else, and nothing at
  /// all where the kernel has no Landlock.
  public var fontFolders = SandboxConfiguration.defaultFontFolders(ProcessInfo.processInfo.environment)

  /// The defaults.
  public init() {}

  /// Returns the folders in which fontconfig searches.
  static func defaultFontFolders(_ environment: [String: String]) -> [String] {
    var folders = [
      "/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig",
    ]
    if let home = environment["HOME"], home.hasPrefix("/") {
      folders += ["/.fonts", "/.local/share/fonts", "/.config/fontconfig", "/.cache/fontconfig"].map { home + $0 }
    }
    for (name, folder) in [
      ("XDG_DATA_HOME", "/fonts"), ("XDG_CONFIG_HOME", "/fontconfig"), ("XDG_CACHE_HOME", "/fontconfig"),
    ] {
      if let path = environment[name], path.hasPrefix("/") { folders.append(path + folder) }
    }
    return folders
  }
}
