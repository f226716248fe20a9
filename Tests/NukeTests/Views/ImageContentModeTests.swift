import Foundation
import Nuke
import Testing

@Suite("Content modes")
struct ImageContentModeTests {
  /// A view that is 100 wide and 50 high, and does not begin at the origin.
  let bounds = CGRect(x: 10, y: 20, width: 100, height: 50)

  @Test(
    "The frame depends on the sizes of the image and the bounds",
    arguments: [
      (ImageContentMode.fill, CGSize(width: 20, height: 20), CGRect(x: 10, y: 20, width: 100, height: 50)),
      (.aspectFit, CGSize(width: 20, height: 20), CGRect(x: 35, y: 20, width: 50, height: 50)),
      (.aspectFit, CGSize(width: 400, height: 100), CGRect(x: 10, y: 32.5, width: 100, height: 25)),
      (.aspectFill, CGSize(width: 20, height: 20), CGRect(x: 10, y: -5, width: 100, height: 100)),
      (.aspectFill, CGSize(width: 400, height: 100), CGRect(x: -40, y: 20, width: 200, height: 50)),
      (.center, CGSize(width: 20, height: 20), CGRect(x: 50, y: 35, width: 20, height: 20)),
      (.center, CGSize(width: 200, height: 100), CGRect(x: -40, y: -5, width: 200, height: 100)),
      (.scaleDown, CGSize(width: 20, height: 20), CGRect(x: 50, y: 35, width: 20, height: 20)),
      (.scaleDown, CGSize(width: 200, height: 200), CGRect(x: 35, y: 20, width: 50, height: 50)),
    ])
  func frame(mode: ImageContentMode, size: CGSize, expected: CGRect) {
    #expect(mode.frame(of: size, in: bounds) == expected)
  }

  @Test("The frame of an empty image is empty", arguments: ImageContentMode.allCases)
  func empty(mode: ImageContentMode) {
    #expect(mode.frame(of: .zero, in: bounds) == CGRect(x: 60, y: 45, width: 0, height: 0))
  }
}
