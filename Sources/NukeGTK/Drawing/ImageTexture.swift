#if GTK
  import CNukeGTK
  public import NukeImaging

  /// A `GdkTexture` that uses the pixels of a `Bitmap` without a copy.
  ///
  /// It is immutable, and may be created, used and released on any thread. The pixels live as long as GTK uses the texture.
  public final class ImageTexture: Sendable {
    /// The `GdkTexture`, which is also a `GdkPaintable`. It lives as long as this object, or a reference of the caller.
    public nonisolated(unsafe) let pointer: OpaquePointer

    /// Creates a texture with the pixels of `bitmap`. Returns `nil` if the image is empty or too large for GDK.
    public init?(_ bitmap: Bitmap) {
      guard let buffer = bitmap.buffer, let width = Int32(exactly: bitmap.pixelWidth),
        let height = Int32(exactly: bitmap.pixelHeight)
      else { return nil }
      let bytes = g_bytes_new_with_free_func(
        buffer.base, gsize(bitmap.byteCount),
        { releaseRetained($0) }, Unmanaged.passRetained(buffer).toOpaque())
      defer { g_bytes_unref(bytes) }
      pointer = gdk_memory_texture_new(
        width, height, GDK_MEMORY_R8G8B8A8_PREMULTIPLIED, bytes, gsize(bitmap.bytesPerRow))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// The width in pixels.
    public var pixelWidth: Int { Int(gdk_texture_get_width(pointer)) }
    /// The height in pixels.
    public var pixelHeight: Int { Int(gdk_texture_get_height(pointer)) }
  }

  extension Bitmap {
    /// The texture of the image; `nil` if the image is empty. There is one texture for the lifetime of an image, such as in
    /// a memory cache, so it is uploaded once for all views. May be called on any thread.
    public var texture: ImageTexture? { attachment { ImageTexture(self) } }
  }
#endif
