#if Command
  import ArgumentParser
  import Foundation
  import Nuke

  /// The destination of images: one file, or a folder with a name for each source.
  package struct OutputPlan: Sendable {
    private enum Target: Sendable {
      case file(String)
      case folder(OutputFolder)
    }

    private let target: Target
    private let format: OutputFormat?
    private let protected: FileIdentities

    /// Decides between file and folder. The output is a folder if it is one already, if its name ends with a slash, or if
    /// there are several sources or a list. `-` is standard output, which takes one image.
    ///
    /// - Parameter isConversion: `true` if the name of a file must determine the format.
    /// - Throws: `ValidationError` if one file would have to contain several images, or if the format is unknown;
    ///   ``FileError`` if the folder cannot be created.
    package init(
      output: String, format: OutputFormat?, sources: [Source], isList: Bool, isConversion: Bool = false
    ) throws {
      self.format = format
      protected = FileIdentities(of: sources)
      if output == StandardOutput.name {
        guard sources.count == 1 else {
          throw ValidationError("Standard output (-) takes one image, but there are \(sources.count) sources.")
        }
        target = .file(output)
        return
      }
      let kind = output.fileStatus.map { $0.st_mode & S_IFMT }
      let (exists, isDirectory) = (kind != nil, kind == S_IFDIR)
      if exists, !isDirectory, sources.count > 1 {
        throw ValidationError("The output \(output) is a file, but there are \(sources.count) sources.")
      }
      if !exists, sources.count > 1 || isList, !output.hasSuffix("/"), OutputFormat(path: output) != nil {
        throw ValidationError(
          "\(output) is named like a file, but several images need a folder: write \(output)/ for a folder of that name."
        )
      }
      guard isDirectory || output.hasSuffix("/") || (!exists && (sources.count > 1 || isList)) else {
        if isConversion, format == nil, OutputFormat(path: output) == nil {
          throw OutputFormat.unknown(output, hint: ", or --format")
        }
        target = .file(output)
        return
      }
      target = .folder(try OutputFolder(output, sources: sources))
    }

    /// The format that the output has whatever its source: by `--format`, or by the name of the file.
    var givenFormat: OutputFormat? {
      if let format { return format }
      if case .file(let path) = target { return OutputFormat(path: path) }
      return nil
    }

    /// Returns the path and the format for source `index`, which was read as `original`.
    ///
    /// - Throws: if the path is that of a source.
    func destination(
      for index: Int, rewriting original: ImageFormat?
    ) throws(LoadFailure) -> (path: String, format: OutputFormat) {
      let result: (path: String, format: OutputFormat)
      switch target {
      case .file(let path):
        result = (path, givenFormat ?? OutputFormat(rewriting: original))
      case .folder(let folder):
        let format = format ?? OutputFormat(rewriting: original)
        result = (folder.path(for: index, format), format)
      }
      try protected.check(result.path)
      return result
    }

    /// Returns the path for the unchanged data of source `index`. The name of a file is used whatever its extension.
    ///
    /// - Throws: if the path is that of a source.
    func originalPath(for index: Int, _ format: ImageFormat) throws(LoadFailure) -> String {
      let path =
        switch target {
        case .file(let path): path
        case .folder(let folder): folder.path(for: index, fileExtension: format.fileExtension)
        }
      try protected.check(path)
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

  /// A folder with a distinct name for each source.
  struct OutputFolder: Sendable {
    private let folder: String
    private let stems: [String]

    /// Creates the folder if necessary.
    init(_ folder: String, sources: [Source]) throws(FileError) {
      if let status = folder.fileStatus {
        guard status.st_mode & S_IFMT == S_IFDIR else { throw FileError("write into", folder, code: ENOTDIR) }
      } else if folder.withSystemPath({ mkdir($0, 0o777) }) != 0 {
        throw FileError("create the folder", folder)
      }
      self.folder = folder
      stems = OutputPlan.distinct(sources.map(\.stem))
    }

    func path(for index: Int, suffix: String = "", _ format: OutputFormat) -> String {
      path(for: index, suffix: suffix, fileExtension: format.fileExtension)
    }

    func path(for index: Int, suffix: String = "", fileExtension: String) -> String {
      (folder as NSString).appendingPathComponent("\(stems[index])\(suffix).\(fileExtension)")
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
