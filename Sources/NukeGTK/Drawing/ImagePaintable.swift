#if GTK
  import CNukeGTK
  public import Foundation
  public import Nuke
  public import NukeImaging

  /// A `GdkPaintable` that shows an image by a content mode, and fades one in over another.
  ///
  /// It is what the views of this module give to their `GtkPicture`; a program's own widgets can show one as well:
  ///
  /// ```swift
  /// let paintable = ImagePaintable()
  /// paintable.show(image, contentMode: .aspectFill)
  /// gtk_picture_set_paintable(picture, paintable.pointer)
  /// ```
  ///
  /// It fills the whole area that it is drawn in, so that a widget must not keep its proportions by itself. Its natural
  /// size is that of the image in points: pixels divided by the image's `scale`, or by ``displayScale`` where the image
  /// has a scale of 1. GTK draws on the main thread, as all of this is.
  @MainActor public final class ImagePaintable {
    /// The `GdkPaintable`, alive as long as this object, or a reference of the caller's own.
    public nonisolated(unsafe) let pointer: OpaquePointer
    private let storage: Storage

    /// What the `GdkPaintable` looks into when it is drawn.
    final class Storage {
      var content = PaintableContent()
      /// Is told in which size it is drawn, in points, while it is.
      var onDraw: (@MainActor (CGSize) -> Void)?
    }

    /// A paintable that shows nothing.
    public init() {
      pointer = Self.makeInstance()
      storage = Self.storage(of: pointer)
    }

    // The object may outlive this one where GTK shows it.
    isolated deinit {
      storage.onDraw = nil
      g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    /// Pixels a point of the display: that of the widget, from `gtk_widget_get_scale_factor`.
    public var displayScale: Double {
      get { storage.content.displayScale }
      set {
        guard newValue.isFinite, newValue > 0, newValue != displayScale else { return }
        change { $0.displayScale = newValue }
      }
    }

    /// The size of the image in points; zero where nothing is shown.
    public var naturalSize: CGSize { storage.content.naturalSize }

    /// Shows an image.
    ///
    /// - Parameters:
    ///   - image: the image; `nil` for none.
    ///   - contentMode: how it lies in the area.
    ///   - tintColor: takes the place of all its colors, with its transparency; `nil` for none.
    ///   - fades: whether what was shown stays until ``fade(to:)`` has gone from 0 to 1.
    public func show(
      _ image: Bitmap?, contentMode: ImageContentMode = .aspectFit, tintColor: Color? = nil, fades: Bool = false
    ) {
      let layer = image.flatMap { PaintableContent.Layer($0, contentMode: contentMode, tintColor: tintColor) }
      change { $0.show(layer, fades: fades) }
    }

    /// Shows another frame of the animated image that is shown; a fade goes on.
    public func update(_ frame: Bitmap) { change { $0.update(frame) } }

    /// Goes on with fading in.
    ///
    /// - Parameter progress: from 0, where only what was shown before is seen, to 1, which ends it.
    public func fade(to progress: Double) { change { $0.fade(to: progress) } }

    /// A Boolean value that indicates whether an image is on its way.
    public var isFading: Bool { storage.content.progress < 1 }

    var onDraw: (@MainActor (CGSize) -> Void)? {
      get { storage.onDraw }
      set { storage.onDraw = newValue }
    }

    private func change(_ body: (inout PaintableContent) -> Void) {
      let size = storage.content.naturalSize
      body(&storage.content)
      if storage.content.naturalSize != size { gdk_paintable_invalidate_size(pointer) }
      gdk_paintable_invalidate_contents(pointer)
    }
  }
#endif
