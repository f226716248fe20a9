import Foundation
import NukeUI

#if canImport(SwiftUI)
  import SwiftUI

  /// `LazyImage` is SwiftUI's, and there is none on Linux.
  public struct Thumbnail: View {
    let url: URL?

    public init(url: URL?) { self.url = url }

    public var body: some View {
      LazyImage(url: url) { state in
        if let image = state.image { image.resizable() } else { Color.gray }
      }
    }
  }
#else
  import Observation

  /// `FetchImage` is observed with Observation here. On Apple's platforms it is an `ObservableObject`.
  @MainActor public final class Thumbnail {
    public let model = FetchImage()

    public init(url: URL?) { model.load(url) }

    /// Calls `body` once when the image changes.
    public func onChange(_ body: @escaping @Sendable () -> Void) {
      withObservationTracking {
        _ = model.image
      } onChange: {
        body()
      }
    }
  }
#endif
