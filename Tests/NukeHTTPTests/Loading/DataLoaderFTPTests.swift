import Foundation
import FoundationNetworking
import Nuke
import Testing

@Suite("A data loader over FTP")
struct DataLoaderFTPTests {
  @Test("A file is loaded, with its length and without a status")
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

  @Test(
    "A missing file or folder is an error",
    arguments: [["SIZE": "550 no such file", "RETR": "550 no such file"], ["CWD": "550 no such folder"]])
  func notFound(replies: [String: String]) async throws {
    #expect(try await error(replies) == .fileNotFound(path: "/of/a b.jpg"))
  }

  @Test(
    "A rejected request is an error",
    arguments: [["PASS": "530 not logged in"], ["CWD": "553 not allowed"], ["RETR": "551 page type unknown"]])
  func refused(replies: [String: String]) async throws {
    let error = try await error(replies)
    guard case .fileNotReadable("/of/a b.jpg", let reason) = error else { throw Unexpected(error) }
    #expect(reason.contains(replies.values.first!.prefix(3)))
  }

  @Test(
    "A temporary failure is an error that can be retried",
    arguments: [["open": "421 too many users"], ["PASS": "421 too many users"], ["RETR": "450 busy"]])
  func transient(replies: [String: String]) async throws {
    let error = try #require(try await error(replies))
    #expect(RetryPolicy.isTransient(.dataLoadingFailed(error: error)), "\(error)")
  }

  private func error(_ replies: [String: String]) async throws -> DataLoader.TransferError? {
    let server = try FTPServer(replies: ["CWD": "250 there"].merging(replies) { $1 })
    let url = try #require(URL(string: "ftp://127.0.0.1:\(server.port)/of/a%20b.jpg"))
    return await makeLoader().outcome(of: url).error
  }
}
