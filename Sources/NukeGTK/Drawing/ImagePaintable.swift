#if GTK
  import CNukeGTK
  public import Foundation
  public import Nuke
  public import NukeImaging

  /// A `GdkPaintable` that draws an image with a content mode, and fades between images.
  ///
  /// The views of this module set it on their `GtkPicture`. Other widgets can use it, too:
  ///
  /// ```swift
  /// let paintable = ImagePaintable()
  /// paintable.show(image, contentMode: .aspectFill)
  /// gtk_picture_set_paintable(picture, paintable.pointer)
  /// ```
  ///
  /// It fills the whole area, so a widget must not keep the aspect ratio itself. Its natural size is the size of the image
  /// in points: pixels divided by the image's `scale`, or by ``displayScale`` if the image has a scale of 1. Use it on the
  /// main thread.
  @MainActor public final class ImagePaintable {
    /// The `GdkPaintable`. It lives as long as this object, or a reference of the caller.
    public nonisolated(unsafe) let pointer: OpaquePointer
    private let storage: Storage

    /// The state that the `GdkPaintable` draws.
    final class Storage {
      var content = PaintableContent()
      /// Called during drawing, with the size in points.
      var onDraw: (@MainActor (CGSize) -> Void)?
    }

    /// Creates an empty paintable.
    public init() {
      pointer = Self.makeInstance()
      storage = Self.storage(of: pointer)
    }

    // GTK may keep the `GdkPaintable` after this object is deinitialized.
    isolated deinit {
      storage.onDraw = nil
      g_object_unref(UnsafeMutableRawPointer(pointer))
    }

    /// Pixels per point of the display: the surface's `gdk_surface_get_scale`, or the widget's `gtk_widget_get_scale_factor`
    /// before GTK 4.12.
    public var displayScale: Double {
      get { storage.content.displayScale }
      set {
        guard newValue.isFinite, newValue > 0, newValue != displayScale else { return }
        change { $0.displayScale = newValue }
      }
    }

    /// The size of the image in points; zero without an image.
    public var naturalSize: CGSize { storage.content.naturalSize }

    /// Shows an image.
    ///
    /// - Parameters:
    ///   - image: the image, or `nil` to show nothing.
    ///   - contentMode: the position of the image in the area.
    ///   - tintColor: replaces all colors, and keeps transparency.
    ///   - fades: `true` to show the previous image until ``fade(to:)`` reaches 1.
    public func show(
      _ image: Bitmap?, contentMode: ImageContentMode = .aspectFit, tintColor: Color? = nil, fades: Bool = false
    ) {
      let layer = image.flatMap { PaintableContent.Layer($0, contentMode: contentMode, tintColor: tintColor) }
      change { $0.show(layer, fades: fades) }
    }

    /// Shows another frame of the current animated image. A fade continues.
    public func update(_ frame: Bitmap) { change { $0.update(frame) } }

    /// Sets the progress of the fade.
    ///
    /// - Parameter progress: from 0, which shows only the previous image, to 1, which ends the fade.
    public func fade(to progress: Double) { change { $0.fade(to: progress) } }

    /// A Boolean value that indicates whether a fade is running.
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
