import NukeCodecs
import NukeImaging

extension OpenedImage {
  /// Returns the opened image with values that are added to what is decoded from it.
  package func adding(_ userInfo: [ImageContainer.UserInfoKey: any Sendable]) -> any OpenedImage {
    OpenedWithUserInfo(base: self, userInfo: userInfo)
  }
}

private struct OpenedWithUserInfo: OpenedImage {
  let base: any OpenedImage
  let userInfo: [ImageContainer.UserInfoKey: any Sendable]

  var pixelSize: (width: Int, height: Int) { base.pixelSize }
  var orientation: Orientation { base.orientation }
  var embeddedThumbnail: (any OpenedImage)? { base.embeddedThumbnail?.adding(userInfo) }
  var scaleDenominators: [Int] { base.scaleDenominators }
  var isVector: Bool { base.isVector }
  func checkDrawnSize(_ size: DecodeOptions.TargetSize) throws { try base.checkDrawnSize(size) }
  func byteCount(scaleDenominator: Int) -> Int { base.byteCount(scaleDenominator: scaleDenominator) }

  func decode(_ options: DecodeOptions) throws -> ImageContainer {
    var container = try base.decode(options)
    container.userInfo.merge(userInfo) { _, added in added }
    return container
  }
}
