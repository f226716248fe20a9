public import NukeImaging

/// How a view is treated while an image is loaded into it, and how it takes what comes.
///
/// ```swift
/// let options = ImageLoadingOptions(placeholder: leaf, transition: .fadeIn(duration: 0.33))
/// loadImage(with: url, options: options, into: view)
/// ```
public struct ImageLoadingOptions: Sendable {
  /// The options of views for which none are named.
  @MainActor public static var shared = ImageLoadingOptions()

  /// The image shown while the image is loading. It is not shown for a request that asks for nothing, such as a `nil`
  /// URL.
  public var placeholder: PlatformImage?
  /// The image shown when a request fails or asks for nothing. Without it, the view is cleared, unless
  /// ``isPrepareForReuseEnabled`` is `false`.
  public var failureImage: PlatformImage?
  /// How an image comes into view that was loaded.
  public var transition: Transition?
  /// How the ``failureImage`` comes into view.
  public var failureImageTransition: Transition?
  /// A Boolean value that indicates whether there is a transition also for what is shown at once, such as an image in
  /// the memory cache.
  public var alwaysTransition = false
  /// A Boolean value that indicates whether a new request clears the view of the previous image. The default is `true`.
  ///
  /// The view is cleared when a load starts that has neither a placeholder nor an image in the memory cache, and when a
  /// request asks for nothing and there is no failure image.
  public var isPrepareForReuseEnabled = true
  /// A Boolean value that indicates whether previews are shown. There are some where
  /// ``ImagePipeline/Configuration-swift.struct/isProgressiveDecodingEnabled`` is set.
  public var isProgressiveRenderingEnabled = true
  /// How images lie in the view; `nil` for the view's own way.
  public var contentModes: ContentModes?
  /// Colors that take the place of an image's; `nil` for none.
  public var tintColors: TintColors?
  /// Applied to images whose requests have no processors of their own.
  public var processors: [any ImageProcessing] = []
  /// What loads the images; `nil` for ``ImagePipeline/shared``.
  public var pipeline: ImagePipeline?

  /// Options; what is not said here has its default, and can be set.
  public init(
    placeholder: PlatformImage? = nil, transition: Transition? = nil, failureImage: PlatformImage? = nil,
    failureImageTransition: Transition? = nil, contentModes: ContentModes? = nil, tintColors: TintColors? = nil
  ) {
    self.placeholder = placeholder
    self.transition = transition
    self.failureImage = failureImage
    self.failureImageTransition = failureImageTransition
    self.contentModes = contentModes
    self.tintColors = tintColors
  }
}

extension ImageLoadingOptions {
  /// How an image lies in a view, by what it stands for.
  public struct ContentModes: Hashable, Sendable {
    /// That of images and of their previews.
    public var success: ImageContentMode
    /// That of the failure image.
    public var failure: ImageContentMode
    /// That of the placeholder.
    public var placeholder: ImageContentMode

    /// Content modes.
    public init(success: ImageContentMode, failure: ImageContentMode, placeholder: ImageContentMode) {
      self.success = success
      self.failure = failure
      self.placeholder = placeholder
    }
  }

  /// Colors that take the place of all those of an image, by what it stands for; `nil` leaves it as it is.
  public struct TintColors: Hashable, Sendable {
    /// That of images and of their previews.
    public var success: PlatformColor?
    /// That of the failure image.
    public var failure: PlatformColor?
    /// That of the placeholder.
    public var placeholder: PlatformColor?

    /// Tint colors.
    public init(success: PlatformColor?, failure: PlatformColor?, placeholder: PlatformColor?) {
      self.success = success
      self.failure = failure
      self.placeholder = placeholder
    }
  }
}
