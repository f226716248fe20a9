public import NukeImaging

/// Options for loading an image into a view and displaying it.
///
/// ```swift
/// let options = ImageLoadingOptions(placeholder: leaf, transition: .fadeIn(duration: 0.33))
/// loadImage(with: url, options: options, into: view)
/// ```
public struct ImageLoadingOptions: Sendable {
  /// The default options.
  @MainActor public static var shared = ImageLoadingOptions()

  /// The image to show while the image is loading. It is not shown if there is no request or its URL is `nil`.
  public var placeholder: PlatformImage?
  /// The image to show when a request fails or is `nil`. Without it, the view is cleared, unless
  /// ``isPrepareForReuseEnabled`` is `false`.
  public var failureImage: PlatformImage?
  /// The transition of a loaded image.
  public var transition: Transition?
  /// The transition of the ``failureImage``.
  public var failureImageTransition: Transition?
  /// A Boolean value that indicates whether transitions also apply to images that are shown at once, such as memory
  /// hits.
  public var alwaysTransition = false
  /// A Boolean value that indicates whether a new request clears the previous image from the view. The default is
  /// `true`.
  ///
  /// The view is cleared when a load starts and there is neither a placeholder nor an image in the memory cache. It is
  /// also cleared if the request is `nil` and there is no failure image.
  public var isPrepareForReuseEnabled = true
  /// A Boolean value that indicates whether previews are shown. They require
  /// ``ImagePipeline/Configuration-swift.struct/isProgressiveDecodingEnabled``.
  public var isProgressiveRenderingEnabled = true
  /// The content modes; `nil` to leave them to the view.
  public var contentModes: ContentModes?
  /// The tint colors; `nil` for none.
  public var tintColors: TintColors?
  /// The processors of requests that have none.
  public var processors: [any ImageProcessing] = []
  /// The pipeline that loads the images; `nil` for ``ImagePipeline/shared``.
  public var pipeline: ImagePipeline?

  /// Creates options. Omitted values have their defaults.
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
  /// The content modes of a view, by the kind of image.
  public struct ContentModes: Hashable, Sendable {
    /// The content mode of images and previews.
    public var success: ImageContentMode
    /// The content mode of the failure image.
    public var failure: ImageContentMode
    /// The content mode of the placeholder.
    public var placeholder: ImageContentMode

    /// Creates content modes.
    public init(success: ImageContentMode, failure: ImageContentMode, placeholder: ImageContentMode) {
      self.success = success
      self.failure = failure
      self.placeholder = placeholder
    }
  }

  /// The tint colors of a view, by the kind of image. A tint replaces all colors of an image; `nil` keeps them.
  public struct TintColors: Hashable, Sendable {
    /// The tint of images and previews.
    public var success: PlatformColor?
    /// The tint of the failure image.
    public var failure: PlatformColor?
    /// The tint of the placeholder.
    public var placeholder: PlatformColor?

    /// Creates tint colors.
    public init(success: PlatformColor?, failure: PlatformColor?, placeholder: PlatformColor?) {
      self.success = success
      self.failure = failure
      self.placeholder = placeholder
    }
  }
}
