// Prints what a load would do, without performing it: the cache that has the image, and the remaining work and bytes.
import Foundation
import Nuke

func explain() async throws {
  let pipeline = ImagePipeline {
    $0.dataCache = try? DataCache(name: "com.example.images")
    $0.dataCachePolicy = .automatic
  }
  let request = ImageRequest(
    url: URL(string: "https://example.com/a.jpg"), processors: [.resize(width: 320, unit: .pixels)])

  let explanation = await pipeline.explain(request)
  print(explanation)

  // Programs can read single properties, or encode all of them as JSON.
  if explanation.origin == .network { print("would be downloaded") }
  for store in explanation.stores {
    if let reason = store.notCachedReason { print("\(store.place.rawValue) would not get \(store.key): \(reason)") }
  }
  print(String(decoding: try JSONEncoder().encode(explanation), as: UTF8.self))
}
