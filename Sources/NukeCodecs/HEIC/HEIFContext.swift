#if HEIC
  internal import CNukeHEIF
  import Foundation
  import NukeBase
  import NukeImaging

  /// A `heif_context` that has parsed the boxes of a file, and the handle of its primary image or of one of the thumbnails
  /// of that image. For one thread at a time.
  final class HEIFContext {
    private let context: OpaquePointer
    private var handle: OpaquePointer
    /// The source that libheif reads from, retained as long as the context.
    private let bytes: NSData
    private let source: HEIFSource?
    /// The maximum depth of references. An alpha channel, a rotated image, an overlay and a grid need one level each.
    private static let referenceLimit = 4
    /// What an image counts at least: the coded image may be larger than its boxes state.
    private static let leastPixelCount = 4_000_000.0

    /// Creates a context for a complete file.
    convenience init(_ data: Data, limits: CodecLimits) throws(CodecError) {
      try self.init(data, source: nil, limits: limits)
    }

    /// Creates a context for one of the thumbnails of the primary image.
    convenience init(_ data: Data, thumbnail: UInt32, limits: CodecLimits) throws(CodecError) {
      try self.init(data, limits: limits)
      var thumbnailHandle: OpaquePointer?
      let result = heif_image_handle_get_thumbnail(handle, thumbnail, &thumbnailHandle)
      guard let thumbnailHandle, result.code == heif_error_Ok else { throw CodecError(result, bytes, limits) }
      heif_image_handle_release(handle)
      handle = thumbnailHandle
    }

    /// Creates a context for the first bytes of a file; `nil` if more bytes are needed.
    static func prefix(_ data: Data) throws(CodecError) -> HEIFContext? {
      let owners = data.withUnsafeBytes(ISOSingleOwners.init)
      guard let source = HEIFSource(prefix: data, owners) else { return nil }
      return try unlessTruncated { () throws(CodecError) in
        try HEIFContext(data, source: source, limits: .unlimited)
      }
    }

    private init(_ data: Data, source: HEIFSource?, limits: CodecLimits) throws(CodecError) {
      // The source of a prefix has its new box behind what is missing.
      bytes = (source == nil ? data.withSingleOwners : data) as NSData
      self.source = source
      // libheif does not limit the depth of references.
      let boxes = UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.length)
      let references = try ISOReferences(boxes)
      guard !references.areDeeper(than: Self.referenceLimit) else {
        throw .unsupported(.heic, feature: "references between images, more than \(Self.referenceLimit) levels deep")
      }
      let sizes = ISOBoxes.itemPixelCounts(boxes)
      // Larger images are rejected.
      let largest = Double(limits.maximumPixelCount)
      let pixelCount = references.decodedPixelCount(within: Self.referenceLimit) {
        min(max(sizes[$0] ?? 0, Self.leastPixelCount), largest)
      }
      try DecodeWork.derivedPixels.check(pixelCount, .heic)
      // Newer versions of libheif report sizes of more than 31 bits as 0.
      for size in ISOBoxes.imageSizes(boxes) where max(size.width, size.height) > Int(Int32.max) {
        try limits.check(.heic, width: size.width, height: size.height)
      }
      try SystemLibrary.heif.require(for: .heic)
      guard let context = heif_context_alloc() else { throw .outOfMemory(.heic, byteCount: 0) }
      var handle: OpaquePointer?
      // Tiles are decoded on the calling thread.
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

    /// The coded size before cropping and rotation; not positive if the file does not state it.
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

    /// The largest thumbnail of the primary image with the same rotation; `nil` if there is none.
    var thumbnail: UInt32? {
      var ids = [heif_item_id](repeating: 0, count: 16)
      let count = Int(heif_image_handle_get_list_of_thumbnail_IDs(handle, &ids, Int32(ids.count)))
      guard count > 0, let transforms = primaryTransforms else { return nil }
      let buffer = UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.length)
      return ids.prefix(count)
        .filter { ISOBoxes.transforms(ofItem: $0, buffer) == transforms }
        .max { width(ofThumbnail: $0) < width(ofThumbnail: $1) }
    }

    /// `true` if the primary image is neither rotated nor mirrored.
    var isShownAsCoded: Bool { primaryTransforms?.isEmpty == true }

    private var primaryTransforms: [[UInt8]]? {
      var primary = heif_item_id()
      guard heif_context_get_primary_image_ID(context, &primary).code == heif_error_Ok else { return nil }
      return ISOBoxes.transforms(ofItem: primary, UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.length))
    }

    private func width(ofThumbnail id: heif_item_id) -> Int32 {
      var thumbnail: OpaquePointer?
      guard heif_image_handle_get_thumbnail(handle, id, &thumbnail).code == heif_error_Ok, let thumbnail else {
        return 0
      }
      defer { heif_image_handle_release(thumbnail) }
      return heif_image_handle_get_width(thumbnail)
    }

    /// The contents of the EXIF item; `nil` if there is none.
    func exif() -> Data? {
      var id = heif_item_id()
      guard heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &id, 1) == 1 else { return nil }
      return contents(ofMetadata: id)
    }

    /// The XMP packet; `nil` if there is none.
    func xmp() -> Data? {
      var ids = [heif_item_id](repeating: 0, count: 16)
      let count = heif_image_handle_get_list_of_metadata_block_IDs(handle, "mime", &ids, Int32(ids.count))
      let id = ids.prefix(Int(count)).first {
        heif_image_handle_get_metadata_content_type(handle, $0).map { String(cString: $0) } == "application/rdf+xml"
      }
      return id.flatMap(contents(ofMetadata:))
    }

    private func contents(ofMetadata id: heif_item_id) -> Data? {
      let size = heif_image_handle_get_metadata_size(handle, id)
      guard size > 4, size <= bytes.length else { return nil }
      var block = Data(count: size)
      let result = block.withUnsafeMutableBytes { heif_image_handle_get_metadata(handle, id, $0.baseAddress) }
      return result.code == heif_error_Ok ? block : nil
    }

    /// Decodes the image as RGBA with 8 bits per channel, or with its number of bits in 16.
    ///
    /// - Parameter isUpright: `true` to crop and rotate the image according to the file.
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
    /// The number of bits of a component.
    var bits: Int { Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved)) }

    /// The address of the pixels, and the number of bytes per row.
    var rows: (base: UnsafePointer<UInt8>, stride: Int)? {
      var stride: Int32 = 0
      guard let base = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride) else { return nil }
      return (base, Int(stride))
    }
  }

  extension CodecError {
    /// Creates the error from libheif's message.
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
          ISOBoxes.isTruncated(buffer)
          ? .truncated(.heic, byteCount: bytes.length) : .malformed(.heic, reason: words, offset: nil)
      }
    }
  }

  extension SystemLibrary {
    static let heif = SystemLibrary(.heif, files: nuke_heif_files())
  }
#endif
