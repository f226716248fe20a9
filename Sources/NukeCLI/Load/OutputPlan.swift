import ArgumentParser
import Foundation
package import Nuke

/// Where images are written: one file, or a folder with a name for each source.
package struct OutputPlan: Sendable {
  private enum Place: Sendable {
    case file(String)
    case folder(String, stems: [String])
  }

  private let place: Place
  private let format: OutputFormat?

  /// Decides between file and folder: it is a folder where there is one, where the name ends with a slash, or where
  /// there are, or may be, several sources.
  ///
  /// - Parameter needsFormat: whether a file's name has to tell the format where nothing else does.
  /// - Throws: `ValidationError` where one file would have to hold several images, and where no format is told;
  ///   ``FileError`` where the folder cannot be made.
  package init(
    output: String, format: OutputFormat?, sources: [Source], isList: Bool, needsFormat: Bool = false
  ) throws {
    self.format = format
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isDirectory)
    if exists, !isDirectory.boolValue, sources.count > 1 {
      throw ValidationError("The output is a file, \(output), but there are \(sources.count) sources.")
    }
    guard isDirectory.boolValue || output.hasSuffix("/") || (!exists && (sources.count > 1 || isList)) else {
      if needsFormat, format == nil, OutputFormat(fileExtension: (output as NSString).pathExtension) == nil {
        throw ValidationError(
          "\(output) does not tell its format: give it one of the endings \(OutputFormat.endings), or use --format.")
      }
      place = .file(output)
      return
    }
    if !exists, mkdir(output, 0o777) != 0 { throw FileError("make the folder", output) }
    place = .folder(output, stems: Self.distinct(sources.map(\.stem)))
  }

  /// The format and the path for source `index`, whose own format is `original`.
  package func destination(for index: Int, rewriting original: ImageFormat?) -> (path: String, format: OutputFormat) {
    switch place {
    case .file(let path):
      let named = OutputFormat(fileExtension: (path as NSString).pathExtension)
      return (path, format ?? named ?? OutputFormat(rewriting: original))
    case .folder(let folder, let stems):
      let format = format ?? OutputFormat(rewriting: original)
      return ((folder as NSString).appendingPathComponent(stems[index] + "." + format.fileExtension), format)
    }
  }

  /// The names, with -2, -3 … at the end of those that came before. Case makes no difference, since there are file
  /// systems to which it makes none; nor does the ending, so that the names do not depend on what is in the files.
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
