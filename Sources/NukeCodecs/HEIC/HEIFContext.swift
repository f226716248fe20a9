#if HEIC
  internal import CNukeHEIF
  import Foundation
  import NukeImaging

  /// One `heif_context` that has read the boxes of a file, and the handle of its primary image. For one thread at a
  /// time.
  final class HEIFContext {
    private let context: OpaquePointer
    private let handle: OpaquePointer
    /// The source that libheif reads from, retained as long as it does.
    private let bytes: NSData
    private let source: HEIFSource?

    /// Reads a whole file.
    convenience init(_ data: Data, limits: CodecLimits) throws(CodecError) {
      try self.init(data, source: nil, limits: limits)
    }

    /// Reads the first bytes of a file; `nil` if more of them are needed.
    static func prefix(_ data: Data) throws(CodecError) -> HEIFContext? {
      guard let source = HEIFSource(prefix: data) else { return nil }
      return try unlessTruncated { () throws(CodecError) in
        try HEIFContext(data, source: source, limits: .unlimited)
      }
    }

    private init(_ data: Data, source: HEIFSource?, limits: CodecLimits) throws(CodecError) {
      bytes = data as NSData
      self.source = source
      guard let context = heif_context_alloc() else { throw .outOfMemory(.heic, byteCount: 0) }
      var handle: OpaquePointer?
      // Tiles are decoded on the caller's thread.
      heif_context_set_max_decoding_threads(context, 0)
      heif_context_set_maximum_image_size_limit(context, Int32(clamping: min(limits.maximumSide, 1 << 20)))
      var result: heif_error
      if let source {
        result = heif_context_read_from_reader(
          context, source.callbacks, Unmanaged.passUnretained(source).toOpaque(), nil)
      } else {
        result = heif_context_read_from_memory_without_copy(context, bytes.bytes, bytes.length, nil)
      }
      if result.code == heif_error_Ok { result = heif_context_get_primary_image_handle(context, &handle) }
      guard let handle, result.code == heif_error_Ok else {
        let error = CodecError(result, bytes, limits)
        heif_context_free(context)
        throw error
      }
      self.context = context
      self.handle = handle
    }

    deinit {
      heif_image_handle_release(handle)
      heif_context_free(context)
    }

    /// The size as coded, before it is cut and turned; not positive where the file does not say it.
    var codedSize: (width: Int, height: Int) {
      (Int(heif_image_handle_get_ispe_width(handle)), Int(heif_image_handle_get_ispe_height(handle)))
    }

    /// The size of the upright image.
    var size: (width: Int, height: Int) {
      (Int(heif_image_handle_get_width(handle)), Int(heif_image_handle_get_height(handle)))
    }

    var bits: Int { Int(heif_image_handle_get_luma_bits_per_pixel(handle)) }
    var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }
    var isPremultiplied: Bool { heif_image_handle_is_premultiplied_alpha(handle) != 0 }

    func profile() -> ColorProfile? {
      switch heif_image_handle_get_color_profile_type(handle) {
      case heif_color_profile_type_rICC, heif_color_profile_type_prof:
        let size = heif_image_handle_get_raw_color_profile_size(handle)
        guard size > 0, size <= bytes.length else { return nil }
        var icc = Data(count: size)
        let result = icc.withUnsafeMutableBytes { heif_image_handle_get_raw_color_profile(handle, $0.baseAddress) }
        return result.code == heif_error_Ok ? ColorProfile(iccData: icc) : nil
      case heif_color_profile_type_nclx:
        var nclx: UnsafeMutablePointer<heif_color_profile_nclx>?
        guard heif_image_handle_get_nclx_color_profile(handle, &nclx).code == heif_error_Ok, let nclx else {
          return nil
        }
        defer { heif_nclx_color_profile_free(nclx) }
        return ColorProfile.codePoints(
          CodePoints(
            primaries: Int(nclx.pointee.color_primaries.rawValue),
            transfer: Int(nclx.pointee.transfer_characteristics.rawValue)))
      default:
        return nil
      }
    }

    func exif() -> EXIF? {
      var id = heif_item_id()
      guard heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &id, 1) == 1 else { return nil }
      let size = heif_image_handle_get_metadata_size(handle, id)
      guard size > 4, size <= bytes.length else { return nil }
      var block = Data(count: size)
      let result = block.withUnsafeMutableBytes { heif_image_handle_get_metadata(handle, id, $0.baseAddress) }
      return result.code == heif_error_Ok ? EXIF(item: block) : nil
    }

    /// Decodes the image as RGBA of 8 bits a channel, or of as many bits as it has in 16.
    ///
    /// - Parameter isUpright: whether it is cut and turned as the file says.
    func decode(isDeep: Bool, isUpright: Bool, limits: CodecLimits) throws(CodecError) -> HEIFImage {
      guard let options = heif_decoding_options_alloc() else { throw .outOfMemory(.heic, byteCount: 0) }
      defer { heif_decoding_options_free(options) }
      options.pointee.ignore_transformations = isUpright ? 0 : 1
      options.pointee.convert_hdr_to_8bit = isDeep ? 0 : 1
      var image: OpaquePointer?
      let result = heif_decode_image(
        handle, &image, heif_colorspace_RGB,
        isDeep ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA, options)
      guard let image, result.code == heif_error_Ok else { throw CodecError(result, bytes, limits) }
      return HEIFImage(image)
    }
  }

  /// Decoded pixels.
  final class HEIFImage {
    private let image: OpaquePointer

    fileprivate init(_ image: OpaquePointer) { self.image = image }

    deinit { heif_image_release(image) }

    var width: Int { Int(heif_image_get_width(image, heif_channel_interleaved)) }
    var height: Int { Int(heif_image_get_height(image, heif_channel_interleaved)) }
    /// Of one component.
    var bits: Int { Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved)) }

    /// The pixels and the bytes from one row to the next.
    var rows: (base: UnsafePointer<UInt8>, stride: Int)? {
      var stride: Int32 = 0
      guard let base = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride) else { return nil }
      return (base, Int(stride))
    }
  }

  extension CodecError {
    /// The error message of libheif.
    fileprivate init(_ error: heif_error, _ bytes: NSData, _ limits: CodecLimits) {
      let words = error.message.map { String(cString: $0) } ?? "libheif cannot read it"
      let buffer = UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.length)
      switch (error.code, error.subcode) {
      case (_, heif_suberror_Security_limit_exceeded):
        for size in ISOBoxes.imageSizes(buffer) {
          do throws(CodecError) {
            try limits.check(.heic, width: size.width, height: size.height)
          } catch {
            self = error
            return
          }
        }
        self = .unsupported(.heic, feature: words)
      case (heif_error_Memory_allocation_error, _):
        self = .outOfMemory(.heic, byteCount: 0)
      case _ where ISOBoxes(buffer).contains { $0.type == "moov" } && !ISOBoxes(buffer).contains { $0.type == "meta" }:
        // libheif reads tracks from version 1.20 on.
        self = .unsupported(.heic, feature: "an image sequence without a still image")
      case (heif_error_Unsupported_feature, _), (heif_error_Unsupported_filetype, _):
        self = .unsupported(.heic, feature: words)
      case (_, heif_suberror_End_of_data):
        self = .truncated(.heic, byteCount: bytes.length)
      default:
        self =
          ISOBoxes.isCut(buffer)
          ? .truncated(.heic, byteCount: bytes.length) : .malformed(.heic, reason: words, offset: nil)
      }
    }
  }
#endif
