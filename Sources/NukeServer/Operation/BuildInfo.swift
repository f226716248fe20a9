#if Server
  import NukeCodecs

  /// What this build is.
  package enum BuildInfo {
    /// The version of the program, which sets it.
    package static let version = "0.1.0"

    /// The traits that change what a server can do.
    package static let traits: [String] = {
      var traits = ["Server"]
      #if Redis
        traits.append("Redis")
      #endif
      traits += [("AVIF", ImageFormat.avif), ("HEIC", .heic), ("JPEGXL", .jxl), ("SVG", .svg), ("TIFF", .tiff)].filter {
        $0.1.isReadable
      }.map(\.0)
      if ImageFormat.mp4.isReadable { traits.append("Video") }
      return traits
    }()
  }
#endif
