extension ImageFormat {
  /// The formats that this build reads.
  public static let readable = allCases.filter { ImageReaders.all[$0] != nil }

  /// The formats that this build writes.
  public static let writable = allCases.filter { ImageWriters.all[$0] != nil }

  /// A Boolean value that indicates whether this build reads the format.
  public var isReadable: Bool { ImageReaders.all[self] != nil }

  /// A Boolean value that indicates whether this build writes the format.
  public var isWritable: Bool { ImageWriters.all[self] != nil }

  /// The package trait that a build needs to read the format; `nil` for what every build reads.
  public var trait: String? {
    switch self {
    case .jpeg, .png, .webp, .gif, .bmp, .ico: nil
    case .tiff, .avif, .heic, .svg: displayName
    case .jxl: "JPEGXL"
    }
  }
}
