import Nuke
import NukeTesting
import Testing

@Suite("Shared loading options")
@MainActor struct SharedOptionsTests {
  @Test("A load without options uses the shared ones")
  func shared() {
    let before = ImageLoadingOptions.shared
    defer { ImageLoadingOptions.shared = before }
    let url = imageURL("shared.png")
    let pipeline = ImagePipeline.fake()
    pipeline.cache[url] = ImageContainer(image: SampleImage.bitmap(width: 2, height: 2))
    ImageLoadingOptions.shared.pipeline = pipeline
    ImageLoadingOptions.shared.contentModes = .init(success: .fill, failure: .center, placeholder: .center)
    let view = FakeImageView()
    loadImage(with: url, into: view)
    #expect(view.presentations.map(\.contentMode) == [.fill])
    var own = ImageLoadingOptions()
    own.pipeline = pipeline
    loadImage(with: url, options: own, into: view)
    #expect(view.presentations.map(\.contentMode) == [.fill, nil])
  }
}
