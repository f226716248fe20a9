// A file that imports today's module too, as one that is being moved from one to the other. It is compiled and never run.
// Three names are in both, and say whose they are.
import Foundation
import Nuke
import NukeLegacy

private struct Source: NukeLegacy.DataLoading {
  let loader: any Nuke.DataLoading

  func loadData(with request: URLRequest, token: CancellationToken?) -> Promise<(Data, URLResponse)> {
    NukeLegacy.DataLoader(loader).loadData(with: request, token: token)
  }
}

private func half(_ address: URL, _ cache: any NukeLegacy.DataCaching, _ kept: any Nuke.DataCaching) {
  let pipeline = ImagePipeline {
    $0.dataLoader = Nuke.DataLoader()
    $0.dataCache = kept
  }
  let loader = Loader(pipeline: pipeline)
  loader.loadImage(with: address).then { image in pipeline.cache[address] = ImageContainer(image: image) }
  _ = Loader(loader: Source(loader: pipeline.configuration.dataLoader), cache: cache)
  Preheater(loader: loader).startPreheating(for: [Request(url: address)])
}
