public import Foundation
public import NukeImaging
import Synchronization

extension ImagePipeline.Configuration {
  /// `true` if the first frame of an animated image carries the encoded data of all of it, for any pipeline. False by
  /// default.
  static var attachesAnimatedImageData: Bool {
    get { animatedImageDataFlag.load(ordering: .relaxed) }
    set { animatedImageDataFlag.store(newValue, ordering: .relaxed) }
  }

  private static let animatedImageDataFlag = Atomic<Bool>(false)

  /// A Boolean value that indicates whether animated images that are decoded from now on carry their encoded data in
  /// `animatedImageData` of the image as well, for any pipeline. False by default. May be set from any thread.
  @available(*, deprecated, message: "Containers of animated images always have their data: ImageContainer.data")
  public static var isAnimatedImageDataEnabled: Bool {
    get { attachesAnimatedImageData }
    set { attachesAnimatedImageData = newValue }
  }
}

extension PlatformImage {
  /// The encoded animated image whose first frame this is, where that was asked for by
  /// `ImagePipeline.Configuration.isAnimatedImageDataEnabled` when it was decoded; `nil` for what a processor made.
  @available(*, deprecated, message: "Use ImageContainer.data, or play ImageContainer.animation")
  public var animatedImageData: Data? { animatedData }
}
