// The names that UIKit has for the content modes, as options of versions 8 to 13 say them.

extension ImageContentMode {
  /// Stretched to the bounds.
  @available(*, deprecated, renamed: "fill")
  public static var scaleToFill: ImageContentMode { .fill }

  /// Scales the image to fit inside the bounds.
  @available(*, deprecated, renamed: "aspectFit")
  public static var scaleAspectFit: ImageContentMode { .aspectFit }

  /// Scales the image to fill the bounds.
  @available(*, deprecated, renamed: "aspectFill")
  public static var scaleAspectFill: ImageContentMode { .aspectFill }
}
