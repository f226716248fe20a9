#if GTK
  import CNukeGTK
  import Foundation
  import Nuke
  import NukeImaging

  /// Connects a `GtkPicture` with the image loaded into it. Each has one, created when it is first needed.
  ///
  /// Only the widget retains it. A load holds it weakly, and ends with it.
  @MainActor final class PictureBinding: ImageDisplaying {
    let picture: UnsafeMutablePointer<GtkWidget>
    let paintable = ImagePaintable()
    let imageLoading = ImageLoadingSlot()
    /// `true` if the widget has been destroyed.
    private(set) var isDestroyed = false

    /// The content mode of images if no other applies.
    var contentMode = ImageContentMode.aspectFit
    /// `true` if animated images play while the widget is mapped.
    var isPlaybackEnabled = true { didSet { playOrPause() } }
    /// The options of loads that do not specify any.
    var options: ImageLoadingOptions?
    var handlers = Handlers()
    /// The priority of loads; `nil` for that of their requests.
    var priority: ImageRequest.Priority? {
      didSet {
        if let task { task.priority = priority ?? loadRequest?.request?.priority ?? .normal }
      }
    }
    /// `true` if the placeholder is shown after a failure without a failure image.
    var showsPlaceholderOnFailure = false
    /// The widgets that are shown instead of the image: the placeholder, and the one for failures.
    var fallbackWidgets = FallbackWidgets()

    /// The scales of the displays of all widgets.
    private static var scales = DisplayScales()
    /// The scale recorded for this widget.
    private var recordedScale: Double?
    /// Follows the scale of the display while the widget is mapped.
    private var scaleObservation: SurfaceScale.Observation?

    private var fading: FrameTicks?
    private(set) var playback: Playback?

    // The state of loading; see `PictureBinding+Loading.swift`.
    var loadRequest: LoadRequest?
    var task: ImageTask?
    var progress = LoadingProgress.idle
    /// The number of loads that were started.
    var loadCount = 0
    var sizing = PixelSizing()
    var resizing: Timeout?

    // MARK: The binding of a widget

    private static let key = g_quark_from_static_string("nuke-gtk-picture-binding")
    /// The number of bindings.
    static private(set) var count = 0

    /// Returns the binding of a `GtkPicture`.
    static func of(_ picture: UnsafeMutablePointer<GtkWidget>) -> PictureBinding {
      precondition(picture.isPicture, "images are shown in a GtkPicture, not in other widgets")
      let object = UnsafeMutableRawPointer(picture).assumingMemoryBound(to: GObject.self)
      if let kept = g_object_get_qdata(object, key) {
        return Unmanaged<PictureBinding>.fromOpaque(kept).takeUnretainedValue()
      }
      let made = PictureBinding(picture)
      g_object_set_qdata_full(object, key, Unmanaged.passRetained(made).toOpaque()) { kept in
        guard let kept else { return }
        nonisolated(unsafe) let binding = kept
        MainActor.assumeIsolated {
          Unmanaged<PictureBinding>.fromOpaque(binding).takeRetainedValue().didDestroy()
        }
      }
      return made
    }

    private init(_ picture: UnsafeMutablePointer<GtkWidget>) {
      GTKMainLoop.attach()
      self.picture = picture
      Self.count += 1
      adoptDisplayScale()
      paintable.onDraw = { [weak self] size in self?.didDraw(in: size) }
      gtk_picture_set_paintable(OpaquePointer(picture), paintable.pointer)
      // The paintable keeps the aspect ratio.
      gtk_picture_set_keep_aspect_ratio(OpaquePointer(picture), 0)
      SignalHandler.connect(picture, "map") { [weak self] in self?.didMap() }
      SignalHandler.connect(picture, "unmap") { [weak self] in self?.didUnmap() }
      SignalHandler.connect(picture, "notify::scale-factor") { [weak self] (_: OpaquePointer) in
        self?.didChangeScale()
      }
      SignalHandler.connect(picture, "destroy") { [weak self] in self?.didDestroy() }
      if picture.isMapped { observeScale() }
    }

    isolated deinit { Self.count -= 1 }

    // MARK: Events of the widget

    private func didMap() {
      observeScale()
      playOrPause()
      resumeLoading()
    }

    private func didUnmap() {
      scaleObservation = nil
      endFade()
      playback?.pause()
      suspendLoading()
    }

    private func didChangeScale() {
      adoptDisplayScale()
      reloadIfTooSmall()
    }

    private func observeScale() {
      scaleObservation = SurfaceScale.Observation(of: picture) { [weak self] in self?.didChangeScale() }
      // The surface was unknown before, or another one.
      if picture.displayScale != paintable.displayScale { didChangeScale() }
    }

    private func adoptDisplayScale() {
      paintable.displayScale = picture.displayScale
      recordScale(picture.displayScale)
    }

    private func recordScale(_ scale: Double?) {
      guard scale != recordedScale else { return }
      DisplayScale.current = Self.scales.replace(recordedScale, with: scale, current: DisplayScale.current)
      recordedScale = scale
    }

    private func didDestroy() {
      guard !isDestroyed else { return }
      scaleObservation = nil
      endFade()
      playback?.pause()
      playback = nil
      forgetLoading()
      options = nil
      handlers = Handlers()
      fallbackWidgets = FallbackWidgets()
      paintable.onDraw = nil
      paintable.show(nil)
      recordScale(nil)
      isDestroyed = true
    }

    // MARK: Display

    func display(_ presentation: ImagePresentation) {
      guard !isDestroyed else { return }
      endFade()
      playback?.pause()
      playback = nil
      let fades = presentation.isAnimated && picture.isMapped && picture.isMotionWanted
      paintable.show(
        presentation.image, contentMode: presentation.contentMode ?? contentMode, tintColor: presentation.tintColor,
        fades: fades)
      if fades { fadeIn(duration: presentation.fadeDuration) }
      fallbackWidgets.show(presentation.phase, isEmpty: presentation.image == nil)
      if presentation.phase == .success, let container = presentation.container {
        play(container)
      }
    }

    private func fadeIn(duration: TimeInterval) {
      var fade = Fade(duration: duration)
      fading = FrameTicks(picture) { [weak self] now in
        guard let self else { return false }
        paintable.fade(to: fade.progress(at: now))
        if !paintable.isFading { fading = nil }
        return paintable.isFading
      }
    }

    private func endFade() {
      fading?.cancel()
      fading = nil
      if paintable.isFading { paintable.fade(to: 1) }
    }

    private func play(_ container: ImageContainer) {
      guard let animated = AnimatedImage(container) else { return }
      playback = Playback(animated, on: picture) { [weak self] in self?.paintable.update($0) }
      playOrPause()
    }

    private func playOrPause() {
      if isPlaybackEnabled, !isDestroyed, picture.isMapped { playback?.play() } else { playback?.pause() }
    }
  }
#endif
