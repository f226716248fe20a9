#if GTK
  import CNukeGTK
  import Foundation
  import NukeGTK
  import XCTest

  /// The pixels of something that was drawn.
  struct Drawing {
    let width: Int
    let height: Int
    let pixels: [Pixel]

    subscript(x: Int, y: Int) -> Pixel { pixels[y * width + x] }

    /// The smallest rectangle that holds all pixels which are not transparent; `nil` if all are.
    var bounds: CGRect? {
      let places = pixels.indices.filter { pixels[$0].alpha > 0 }
      let columns = places.map { $0 % width }
      let rows = places.map { $0 / width }
      guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max() else {
        return nil
      }
      return CGRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
  }

  /// Draws a paintable as a window does, with the renderer that `GSK_RENDERER` names; without a display, with cairo.
  ///
  /// - Parameters:
  ///   - width: of the area, in points.
  ///   - height: of the area, in points.
  ///   - displayScale: pixels a point.
  @MainActor func draw(
    _ paintable: OpaquePointer, width: Int, height: Int, displayScale: Int = 1
  ) throws -> Drawing {
    // It says no where there is no display, and has made ready what drawing needs.
    _ = gtk_init_check()
    let snapshot = try XCTUnwrap(gtk_snapshot_new())
    gtk_snapshot_scale(snapshot, Float(displayScale), Float(displayScale))
    gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
    let (pixelWidth, pixelHeight) = (width * displayScale, height * displayScale)
    guard let node = gtk_snapshot_free_to_node(snapshot) else {
      return Drawing(
        width: pixelWidth, height: pixelHeight, pixels: .init(repeating: .clear, count: pixelWidth * pixelHeight))
    }
    defer { gsk_render_node_unref(node) }
    let renderer = try sharedRenderer()
    var area = graphene_rect_t(
      origin: graphene_point_t(x: 0, y: 0),
      size: graphene_size_t(width: Float(pixelWidth), height: Float(pixelHeight)))
    let texture = try XCTUnwrap(gsk_renderer_render_texture(renderer, node, &area))
    defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
    return Drawing(width: pixelWidth, height: pixelHeight, pixels: downloaded(texture))
  }

  /// The realized renderer of all drawings. A new surface for each would keep the loop busy with the display's events.
  @MainActor private var realizedRenderer: OpaquePointer?

  @MainActor private func sharedRenderer() throws -> OpaquePointer {
    if let realizedRenderer { return realizedRenderer }
    let renderer: OpaquePointer
    if let display = gdk_display_get_default() {
      let surface = try XCTUnwrap(gdk_surface_new_toplevel(display))
      renderer = try XCTUnwrap(gsk_renderer_new_for_surface(surface))
    } else {
      renderer = try XCTUnwrap(gsk_cairo_renderer_new())
      XCTAssertNotEqual(gsk_renderer_realize(renderer, nil, nil), 0)
    }
    // Without OpenGL, GTK would take cairo silently.
    if ProcessInfo.processInfo.environment["GSK_RENDERER"] == "gl" {
      let instance = UnsafeMutableRawPointer(renderer).assumingMemoryBound(to: GTypeInstance.self)
      XCTAssertEqual(String(cString: g_type_name_from_instance(instance)), "GskGLRenderer")
    }
    realizedRenderer = renderer
    return renderer
  }

  /// An image in one color.
  func plain(_ color: Color, width: Int, height: Int, scale: CGFloat = 1) -> Bitmap {
    let pixel = [color.red * color.alpha, color.green * color.alpha, color.blue * color.alpha, color.alpha]
      .map { UInt8(($0 * 255).rounded()) }
    let made = Bitmap(pixelWidth: width, pixelHeight: height, scale: scale, isOpaque: color.alpha == 1) { bytes in
      for place in bytes.indices { bytes[place] = pixel[place % 4] }
    }
    return made ?? Bitmap()
  }
#endif
