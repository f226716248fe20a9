// Displays several images when all of them are loaded, or those that could be loaded.
import Foundation
import Nuke

func recipeTogether() async throws {
  let requests = (1...3).map { ImageRequest(url: URL(string: "https://example.com/page-\($0).jpg")) }

  let pages = try await ImagePipeline.shared.responses(forAllOf: requests).map(\.image)
  print("all of them:", pages)

  let results = await ImagePipeline.shared.results(forAllOf: requests)
  print("as many as can be had:", results.compactMap { try? $0.get().image })
}
