extension ImageReaders {
  /// The readers that a build has by its package traits.
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
    return readers
  }
}

extension ImageWriters {
  /// The writers that a build has by its package traits.
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
