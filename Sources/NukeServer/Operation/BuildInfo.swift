#if Server
  import NukeCodecs

  /// What this build is.
  enum BuildInfo {
    /// The traits that change what a server can do.
    static let traits: [String] = {
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
