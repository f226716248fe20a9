#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// The destination of images: one file, or a folder or a pattern with a name for each source.
  package struct OutputPlan: Sendable {
    private enum Target: Sendable {
      case file(String)
      case folder(OutputFolder)
      case pattern(NamePattern)
    }

    private let target: Target
    private let format: OutputFormat?
    let sources: [Source]
    /// The names of the sources in a pattern.
    private let stems: [String]
    private let protected: FileIdentities
    private let claims: OutputClaims
    /// What happens to outputs that exist.
    var existing = ExistingOutput.replace
    /// `true` if the format of the source is the default.
    var rewritesFormats = true
    /// `true` if the data of the sources is written unchanged.
    var isOriginal = false

    /// Decides between file, pattern and folder. A path with braces is a pattern. The output is a folder if it is one
    /// already, if its name ends with a slash, or if there may be several sources. `-` is standard output, which takes one
    /// image.
    ///
    /// - Parameters:
    ///   - isMany: `true` if there may be several sources, however many there are.
    ///   - isConversion: `true` if the name of a file must determine the format.
    ///   - isDryRun: `true` to create no folder.
    ///   - claims: the outputs of an earlier plan, which the command goes on with: names do not depend on the other
    ///     sources then. `nil` to give numbers to equal names.
    /// - Throws: `ValidationError` if one file would have to contain several images, or if the format or a placeholder is
    ///   unknown; ``FileError`` if the folder cannot be created.
    package init(
      output: String, format: OutputFormat?, sources: [Source], isMany: Bool, isConversion: Bool = false,
      isDryRun: Bool = false, continuing claims: OutputClaims? = nil
    ) throws {
      self.format = format
      self.claims = claims ?? OutputClaims()
      let isNumbered = claims == nil
      self.sources = sources
      protected = FileIdentities(of: sources)
      if output == StandardOutput.name {
        guard sources.count == 1 else {
          throw ValidationError("Standard output (-) takes one image, but there are \(sources.count) sources.")
        }
        (target, stems) = (.file(output), [])
        return
      }
      if let pattern = try NamePattern(output) {
        if output.hasSuffix("/") {
          throw ValidationError("\(output) is a folder: add the name of a file, {name}.{ext}.")
        }
        guard pattern.namesSources || sources.count <= 1 else {
          throw ValidationError(
            "\(output) is the same path for all \(sources.count) sources: add {name} or {index} to it.")
        }
        if isConversion, format == nil, !pattern.contains(.ext), OutputFormat(path: output) == nil {
          throw OutputFormat.unknown(output, hint: ", {ext}, or --format")
        }
        let keepsFolders = pattern.contains(.dir)
        (target, stems) = (
          .pattern(pattern),
          isNumbered
            ? Self.distinct(sources.map { keepsFolders ? $0.folder + "/" + $0.stem : $0.stem }).map {
              ($0 as NSString).lastPathComponent
            } : sources.map(\.stem)
        )
        return
      }
      stems = []
      let kind = output.fileStatus.map { $0.st_mode & S_IFMT }
      let (exists, isDirectory) = (kind != nil, kind == S_IFDIR)
      if exists, !isDirectory, sources.count > 1 {
        throw ValidationError("The output \(output) is a file, but there are \(sources.count) sources.")
      }
      if !exists, sources.count > 1 || isMany, !output.hasSuffix("/"), OutputFormat(path: output) != nil {
        throw ValidationError(
          "\(output) is named like a file, but several images need a folder: write \(output)/ for a folder of that name."
        )
      }
      guard isDirectory || output.hasSuffix("/") || (!exists && (sources.count > 1 || isMany)) else {
        if isConversion, format == nil, OutputFormat(path: output) == nil {
          throw OutputFormat.unknown(output, hint: ", or --format")
        }
        target = .file(output)
        return
      }
      target = .folder(
        try OutputFolder(output, sources: sources, keepsFolders: true, isNumbered: isNumbered, isDryRun: isDryRun))
    }

    /// The folder that results are written into, of which the images are not sources; `nil` for the current one.
    static func folder(of output: String) -> String? {
      output.utf8.contains(UInt8(ascii: "{")) ? NamePattern.folder(of: output) : output
    }

    /// The format that the output has whatever its source: by `--format`, or by the name of the file.
    var givenFormat: OutputFormat? {
      if let format { return format }
      return switch target {
      case .file(let path): OutputFormat(path: path)
      // The extension of a pattern is a format unless it has a placeholder.
      case .pattern(let pattern): OutputFormat(path: pattern.path { "{\($0.rawValue)}" })
      case .folder: nil
      }
    }

    /// `true` if the path of an output contains the size of its image.
    var needsSize: Bool {
      if case .pattern(let pattern) = target { pattern.needsSize } else { false }
    }

    /// `true` if the path of an output contains the extension of its format.
    private var needsExtension: Bool {
      switch target {
      case .file: false
      case .folder: true
      case .pattern(let pattern): pattern.contains(.ext)
      }
    }

    /// Returns the path and the format for source `index`, which was read as `original`. Creates the folders of the path.
    ///
    /// - Parameter size: the size of the image, which may be `nil` if ``needsSize`` is `false`.
    /// - Throws: if the path is that of a source or of another output, or if it exists and is not to be replaced.
    func destination(
      for index: Int, rewriting original: ImageFormat?, size: (width: Int, height: Int)? = nil
    ) throws -> (path: String, format: OutputFormat) {
      let format = givenFormat ?? OutputFormat(rewriting: original)
      let path = path(for: index, ending: format.fileExtension, size: size)
      try check(path, for: index)
      if case .file = target {} else { try path.createParentFolders() }
      return (path, format)
    }

    /// Throws if an output cannot be written: its path is that of a source or of another output, or it exists and is not
    /// to be replaced.
    func check(_ path: String, for index: Int) throws {
      try protected.check(path)
      if let owner = claims.claim(path, for: sources[index]) {
        throw LoadFailure("not written, since \(path) is the output of \(owner.displayName): choose another name")
      }
      try existing.check(path)
    }

    /// Returns the path for a source that has not been loaded, and `true` if that is the path that the output will have.
    /// Otherwise, it contains the placeholders of what is not known.
    func expected(for index: Int, of source: Source) -> (path: String, isKnown: Bool) {
      if case .file(let path) = target { return (path, true) }
      let ending = expectedExtension(of: source)
      return (path(for: index, ending: ending ?? "{ext}", size: nil), (ending != nil || !needsExtension) && !needsSize)
    }

    /// Returns the extension for a source that has not been loaded; `nil` if it is not known.
    private func expectedExtension(of source: Source) -> String? {
      if !isOriginal, let format = givenFormat { return format.fileExtension }
      guard isOriginal || rewritesFormats, let original = source.path.flatMap(ImageFile.format) else { return nil }
      return isOriginal ? original.fileExtension : OutputFormat(rewriting: original).fileExtension
    }

    private func path(for index: Int, ending: String, size: (width: Int, height: Int)?) -> String {
      switch target {
      case .file(let path): path
      case .folder(let folder): folder.path(for: index, ending: ending)
      case .pattern(let pattern):
        pattern.path { placeholder in
          switch placeholder {
          case .name: return stems[index]
          case .ext: return ending
          case .dir: return sources[index].folder
          case .width: return size.map { "\($0.width)" } ?? "{width}"
          case .height: return size.map { "\($0.height)" } ?? "{height}"
          case .index:
            // All have as many digits, so that the order of the names is that of the sources.
            let (number, digits) = ("\(index + 1)", "\(sources.count)".count)
            return String(repeating: "0", count: digits - number.count) + number
          }
        }
      }
    }

    /// Returns the path for the unchanged data of source `index`, and creates its folders. The name of a file is used
    /// whatever its extension.
    ///
    /// - Throws: as ``destination(for:rewriting:size:)``.
    func originalPath(for index: Int, _ header: ImageHeader) throws -> String {
      let size = (header.pixelWidth, header.pixelHeight)
      let path = path(for: index, ending: header.format.fileExtension, size: size)
      try check(path, for: index)
      if case .file = target {} else { try path.createParentFolders() }
      return path
    }

    /// Returns the names with -2, -3 and so on appended to duplicates.
    ///
    /// Case is ignored, since some file systems ignore it. So is the extension, so that names do not depend on formats.
    package static func distinct(_ stems: [String]) -> [String] {
      var taken: Set<String> = []
      var next: [String: Int] = [:]
      return stems.map { stem in
        let key = stem.lowercased()
        var result = stem
        var number = next[key] ?? 2
        while !taken.insert(result.lowercased()).inserted {
          result = "\(stem)-\(number)"
          number += 1
        }
        next[key] = number
        return result
      }
    }
  }

  /// The outputs of a run, so that none replaces that of another source.
  package final class OutputClaims: Sendable {
    private let owners = Lock<[String: Source]>([:])

    package init() {}

    /// Claims a path. Returns the other source that has claimed it, unless that is a file which is gone.
    fileprivate func claim(_ path: String, for source: Source) -> Source? {
      owners.withLock { owners in
        if let owner = owners[path], owner.text != source.text {
          guard let file = owner.path, file.fileStatus == nil else { return owner }
        }
        owners[path] = source
        return nil
      }
    }
  }

  /// The local files among sources, which must not be overwritten by whatever name.
  struct FileIdentities: Sendable {
    private let identities: Set<FileIdentity>

    init(of sources: [Source]) {
      identities = Set(sources.compactMap { $0.path?.fileStatus.map(FileIdentity.init) })
    }

    func contains(_ path: String) -> Bool {
      path.fileStatus.map { identities.contains(FileIdentity($0)) } ?? false
    }

    /// Throws if a file that is to be written is a source.
    func check(_ output: String) throws(LoadFailure) {
      guard contains(output) else { return }
      throw LoadFailure("not written, since \(output) is a source itself: choose another name or folder")
    }
  }
#endif
