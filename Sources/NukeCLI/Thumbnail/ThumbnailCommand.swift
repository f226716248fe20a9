#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// `nuke thumbnail`: creates the thumbnails that file managers show.
  struct ThumbnailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "thumbnail",
      abstract: "Find or create the thumbnails that file managers show.",
      discussion: """
        Prints the path of the thumbnail of each file, one per line, in the order of the files. A thumbnail that is up to \
        date is left unchanged. Others are created in ~/.cache/thumbnails (or $XDG_CACHE_HOME/thumbnails), where all \
        programs of a desktop look, as freedesktop.org's Thumbnail Managing Standard requires.

        EXAMPLES
          nuke thumbnail photo.jpg
          nuke thumbnail --flavor x-large ~/Pictures/*.jpg
          find ~/Pictures -name '*.webp' | nuke thumbnail --files-from -

        The exit status is 0 if all files have a thumbnail, 1 if some failed, and 2 for invalid usage.
        """)

    @Argument(help: ArgumentHelp("A path or file: URL.", valueName: "file"), completion: .file())
    var files: [String] = []

    @OptionGroup var list: SourceListOption

    @Option(
      help: ArgumentHelp(
        "The size by the standard's name: normal (128 pixels), large (256, the default), x-large (512) or xx-large (1024).",
        valueName: "flavor"),
      completion: .list(ThumbnailCache.Size.allCases.map(\.folderName)),
      transform: { name in
        guard let size = ThumbnailCache.Size.allCases.first(where: { $0.folderName == name.lowercased() }) else {
          throw ValidationError("Unknown flavor '\(name)': use normal, large, x-large or xx-large.")
        }
        return size
      })
    var flavor = ThumbnailCache.Size.large

    @Option(help: ArgumentHelp("Store thumbnails in this folder instead.", valueName: "folder"), completion: .directory)
    var directory: String?

    @Flag(help: "Create all thumbnails again, and ignore recorded failures.")
    var remake = false

    @Flag(help: "Print each file and the path of its thumbnail, and create nothing.")
    var dryRun = false

    @Flag(help: "Print one JSON object per line instead of paths.")
    var json = false

    func validate() throws {
      guard !files.isEmpty || list.isGiven else { throw ValidationError("Specify at least one file.") }
      guard !files.contains("-") else {
        throw ValidationError("Only files have thumbnails: use --files-from - to read a list from standard input.")
      }
      if directory == "" { throw ValidationError("--directory needs a folder.") }
      if directory?.hasRawBytes == true { throw ValidationError("--directory needs a folder whose name is UTF-8.") }
    }

    func run() async throws {
      let session = Session(json: json)
      let cache = ThumbnailCache(
        directory: directory.map { URL(fileURLWithPath: $0) }, software: "nuke-\(PackageVersion.current)")
      let processors = ProcessInfo.processInfo.activeProcessorCount
      let pipeline = ImagePipeline {
        $0.imageCache = nil
        $0.imageDecodingQueue.maxConcurrentOperationCount = processors
      }
      let sources = try session.attempt { try list.sources(after: files) }
      if dryRun {
        for source in sources { session.report(plan(for: source, in: cache)) }
        return try session.finish()
      }
      await forEachConcurrently(sources.count, limit: processors, isOrdered: true) { [flavor, remake] index in
        do {
          let url = try sources[index].loadableURL()
          let thumbnail = try await cache.thumbnail(of: url, size: flavor, pipeline: pipeline, isMadeAnew: remake)
          return thumbnail.report(sources[index])
        } catch {
          return SourceReport(source: sources[index], failure: LoadFailure(thumbnail: error))
        }
      } receive: {
        session.report($0)
      }
      try session.finish()
    }

    /// Returns what would be done for a file.
    private func plan(for source: Source, in cache: ThumbnailCache) -> SourceReport {
      do {
        let file = try source.loadableURL()
        guard let path = source.path else { throw ThumbnailCache.Error.notAFile(file) }
        guard let thumbnail = cache.url(for: file, size: flavor)?.path else { throw ThumbnailCache.Error.noFolder }
        if path.fileStatus == nil { throw LoadFailure("no such file") }
        if !remake, cache.hasFailed(file) { throw ThumbnailCache.Error.failedBefore(path: path) }
        let isNew = remake || cache.cachedThumbnail(of: file, size: flavor) == nil
        return SourceReport(
          source: source,
          lines: ["\(source.displayName)  \(isNew ? "→ \(thumbnail)" : "has the thumbnail \(thumbnail)")"],
          members: [("dryRun", .bool(true)), ("thumbnail", .string(thumbnail)), ("new", .bool(isNew))])
      } catch {
        return SourceReport(source: source, failure: LoadFailure(thumbnail: error))
      }
    }
  }

  extension ThumbnailCache.Thumbnail {
    fileprivate func report(_ source: Source) -> SourceReport {
      // An existing thumbnail may be larger than requested.
      let header = url.flatMap { try? Data(contentsOf: $0) }.flatMap { try? ImageReaders.header(ofPrefix: $0) }
      return SourceReport(
        source: source, failure: storingError.map(LoadFailure.init(thumbnail:)), lines: url.map { [$0.path] } ?? [],
        members: JSON.list([
          "thumbnail": url.map { .string($0.path) }, "width": .integer(header?.pixelWidth ?? image.pixelWidth),
          "height": .integer(header?.pixelHeight ?? image.pixelHeight), "new": .bool(isNew),
        ]))
    }
  }

  extension LoadFailure {
    fileprivate init(thumbnail error: any Error) {
      switch error as? ThumbnailCache.Error {
      case .notAFile: self.init("only files have thumbnails")
      // The path is the source, which starts the line.
      case .fileNotReadable(_, let reason): self.init(reason)
      case .failedBefore: self.init("it failed before, and the file has not changed since (see --remake)")
      case .notStored(let path, let reason): self.init("\(path) cannot be written: \(LoadFailure(reason).reason)")
      case .isThumbnail: self.init("it is a thumbnail itself")
      case .noFolder: self.init("there is no folder for thumbnails: set HOME, or use --directory")
      case nil: self.init(error)
      }
    }
  }
#endif
