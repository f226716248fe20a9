#if GTK
  import CNukeGTK
  public import NukeImaging

  /// A `GdkTexture` that shows the pixels of a ``/NukeImaging/Bitmap``, which are not copied.
  ///
  /// It never changes, and may be made, used and released on any thread. The pixels live as long as the texture, however
  /// long GTK keeps it.
  public final class ImageTexture: Sendable {
    /// The `GdkTexture`, which is a `GdkPaintable` too. It is alive as long as this object, or a reference of the
    /// caller's own.
    public nonisolated(unsafe) let pointer: OpaquePointer

    /// A texture over the pixels of `bitmap`; `nil` for an empty image, and for one of more pixels a side than GDK
    /// counts.
    public init?(_ bitmap: Bitmap) {
      guard let buffer = bitmap.buffer, let width = Int32(exactly: bitmap.pixelWidth),
        let height = Int32(exactly: bitmap.pixelHeight)
      else { return nil }
      let bytes = g_bytes_new_with_free_func(
        buffer.base, gsize(bitmap.byteCount),
        { buffer in
          if let buffer { Unmanaged<PixelBuffer>.fromOpaque(buffer).release() }
        }, Unmanaged.passRetained(buffer).toOpaque())
      defer { g_bytes_unref(bytes) }
      pointer = gdk_memory_texture_new(
        width, height, GDK_MEMORY_R8G8B8A8_PREMULTIPLIED, bytes, gsize(bitmap.bytesPerRow))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    /// In pixels.
    public var pixelWidth: Int { Int(gdk_texture_get_width(pointer)) }
    /// In pixels.
    public var pixelHeight: Int { Int(gdk_texture_get_height(pointer)) }
  }

  extension Bitmap {
    /// The image for GTK to draw: one texture for as long as the image lives, in a memory cache say, so that it is
    /// uploaded once for all views that show it. `nil` for an empty image. May be asked for on any thread.
    public var texture: ImageTexture? { attachment { ImageTexture(self) } }
  }
#endif
