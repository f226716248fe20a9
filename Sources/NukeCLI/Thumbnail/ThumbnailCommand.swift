import ArgumentParser
import Foundation
import Nuke

/// `nuke thumbnail`: makes the thumbnails that file managers show.
struct ThumbnailCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnail",
    abstract: "Make the thumbnails of files that file managers show.",
    discussion: """
      Prints where the thumbnail of each file is, a path a line, in the order of the files. What is there and still fits \
      its file is left as it is; the rest is made and kept under ~/.cache/thumbnails (or $XDG_CACHE_HOME/thumbnails), \
      where all programs of a desktop look: freedesktop.org's Thumbnail Managing Standard says how.

      A file that is damaged or no image is noted, and not tried again until it changes, unless with --remake. One that \
      is too large or in a format that this build lacks is tried each time. Of thumbnails themselves none are kept.

      Where a larger thumbnail is there and none of the size that was asked for, it does as well, and its path is printed.

      SIZES
        normal    at most 128 pixels a side
        large     256: what most file managers show
        x-large   512
        xx-large  1024

      EXAMPLES
        nuke thumbnail photo.jpg
        nuke thumbnail --size x-large ~/Pictures/*.jpg
        find ~/Pictures -name '*.webp' | nuke thumbnail -

      The status is 0 when all have one, 1 when some have not, 2 for wrong usage.
      """)

  @Argument(
    help: ArgumentHelp("A path or file: URL, or - for a list on standard input, one a line.", valueName: "file"),
    completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp("How large: normal, large (as without it), x-large or xx-large.", valueName: "size"),
    completion: .list(ThumbnailCache.Size.allCases.map(\.folderName)), transform: ThumbnailCache.Size.named)
  var size = ThumbnailCache.Size.large

  @Option(
    help: ArgumentHelp("Keep them in this folder, and not in that of all programs.", valueName: "folder"),
    completion: .directory)
  var directory: String?

  @Flag(help: "Make them anew, whatever is there.")
  var remake = false

  @Flag(help: "Print one JSON object a line instead of paths.")
  var json = false

  func validate() throws {
    guard !files.isEmpty else { throw ValidationError("Give at least one file, or -.") }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input (-) can be read only once.") }
    if directory?.isEmpty == true { throw ValidationError("--directory needs a folder.") }
  }

  func run() async throws {
    let console = Console()
    Interrupt.handle()
    let cache = ThumbnailCache(
      directory: directory.map { URL(fileURLWithPath: $0) }, software: "nuke-\(NukeCommand.version)")
    let sources = Source.list(files, readLine: { readLine() })
    let run = ThumbnailRun(cache: cache, size: size, isMadeAnew: remake)
    var isComplete = true
    for await result in run.results(of: sources) {
      if let reason = result.reason {
        isComplete = false
        console.printError("\(result.source.displayName): \(reason)")
      }
      if json {
        console.print(result.json.text)
      } else if let path = result.path {
        console.print(path)
      }
    }
    if !isComplete { throw ExitCode(1) }
  }
}

extension ThumbnailCache.Size {
  /// By the name of its folder, which is what people see of it.
  fileprivate static func named(_ name: String) throws -> Self {
    guard let size = allCases.first(where: { $0.folderName == name.lowercased() }) else {
      throw ValidationError("There is no size '\(name)': use normal, large, x-large or xx-large.")
    }
    return size
  }
}
