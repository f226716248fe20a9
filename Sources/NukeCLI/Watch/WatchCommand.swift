#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke watch`: converts the images that arrive in a folder.
  struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch",
      abstract: "Convert images as they arrive in a folder.",
      discussion: """
        First converts the images that are in the folder, except those whose output is newer. Then waits, and converts each \
        image when it is closed by the program that writes it, or moved into the folder. An output that exists is \
        replaced. Hidden files and folders are left out, and so is the output folder.

        Prints a line for each image, and "watching" when it begins to wait. Ends by an interrupt or SIGTERM, which leave \
        no incomplete file, and with an error if the folder is removed.

        OUTPUT NAMES
        Braces in the output are filled in for each source: {name} its name without extension, {ext} the extension of \
        the output, {dir} its folder in the watched one. Images whose names differ in the extension only need different \
        outputs: the second one fails.

        PROCESSORS
        \(ProcessorSyntax.help)

        EXAMPLES
          nuke watch uploads --size 400x400 --output thumbnails
          nuke watch uploads --recursive --output web --format webp --size '1600x>'
          nuke watch uploads --size 200x --output 'thumbnails/{dir}/tn_{name}.{ext}'
          nuke watch uploads --size 400x400 --output thumbnails --dry-run

        The exit status is 1 if the folder is not there or was removed, and 2 for invalid usage.
        """)

    @Argument(help: ArgumentHelp("The folder to watch.", valueName: "folder"), completion: .directory)
    var folder: String

    @Flag(help: "Also watch the folders in it, and new ones. They are kept in the output folder.")
    var recursive = false

    @Option(
      name: [.short, .long],
      help: ArgumentHelp(
        "Write the images into this folder, or to files named by a pattern (see OUTPUT NAMES above).",
        valueName: "folder|pattern"), completion: .directory)
    var output: String

    @Flag(help: "Print each image that would be converted at the start and its output, write nothing, and end.")
    var dryRun = false

    @OptionGroup var encoding: EncodingOptions

    @OptionGroup var metadata: MetadataOptions

    @OptionGroup(title: "Processing") var processing: ProcessingOptions

    @OptionGroup(title: "Limits") var concurrency: ConcurrencyOption

    @OptionGroup(title: "Limits") var limits: TransferLimits

    @OptionGroup(title: "Limits") var requests: RequestOptions

    @OptionGroup var printing: PrintingOptions

    func validate() throws {
      if folder.isEmpty { throw ValidationError("Specify a folder.") }
      guard !output.isEmpty, output != StandardOutput.name else { throw ValidationError("--output needs a folder.") }
      guard let pattern = try NamePattern(output) else { return }
      for placeholder in [NamePattern.Placeholder.index, .width, .height] where pattern.contains(placeholder) {
        throw ValidationError(
          "{\(placeholder.rawValue)} cannot be used here: the name must not depend on other images.")
      }
      guard pattern.contains(.name) else {
        throw ValidationError("\(output) is the same path for all images: add {name}.")
      }
    }

    func run() async throws {
      let session = Session(printing)
      if dryRun { return try dryRun(session) }
      // See FolderWatch: another program opens a file while it is found out whether one does.
      signal(SIGIO, SIG_IGN)
      let claims = OutputClaims()
      let (watch, setup) = try session.attempt {
        try checkFolders()
        // Creates the folder, so that the watch knows it.
        _ = try plan([], claims)
        let setup = try PipelineSetup(limits: limits, requests: requests, concurrency: concurrency.count) {
          $0.imageCache = nil
          if metadata.keepMetadata { $0.readMetadata() }
        }
        return (try FolderWatch(folder, isRecursive: recursive, except: outputFolder), setup)
      }
      func convert(_ sources: [Source]) async throws {
        guard !sources.isEmpty else { return }
        let run = LoadRun(
          session: session, sources: sources, limits: limits, concurrency: concurrency.count, setup: setup,
          encoding: encoding.encoding(keeping: metadata.kept),
          output: try session.attempt { try self.plan(sources, claims) }
        ) { [processing, limits] (source) throws(LoadFailure) in
          var request = try source.request(limit: limits.byteLimit)
          processing.apply(to: &request)
          return request
        }
        await run()
      }
      func outdated(_ sources: [Source]) throws -> [Source] {
        try session.attempt { try plan(sources, claims).outdated }
      }

      try await convert(outdated(session.attempt { try watch.scan() }))
      session.print(.members(["watching": .string(folder.pathForPrograms)]), ["watching \(folder.onOneLine)"])
      while true {
        let events: [FolderEvent]
        do throws(FileError) {
          events = try await watch.events()
        } catch {
          session.fail(error.description)
          return try session.finish()
        }
        let (arrived, found) = try session.attempt { try watch.arrivals(events) }
        try await convert(arrived)
        try await convert(outdated(found))
      }
    }

    /// Prints the images that are in the folder and would be converted.
    private func dryRun(_ session: Session) throws {
      signal(SIGIO, SIG_IGN)
      let (sources, output) = try session.attempt {
        try checkFolders()
        let found = try FolderWatch(folder, isRecursive: recursive, except: outputFolder).scan()
        let sources = try plan(found, OutputClaims()).outdated
        return (sources, try plan(sources, OutputClaims()))
      }
      DryRun(session: session, sources: sources, output: output)()
      try session.finish()
    }

    /// The folder that results are written into, by the fixed part of a pattern.
    private var outputFolder: String { OutputPlan.folder(of: output) ?? "." }

    /// Throws if the folder cannot be watched, or if results would arrive in it.
    private func checkFolders() throws {
      guard let status = folder.fileStatus else { throw FileError("watch", folder, code: ENOENT) }
      guard status.st_mode & S_IFMT == S_IFDIR else { throw FileError("watch", folder, code: ENOTDIR) }
      guard let written = outputFolder.fileStatus else { return }
      guard written.st_mode & S_IFMT == S_IFDIR else {
        throw ValidationError("The output \(outputFolder) is a file: specify a folder.")
      }
      if FileIdentity(written) == FileIdentity(status) {
        throw ValidationError("The output must not be the watched folder: add the name of a folder in it.")
      }
    }

    private func plan(_ sources: [Source], _ claims: OutputClaims) throws -> OutputPlan {
      try OutputPlan(
        output: output, format: encoding.format, sources: sources, isMany: true, isDryRun: dryRun,
        continuing: claims)
    }
  }

  extension OutputPlan {
    /// The sources whose outputs are older, or not there.
    fileprivate var outdated: [Source] {
      sources.indices.filter { !isNewer(for: $0, than: sources[$0]) }.map { sources[$0] }
    }

    /// Returns `true` if the output exists, and is not older than its source.
    private func isNewer(for index: Int, than source: Source) -> Bool {
      let (path, isKnown) = expected(for: index, of: source)
      guard isKnown, let output = path.fileStatus?.st_mtim, let input = source.path?.fileStatus?.st_mtim else {
        return false
      }
      return (output.tv_sec, output.tv_nsec) >= (input.tv_sec, input.tv_nsec)
    }
  }
#endif
