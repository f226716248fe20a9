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

    /// The image fades in over the previous content, if the view supports it.
    ///
    /// - Parameter duration: the duration in seconds.
    public static func fadeIn(duration: TimeInterval) -> Transition { Transition(style: .fadeIn(duration: duration)) }

    /// A custom transition, which must show the image itself. It is also responsible for content modes and tint colors.
    ///
    /// - Parameter body: receives the view and the image, on the main actor.
    public static func custom(
      _ body: @escaping @MainActor @Sendable (any ImageDisplaying, PlatformImage) -> Void
    ) -> Transition { Transition(style: .custom(body)) }
  }
}
