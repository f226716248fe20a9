#if Combine
  import Foundation
  import Nuke
  import NukeCombine
  import OpenCombine

  @MainActor final class PublishedImage {
    private var subscriptions: Set<AnyCancellable> = []

    func load() {
      ImagePipeline.shared.imagePublisher(with: address)
        .sink(receiveCompletion: { print($0) }, receiveValue: { print($0.image) })
        .store(in: &subscriptions)
      let publisher: AnyPublisher<ImageResponse, ImagePipeline.Error> =
        ImagePipeline.shared.imagePublisher(with: ImageRequest(url: address))
      publisher.map(\.image).sink(receiveCompletion: { _ in }, receiveValue: { print($0) }).store(in: &subscriptions)
    }
  }
#endif
