#if Command
  import Foundation

  /// A folder with a distinct name for each source.
  struct OutputFolder: Sendable {
    private let folder: String
    private let stems: [String]

    /// Creates the folder if necessary.
    ///
    /// - Parameters:
    ///   - keepsFolders: `true` to write the image of a searched folder into the same folder in this one.
    ///   - isNumbered: `true` to give numbers to equal names.
    ///   - isDryRun: `true` to create no folder.
    init(
      _ folder: String, sources: [Source], keepsFolders: Bool = false, isNumbered: Bool = true, isDryRun: Bool = false
    ) throws(FileError) {
      if let status = folder.fileStatus {
        guard status.st_mode & S_IFMT == S_IFDIR else { throw FileError("write into", folder, code: ENOTDIR) }
      } else if !isDryRun, folder.withSystemPath({ mkdir($0, 0o777) }) != 0 {
        throw FileError("create the folder", folder)
      }
      self.folder = folder
      let stems = sources.map { keepsFolders && !$0.folder.isEmpty ? $0.folder + "/" + $0.stem : $0.stem }
      self.stems = isNumbered ? OutputPlan.distinct(stems) : stems
    }

    /// - Parameter ending: the extension.
    func path(for index: Int, suffix: String = "", ending: String) -> String {
      (folder as NSString).appendingPathComponent("\(stems[index])\(suffix).\(ending)")
    }

    func path(for index: Int, suffix: String = "", _ format: OutputFormat) -> String {
      path(for: index, suffix: suffix, ending: format.fileExtension)
    }
  }

  extension String {
    /// Creates the folders that lead to the file at this path.
    func createParentFolders() throws(FileError) {
      let folder = (self as NSString).deletingLastPathComponent
      guard !folder.isEmpty, folder.fileStatus == nil else { return }
      try folder.createParentFolders()
      if folder.withSystemPath({ mkdir($0, 0o777) }) != 0, errno != EEXIST {
        throw FileError("create the folder", folder)
      }
    }
  }
#endif
