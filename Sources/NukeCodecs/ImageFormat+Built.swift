extension ImageFormat {
  /// The formats that this build can read.
  public static let readable = allCases.filter { ImageReaders.all[$0] != nil }

  /// The formats that this build can write.
  public static let writable = allCases.filter { ImageWriters.all[$0] != nil }

  /// A Boolean value that indicates whether this build can read the format.
  public var isReadable: Bool { ImageReaders.all[self] != nil }

  /// A Boolean value that indicates whether this build can write the format.
  public var isWritable: Bool { ImageWriters.all[self] != nil }

  /// The package trait that is required to read the format; `nil` for formats that every build can read.
  public var trait: String? {
    switch self {
    case .jpeg, .png, .webp, .gif, .bmp, .ico: nil
    case .tiff, .avif, .heic, .svg: displayName
    case .jxl: "JPEGXL"
    case .mp4, .mov, .webm: "Video"
    }
  }
}

extension ImageReaders {
  /// The readers that depend on package traits.
  static var traited: [ImageFormat: any ImageReader.Type] {
    var readers: [ImageFormat: any ImageReader.Type] = [:]
    #if AVIF
      readers[.avif] = AVIFReader.self
    #endif
    #if HEIC
      readers[.heic] = HEICReader.self
    #endif
    #if JPEGXL
      readers[.jxl] = JXLReader.self
    #endif
    #if TIFF
      readers[.tiff] = TIFFReader.self
    #endif
    #if SVG
      readers[.svg] = SVGReader.self
    #endif
    #if Video
      for format in ImageFormat.allCases where format.isVideo { readers[format] = VideoReader.self }
    #endif
    return readers
  }
}

extension ImageWriters {
  /// The writers that depend on package traits.
  static var traited: [ImageFormat: any ImageWriter.Type] {
    var writers: [ImageFormat: any ImageWriter.Type] = [:]
    #if AVIF
      writers[.avif] = AVIFWriter.self
    #endif
    #if JPEGXL
      writers[.jxl] = JXLWriter.self
    #endif
    #if TIFF
      writers[.tiff] = TIFFWriter.self
    #endif
    return writers
  }
}
