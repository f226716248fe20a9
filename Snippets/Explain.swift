// What a load would do, without doing it: which cache would answer, what work and how many bytes would be left.
import Foundation
import Nuke

let pipeline = ImagePipeline {
  $0.dataCache = try? DataCache(name: "com.example.images")
  $0.dataCachePolicy = .automatic
}
let request = ImageRequest(
  url: URL(string: "https://example.com/a.jpg"), processors: [.resize(width: 320, unit: .pixels)])

let explanation = await pipeline.explain(request)
print(explanation)

// For programs: single facts, or all of them as JSON.
if explanation.origin == .network { print("would be downloaded") }
for store in explanation.stores {
  if let reason = store.notCachedReason { print("\(store.place.rawValue) would not get \(store.key): \(reason)") }
}
print(String(decoding: try JSONEncoder().encode(explanation), as: UTF8.self))
