#if Terminal
  internal import CNukeChafa
  internal import Foundation
  import NukeBase
  internal import NukeImaging

  /// Encodes images as lines of characters. libchafa chooses each character and its foreground and background color.
  enum ChafaSymbols {
    /// Returns the lines that draw an image. Each line ends by restoring the default colors. Returns `nil` if memory
    /// cannot be allocated, or if libchafa cannot be opened.
    static func lines(_ image: Bitmap, size: TerminalSize, colors: TerminalCapabilities.Colors) -> [Data]? {
      guard SystemLibrary.chafa.failure == nil,
        let straight = PixelBuffer(width: image.pixelWidth, height: image.pixelHeight)
      else { return nil }
      image.withUnsafeBytes { bytes in
        guard let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        PixelKernels.best.unpremultiply(base, to: straight.base, count: image.pixelWidth * image.pixelHeight)
      }
      return Canvas(size: size, colors: colors).lines(straight)
    }

    /// The owner of libchafa's canvas.
    private final class Canvas {
      private let handle: OpaquePointer

      init(size: TerminalSize, colors: TerminalCapabilities.Colors) {
        let configuration = chafa_canvas_config_new()
        defer { chafa_canvas_config_unref(configuration) }
        // Only half, quarter and eighth blocks, which all terminal fonts contain.
        let symbols = chafa_symbol_map_new()
        defer { chafa_symbol_map_unref(symbols) }
        chafa_symbol_map_add_by_tags(
          symbols, ChafaSymbolTags(rawValue: CHAFA_SYMBOL_TAG_BLOCK.rawValue | CHAFA_SYMBOL_TAG_SPACE.rawValue))
        chafa_canvas_config_set_symbol_map(configuration, symbols)
        chafa_canvas_config_set_pixel_mode(configuration, CHAFA_PIXEL_MODE_SYMBOLS)
        chafa_canvas_config_set_canvas_mode(
          configuration, colors == .all ? CHAFA_CANVAS_MODE_TRUECOLOR : CHAFA_CANVAS_MODE_INDEXED_240)
        chafa_canvas_config_set_geometry(configuration, gint(size.columns), gint(size.rows))
        // Preprocessing would increase the contrast, as for line art.
        chafa_canvas_config_set_preprocessing_enabled(configuration, 0)
        // Each line sets its own colors.
        chafa_canvas_config_set_optimizations(configuration, CHAFA_OPTIMIZATION_REUSE_ATTRIBUTES)
        handle = chafa_canvas_new(configuration)
      }

      deinit { chafa_canvas_unref(handle) }

      func lines(_ pixels: PixelBuffer) -> [Data] {
        chafa_canvas_draw_all_pixels(
          handle, CHAFA_PIXEL_RGBA8_UNASSOCIATED, pixels.base, gint(pixels.width), gint(pixels.height),
          gint(pixels.width * 4))
        let text = chafa_canvas_print(handle, chafa_term_db_get_fallback_info(chafa_term_db_get_default()))
        guard let text else { return [] }
        defer { _ = nuke_chafa_g_string_free(text, 1) }
        let bytes = UnsafeRawBufferPointer(start: text.pointee.str, count: Int(text.pointee.len))
        return bytes.split(separator: UInt8(ascii: "\n")).map { Data($0) + Data("\u{1B}[0m".utf8) }
      }
    }
  }

  extension SystemLibrary {
    static let chafa = SystemLibrary(.chafa, files: nuke_chafa_files())
  }
#endif
