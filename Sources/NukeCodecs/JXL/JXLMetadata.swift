#if JPEGXL
  internal import CNukeJXL
  import Foundation

  /// Reads metadata from the boxes of a JPEG XL file.
  enum JXLMetadata {
    /// The most bytes of EXIF that are read: what we tell of it stands before the camera's own notes and images.
    private static let limit = 64 << 10

    /// The block of EXIF metadata as far as it is read, decompressed if necessary; `nil` if there is none.
    static func exifBlock(_ data: Data) -> Data? {
      // A bare codestream has no boxes.
      guard !data.starts(with: [0xFF, 0x0A]) else { return nil }
      return (try? box("Exif", of: data)).flatMap(EXIF.tiff(item:))
    }

    /// The contents of the first box of a type, as far as they are there and within the limit.
    private static func box(_ type: String, of data: Data) throws(CodecError) -> Data? {
      let decoder = try JXLDecoder(data, events: .box)
      repeat {
        guard try decoder.next() == JXL_DEC_BOX else { return nil }
      } while decoder.boxType != type
      let output = UnsafeMutablePointer<UInt8>.allocate(capacity: limit)
      defer { output.deallocate() }
      guard JxlDecoderSetBoxBuffer(decoder.decoder, output, limit) == JXL_DEC_SUCCESS else { return nil }
      // Until the box is done or the memory full. The last box may go to the end of the file, where the decoder waits
      // for more.
      _ = try? decoder.next()
      let unused = JxlDecoderReleaseBoxBuffer(decoder.decoder)
      return Data(bytes: output, count: limit - min(unused, limit))
    }
  }

  extension JXLDecoder {
    /// The four characters of the box that the decoder has come to, of its contents where they are compressed.
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
