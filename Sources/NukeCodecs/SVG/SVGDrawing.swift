#if SVG
  import CNukeSVG
  import Foundation
  import NukeBase
  import NukeImaging

  /// An SVG drawing that librsvg has parsed. For one thread at a time.
  final class SVGDrawing {
    private let handle: UnsafeMutablePointer<RsvgHandle>
    /// The width in CSS pixels (1/96 inch).
    let width: Double
    let height: Double

    /// - Parameter text: the result of ``SVGText``. There is no base URL, so no external resources are loaded.
    init(_ text: [UInt8]) throws(CodecError) {
      try SystemLibrary.svg.require(for: .svg)
      var error: UnsafeMutablePointer<GError>?
      guard let handle = rsvg_handle_new_from_data(text, gsize(text.count), &error) else {
        throw .malformed(.svg, reason: Self.words(&error), offset: nil)
      }
      rsvg_handle_set_dpi(handle, 96)
      self.handle = handle
      (width, height) = Self.size(of: handle)
    }

    deinit { nuke_svg_g_object_unref(UnsafeMutableRawPointer(handle)) }

    /// Returns the size given by width and height; else the size of the view box; else 300 by 150, the CSS default.
    private static func size(of handle: UnsafeMutablePointer<RsvgHandle>) -> (Double, Double) {
      var (width, height) = (0.0, 0.0)
      if rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) != 0, width > 0, height > 0 {
        return (width, height)
      }
      var (hasWidth, hasHeight, hasView): (gboolean, gboolean, gboolean) = (0, 0, 0)
      var (widthLength, heightLength, view) = (RsvgLength(), RsvgLength(), RsvgRectangle())
      rsvg_handle_get_intrinsic_dimensions(
        handle, &hasWidth, &widthLength, &hasHeight, &heightLength, &hasView, &view)
      guard hasView != 0, view.width > 0, view.height > 0 else { return (300, 150) }
      // If only one side is stated, the other one follows from the aspect ratio of the view box.
      if hasWidth != 0, let side = pixels(widthLength) { return (side, side * view.height / view.width) }
      if hasHeight != 0, let side = pixels(heightLength) { return (side * view.width / view.height, side) }
      return (view.width, view.height)
    }

    /// Returns a length with an absolute unit; `nil` for others.
    private static func pixels(_ length: RsvgLength) -> Double? {
      let factor: Double? =
        switch length.unit {
        case RSVG_UNIT_PX: 1
        case RSVG_UNIT_IN: 96
        case RSVG_UNIT_CM: 96 / 2.54
        case RSVG_UNIT_MM: 96 / 25.4
        case RSVG_UNIT_PT: 96 / 72
        case RSVG_UNIT_PC: 16
        default: nil
        }
      guard let factor, length.length > 0 else { return nil }
      return length.length * factor
    }

    /// Draws the whole image into `buffer`, as premultiplied BGRA.
    func draw(into buffer: PixelBuffer) throws(CodecError) {
      buffer.clear()
      guard
        let surface = nuke_svg_cairo_image_surface_create_for_data(
          buffer.base, CAIRO_FORMAT_ARGB32, Int32(clamping: buffer.width), Int32(clamping: buffer.height),
          Int32(clamping: buffer.bytesPerRow))
      else { throw .outOfMemory(.svg, byteCount: buffer.byteCount) }
      defer { nuke_svg_cairo_surface_destroy(surface) }
      guard let context = nuke_svg_cairo_create(surface) else { throw .outOfMemory(.svg, byteCount: buffer.byteCount) }
      defer { nuke_svg_cairo_destroy(context) }
      nuke_svg_cairo_scale(context, Double(buffer.width) / width, Double(buffer.height) / height)
      var viewport = RsvgRectangle(x: 0, y: 0, width: width, height: height)
      var error: UnsafeMutablePointer<GError>?
      guard rsvg_handle_render_document(handle, context, &viewport, &error) != 0 else {
        throw .malformed(.svg, reason: Self.words(&error), offset: nil)
      }
      nuke_svg_cairo_surface_flush(surface)
      guard nuke_svg_cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
        throw .outOfMemory(.svg, byteCount: buffer.byteCount)
      }
    }

    private static func words(_ error: inout UnsafeMutablePointer<GError>?) -> String {
      defer { nuke_svg_g_clear_error(&error) }
      guard let message = error?.pointee.message else { return "librsvg reported no reason" }
      return String(cString: message)
    }
  }

  extension SystemLibrary {
    static let svg = SystemLibrary(.svg, files: nuke_svg_files(), package: "librsvg2-2")
  }
#endif
