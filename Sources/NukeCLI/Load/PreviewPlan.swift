import Foundation
import Nuke

/// Where previews are written: a folder with a name for each source, and numbers.
struct PreviewPlan: Sendable {
  private let folder: String
  private let format: OutputFormat?
  private let stems: [String]

  /// - Throws: ``FileError`` where the folder is none and cannot be made.
  init(folder: String, format: OutputFormat?, sources: [Source]) throws(FileError) {
    var isDirectory: ObjCBool = false
    if FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory) {
      guard isDirectory.boolValue else { throw FileError("write previews into", folder, code: ENOTDIR) }
    } else if mkdir(folder, 0o777) != 0 {
      throw FileError("make the folder", folder)
    }
    self.folder = folder
    self.format = format
    stems = OutputPlan.distinct(sources.map(\.stem))
  }

  /// The path and the format of preview `number` of source `index`, whose own format is `original`.
  func destination(
    for index: Int, number: Int, rewriting original: ImageFormat?
  ) -> (path: String, format: OutputFormat) {
    let format = format ?? OutputFormat(rewriting: original)
    let name = "\(stems[index])-preview-\(number).\(format.fileExtension)"
    return ((folder as NSString).appendingPathComponent(name), format)
  }
}
