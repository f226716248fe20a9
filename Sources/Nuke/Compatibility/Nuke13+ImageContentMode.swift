// The names that UIKit has for the content modes, as options of versions 8 to 13 say them.

extension ImageContentMode {
  /// Stretched to the bounds.
  @available(*, deprecated, renamed: "fill")
  public static var scaleToFill: ImageContentMode { .fill }

  /// As large as it can be with all of it inside.
  @available(*, deprecated, renamed: "aspectFit")
  public static var scaleAspectFit: ImageContentMode { .aspectFit }

  /// As small as it can be without leaving a part of the bounds empty.
  @available(*, deprecated, renamed: "aspectFill")
  public static var scaleAspectFill: ImageContentMode { .aspectFill }
}
