#if Command
  import ArgumentParser
  import Foundation
  package import Nuke

  /// A format that this build writes, for `--format` and file extensions.
  package struct OutputFormat: ExpressibleByArgument, Hashable, CaseIterable, Sendable {
    package let format: ImageFormat
    /// `true` for PNG under the name `apng`.
    private let isAPNG: Bool

    /// The most common ones first.
    package static let allCases: [OutputFormat] = ImageFormat.allCases.flatMap { format in
      [Self(format), format == .png ? Self(format, isAPNG: true) : nil].compactMap(\.self)
    }

    /// Returns `nil` if this build does not write the format.
    private init?(_ format: ImageFormat, isAPNG: Bool = false) {
      guard format.isWritable else { return nil }
      self.format = format
      self.isAPNG = isAPNG
    }

    package init?(argument: String) {
      self.init(fileExtension: argument)
    }

    /// Returns `nil` if this build writes no format with this file extension.
    package init?(fileExtension: String) {
      let name = fileExtension.lowercased()
      guard let found = Self.allCases.first(where: { $0.extensions.contains(name) }) else { return nil }
      self = found
    }

    /// The format of a file by its name.
    init?(path: String) { self.init(fileExtension: (path as NSString).pathExtension) }

    /// The format of a file by its name, and PNG for standard output.
    ///
    /// - Throws: `ValidationError` if the name does not determine a format.
    init(writing path: String) throws {
      guard let format = path == StandardOutput.name ? Self(.png) : Self(path: path) else { throw Self.unknown(path) }
      self = format
    }

    /// The format for an image that was read as `format`: the same if it can be written, otherwise PNG.
    package init(rewriting format: ImageFormat?) {
      self = format.flatMap { Self($0) } ?? Self(.png)!
    }

    /// `true` if a video becomes an animation, and `false` if one frame of it is written. PNG files are usually still
    /// images, so that only the name `apng` requests an animation.
    package var animatesVideos: Bool { isAPNG || format == .gif || format == .webp }

    /// `true` if the files of this build contain all frames of an animated image.
    var isAnimated: Bool { (try? ImageWriters.writer(for: format)) is any AnimationWriter }

    /// The extensions of the formats that contain all frames.
    static let animatedExtensions = extensions(of: allCases.filter(\.isAnimated))
    /// The extensions of the formats in which a video becomes an animation.
    static let videoExtensions = extensions(of: allCases.filter(\.animatesVideos))

    private static func extensions(of formats: [OutputFormat]) -> String {
      formats.map { ".\($0.fileExtension)" }.joined(separator: ", ")
    }

    /// The file extensions, the usual one first.
    private var extensions: [String] {
      switch format {
      case .png where isAPNG: ["apng"]
      case .jpeg: ["jpg", "jpeg", "jpe"]
      case .tiff: ["tiff", "tif"]
      default: [format.rawValue]
      }
    }

    package var fileExtension: String { extensions[0] }

    /// The names that help texts list and completions offer.
    package static var allValueStrings: [String] { allCases.map { $0.isAPNG ? "apng" : $0.format.rawValue } }

    /// The error for an output file whose name does not determine the format.
    static func unknown(_ path: String, hint: String = "") -> ValidationError {
      let extensions = allCases.map(\.fileExtension).joined(separator: ", ")
      return ValidationError(
        "\(path) does not have the extension of a format that this build writes: use one of \(extensions)\(hint).")
    }
  }
#endif
