#if GTK
  import CNukeGTK

  /// A premultiplied pixel.
  struct Pixel: Equatable, CustomStringConvertible {
    var red, green, blue, alpha: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }

    static let clear = Pixel(0, 0, 0, 0)

    var description: String { "(\(red) \(green) \(blue) \(alpha))" }

    /// Returns `true` if no channel is further off than rounding takes it.
    func isNear(_ other: Pixel, by tolerance: Int = 2) -> Bool {
      zip([red, green, blue, alpha], [other.red, other.green, other.blue, other.alpha])
        .allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }
  }

  func rgbaPixels(of bytes: UnsafeRawBufferPointer) -> [Pixel] {
    stride(from: 0, to: bytes.count, by: 4).map { Pixel(bytes[$0], bytes[$0 + 1], bytes[$0 + 2], bytes[$0 + 3]) }
  }

  /// The pixels of a texture. GDK hands out 32-bit words, which on all processors that we run on begin with blue.
  func downloaded(_ texture: OpaquePointer) -> [Pixel] {
    let width = Int(gdk_texture_get_width(texture))
    let height = Int(gdk_texture_get_height(texture))
    var bytes = [UInt8](repeating: 0, count: width * height * 4)
    gdk_texture_download(texture, &bytes, gsize(width * 4))
    return stride(from: 0, to: bytes.count, by: 4).map {
      Pixel(bytes[$0 + 2], bytes[$0 + 1], bytes[$0], bytes[$0 + 3])
    }
  }
#endif
