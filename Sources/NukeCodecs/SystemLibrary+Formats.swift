import NukeBase
internal import NukeImaging

extension ImageFormat {
  /// The reason why the library of the format cannot be used; `nil` if it can, or if the format needs no such library.
  ///
  /// Opens the library.
  package var libraryFailure: String? {
    switch self {
    #if AVIF
      case .avif: SystemLibrary.avif.failure
    #endif
    #if HEIC
      case .heic: SystemLibrary.heif.failure
    #endif
    #if JPEGXL
      case .jxl: SystemLibrary.jxl.failure
    #endif
    #if TIFF
      case .tiff: SystemLibrary.tiff.failure
    #endif
    #if SVG
      case .svg: SystemLibrary.svg.failure
    #endif
    #if Video
      case .mp4, .mov, .webm: SystemLibrary.video.failure
    #endif
    default: nil
    }
  }
}

extension SystemLibrary {
  /// Throws if the library cannot be used. Call it before any function of the library.
  func require(for format: ImageFormat) throws(CodecError) {
    if let failure { throw .missingLibrary(format, reason: failure) }
  }
}
