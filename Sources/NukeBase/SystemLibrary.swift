internal import CNukeLibraries
internal import Foundation

/// A C library of an optional feature, which is opened at its first use. Programs start without loading it, and run on
/// systems where it is not installed.
///
/// Store it in a `static let`, because a library is opened only once.
package struct SystemLibrary: Sendable {
  /// The libraries that are opened in this way; see `CNukeLibraries/functions.h`.
  package enum Name {
    case avif, heif, jxl, tiff, svg, video, chafa, redis
  }

  /// The reason why the library cannot be used, and the package to install; `nil` if the library is open.
  package let failure: String?

  /// Opens a library.
  ///
  /// - Parameters:
  ///   - files: the names of its files with their versions, separated by spaces.
  ///   - package: the package of Debian and Ubuntu that contains it; `nil` if it has the name and the version of the file.
  package init(_ name: Name, files: UnsafePointer<CChar>, package: String? = nil) {
    guard let reason = nuke_library_open(name.library, files) else {
      failure = nil
      return
    }
    defer { free(reason) }
    failure = Self.failure(String(cString: reason), files: String(cString: files), package: package)
  }

  /// Returns a sentence without a period for a reason that the dynamic loader reported.
  static func failure(_ reason: String, files: String, package: String?) -> String {
    guard let file = files.split(separator: " ").first(where: { reason.hasPrefix("\($0): cannot open shared object") })
    else { return reason }
    let package = package ?? file.replacingOccurrences(of: ".so.", with: "")
    return "\(file) is not installed; on Debian and Ubuntu, it is in the package \(package)"
  }
}

extension SystemLibrary.Name {
  fileprivate var library: nuke_library {
    switch self {
    case .avif: nuke_library_avif
    case .heif: nuke_library_heif
    case .jxl: nuke_library_jxl
    case .tiff: nuke_library_tiff
    case .svg: nuke_library_svg
    case .video: nuke_library_video
    case .chafa: nuke_library_chafa
    case .redis: nuke_library_redis
    }
  }
}
