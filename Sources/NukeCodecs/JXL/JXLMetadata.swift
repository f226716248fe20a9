#if JPEGXL
  internal import CNukeJXL
  import Foundation

  /// Reads metadata from the boxes of a JPEG XL file.
  enum JXLMetadata {
    /// The maximum number of bytes of EXIF to read for the header: the needed values precede maker notes and thumbnails.
    private static let headerLimit = 64 << 10

    /// The part of the EXIF metadata that has been read, decompressed if necessary; `nil` if there is none.
    static func exifBlock(_ data: Data) -> Data? {
      box("Exif", of: data, limit: headerLimit).flatMap(EXIF.tiff(item:))
    }

    /// The blocks of EXIF and XMP; those that are too large are left out.
    static func metadata(_ data: Data, hasColorProfile: Bool) -> ImageMetadata {
      func block(_ type: String) -> Data? { box(type, of: data, limit: ImageMetadata.blockLimit + 8) }
      return ImageMetadata(
        exif: block("Exif").flatMap(EXIF.tiff(item:)).flatMap(ImageMetadata.block),
        xmp: block("xml ").flatMap(ImageMetadata.block), hasColorProfile: hasColorProfile)
    }

    private static func box(_ type: String, of data: Data, limit: Int) -> Data? {
      // A bare codestream has no boxes.
      data.starts(with: [0xFF, 0x0A]) ? nil : try? contents(of: type, in: data, limit: limit)
    }

    /// Returns the available contents of the first box of a type, up to the limit.
    private static func contents(of type: String, in data: Data, limit: Int) throws(CodecError) -> Data? {
      let decoder = try JXLDecoder(data, events: .box)
      repeat {
        guard try decoder.next() == JXL_DEC_BOX else { return nil }
      } while decoder.boxType != type
      let output = UnsafeMutablePointer<UInt8>.allocate(capacity: limit)
      defer { output.deallocate() }
      guard JxlDecoderSetBoxBuffer(decoder.decoder, output, limit) == JXL_DEC_SUCCESS else { return nil }
      // Until the box ends or the buffer is full. The last box may extend to the end of the file, where the decoder
      // waits for more data.
      _ = try? decoder.next()
      let unused = JxlDecoderReleaseBoxBuffer(decoder.decoder)
      return Data(bytes: output, count: limit - min(unused, limit))
    }
  }

  extension JXLDecoder {
    /// The type of the current box; of a compressed box, that of its contents.
    fileprivate var boxType: String? {
      var name = (CChar(0), CChar(0), CChar(0), CChar(0))
      return withUnsafeMutableBytes(of: &name) { name in
        let characters = name.assumingMemoryBound(to: CChar.self).baseAddress
        guard JxlDecoderGetBoxType(decoder, characters, JXL_TRUE) == JXL_DEC_SUCCESS else { return nil }
        return String(decoding: name, as: UTF8.self)
      }
    }
  }
#endif
