import Foundation
import Nuke
import NukeImaging

/// The number of workers of a sandbox, and their limits. Changes have no effect on existing sandboxes.
public struct SandboxConfiguration: Sendable, Hashable {
  /// The maximum number of worker processes. The default is one for each processor and one more, so that reading a header
  /// does not wait for rendering. One is started with the sandbox, and the others when a request finds all busy.
  public var workerCount = ProcessorCount.available + 1
  /// The number of images after which a worker is replaced. The default is 1000. With 1, no image can affect the
  /// rendering of another, but each image waits for a process to start.
  public var imagesPerWorker = 1000
  /// The maximum time that a worker may spend on one image, in seconds. A worker that exceeds it is terminated. The
  /// default is 30.
  public var timeLimit = 30.0
  /// The time in seconds after which a worker that is busy with one image gives way: another worker is started beside it,
  /// so that other images do not wait. The number of workers at most doubles. The default is 1.
  public var turn = 1.0
  /// The time that a worker has to stop after its request was canceled, in seconds. A worker that exceeds it is
  /// terminated. The default is 0.5.
  public var cancellationGrace = 0.5
  /// The time in seconds after which a worker that has had no image ends, unless it is the only one. The default is 60.
  public var idleTimeout = 60.0
  /// The maximum memory of a worker, in bytes. The default is 512 MiB plus a quarter of the memory that this process
  /// may use, which is the decode budget of a service.
  public var memoryLimit = MemoryLimit.bytes / 4 + (512 << 20)
  /// The resident memory above which a worker is replaced, in bytes. The default is 256 MiB.
  public var keptMemory = 256 << 20
  /// The program of the workers, which must call ``RenderWorker/runIfAsked()``. The default, `nil`, is this program.
  public var program: String?
  /// The folders with fonts and fontconfig's configuration, for text in SVG. Workers can read no other files, and none
  /// at all if the kernel does not support Landlock.
  public var fontFolders = SandboxConfiguration.defaultFontFolders(ProcessInfo.processInfo.environment)

  /// Creates a configuration with the default values.
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
