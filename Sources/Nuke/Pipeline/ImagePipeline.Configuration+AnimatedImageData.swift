public import Foundation
public import NukeImaging
import Synchronization

extension ImagePipeline.Configuration {
  /// `true` if the first frame of an animated image has the encoded data of the whole image, in all pipelines. The
  /// default is `false`.
  static var attachesAnimatedImageData: Bool {
    get { animatedImageDataFlag.load(ordering: .relaxed) }
    set { animatedImageDataFlag.store(newValue, ordering: .relaxed) }
  }

  private static let animatedImageDataFlag = Atomic<Bool>(false)

  /// A Boolean value that indicates whether animated images also have their encoded data in `animatedImageData`. It
  /// applies to images that are decoded later, in all pipelines. The default is `false`. Can be set from any thread.
  @available(*, deprecated, message: "Containers of animated images always have their data: ImageContainer.data")
  public static var isAnimatedImageDataEnabled: Bool {
    get { attachesAnimatedImageData }
    set { attachesAnimatedImageData = newValue }
  }
}

extension PlatformImage {
  /// The encoded animated image whose first frame this is, if `ImagePipeline.Configuration.isAnimatedImageDataEnabled`
  /// was set when it was decoded; `nil` for processed images.
  @available(*, deprecated, message: "Use ImageContainer.data, or play ImageContainer.animation")
  public var animatedImageData: Data? { animatedData }
}
