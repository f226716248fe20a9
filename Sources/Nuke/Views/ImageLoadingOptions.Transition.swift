public import Foundation
public import NukeImaging

extension ImageLoadingOptions {
  /// The transition with which an image appears.
  public struct Transition: Sendable {
    enum Style: Sendable {
      case fadeIn(duration: TimeInterval)
      case custom(@MainActor @Sendable (any ImageDisplaying, PlatformImage) -> Void)
    }

    let style: Style

    /// The image fades in over what was shown, where the view can do that.
    ///
    /// - Parameter duration: in seconds.
    public static func fadeIn(duration: TimeInterval) -> Transition { Transition(style: .fadeIn(duration: duration)) }

    /// The program's own way, which shows the image itself; content modes and tint colors are its own as well.
    ///
    /// - Parameter body: gets the view and the image, on the main actor.
    public static func custom(
      _ body: @escaping @MainActor @Sendable (any ImageDisplaying, PlatformImage) -> Void
    ) -> Transition { Transition(style: .custom(body)) }
  }
}
