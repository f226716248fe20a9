import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import Testing

@Suite("A data loader, over ftp")
struct DataLoaderFTPTests {
  @Test("loads a file, its length known and without a status")
  func load() async throws {
    let body = noise(50_000)
    let server = try FTPServer(body: body)
    let state = await makeLoader().outcome(of: URL(string: "ftp://127.0.0.1:\(server.port)/a.jpg")!)
    #expect(state.error == nil)
    #expect(state.head?.status == nil)
    #expect(state.head?.expectedLength == 50_000)
    #expect(state.body == body)
    #expect(state.ends.count == 1)
  }
}
