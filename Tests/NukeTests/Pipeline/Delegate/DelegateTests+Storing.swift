import Foundation
import Nuke
import NukeTesting
import Testing

extension DelegateTests {
  @Test("The delegate can change the data that is stored on disk")
  func willCache() async throws {
    let log = log
    let pipeline = hooked({ $0.makeImageEncoder = { _ in SizeEncoder() } }) {
      $0.willCache = { data, image, request in
        log.append("\(data.count) \(image?.image.pixelWidth ?? 0) \(request.processors.count)")
        return Data("changed".utf8)
      }
    }
    try await pipeline.loadAndStore(blurred())
    #expect(log.entries == ["\(original.count) 0 1", "5 20 1"])
    #expect(disk.contents == [key: Data("changed".utf8), key + "/blur": Data("changed".utf8)])
  }

  @Test("Returning nil stores nothing")
  func willCacheNil() async throws {
    let pipeline = hooked { $0.willCache = { _, _, _ in nil } }
    try await pipeline.loadAndStore(blurred())
    #expect(disk.writes.isEmpty)
    #expect(memory.count == 1)
  }
}
