import Foundation
import FoundationNetworking
import Nuke
import NukeImaging
import Testing

@Suite("A transfer that is tried again")
struct RetryingTransferTests {
  private let tries = Tries()
  private let recorder = Recorder()
  private let lost = DataLoader.TransferError.connectionLost(host: "a.test", reason: "reset")
  private let tag = "ETag: \"v1\""

  private var state: Recorder.State { recorder.state }

  /// Fails after "abc" of "abcdef", and waits to the end.
  private func breakOff(_ fields: String..., length: Int? = 6) {
    tries.last.head(200, fields.isEmpty ? tag : fields.joined(separator: "\r\n"), length: length)
    tries.last.body("abc")
    tries.last.end(lost)
    tries.endWaits()
  }

  @Test("is handed on as it comes where the first try is good")
  func first() {
    _ = tries.start(observer: recorder)
    tries.last.head(200, tag, length: 6)
    // It is held back, since until now all could be asked for anew.
    #expect(state.heads.isEmpty)
    tries.last.body("abc")
    #expect(state.heads.count == 1 && state.body == Data("abc".utf8))
    tries.last.body("def")
    tries.last.end()
    #expect(state.body == Data("abcdef".utf8))
    #expect(state.ends.count == 1 && state.error == nil)
    #expect(tries.count == 1 && tries.waits.isEmpty)
  }

  @Test("tells the head of a body without a byte at its end")
  func empty() {
    _ = tries.start(observer: recorder)
    tries.last.head(204)
    tries.last.end()
    #expect(state.head?.status == 204)
    #expect(state.ends.count == 1 && state.error == nil)
  }

  @Test("retries with increasing delays while no data was delivered")
  func startingOver() {
    _ = tries.start(observer: recorder)
    tries.last.end(.cannotConnect(host: "a.test", reason: "refused"))
    #expect(tries.count == 1)
    tries.endWaits()
    tries.last.head(200, length: 6)
    tries.last.end(lost)
    tries.endWaits()
    tries.last.head(500)
    tries.last.end(status: 500)
    tries.endWaits()
    #expect(tries.count == 4)
    #expect(tries.waits == [1, 2, 4])
    #expect(tries.last.request.value(forHTTPHeaderField: "Range") == nil)
    tries.last.head(200, "X-Try: 4", length: 3)
    tries.last.body("xyz")
    tries.last.end()
    #expect(state.heads.map { $0.value(forField: "X-Try") } == ["4"])
    #expect(state.body == Data("xyz".utf8) && state.ends.count == 1)
  }

  @Test("gives up with the last error after as many tries as the policy says, and tells what was refused")
  func givingUp() {
    _ = tries.start(policy: RetryPolicy(maxRetryCount: 1), observer: recorder)
    tries.last.end(lost)
    tries.endWaits()
    tries.last.head(503, "Retry-After: 3")
    tries.last.end(status: 503)
    #expect(state.unacceptableStatus == 503)
    #expect(state.refused.map { $0.value(forField: "Retry-After") } == ["3"])
    tries.endWaits()
    #expect(tries.count == 2 && state.ends.count == 1)
  }

  @Test("is not retried after a permanent error")
  func lasting() {
    _ = tries.start(observer: recorder)
    tries.last.head(404)
    tries.last.end(status: 404)
    #expect(state.unacceptableStatus == 404)
    #expect(tries.waits.isEmpty)
  }

  @Test("waits for Retry-After plus a random delay, and fails if that is too long")
  func retryAfter() {
    _ = tries.start(observer: recorder)
    tries.last.head(429, "Retry-After: 7")
    tries.last.end(status: 429)
    #expect(tries.waits == [8])
    tries.endWaits()
    tries.last.head(503, "Retry-After: 21")
    tries.last.end(status: 503)
    #expect(tries.waits == [8])
    #expect(state.unacceptableStatus == 503)
  }

  @Test("asks a busy server again also where a cache above would take the answer, and hands on the last one")
  func acceptedRefusal() {
    _ = tries.start(policy: RetryPolicy(maxRetryCount: 2, initialDelay: 1), observer: recorder)
    tries.last.head(503, "Retry-After: 3", length: 4, isAccepted: true)
    tries.last.body("busy")
    tries.last.end()
    #expect(tries.waits == [4])
    tries.endWaits()
    tries.last.head(500, isAccepted: true)
    tries.last.body(String(repeating: "a", count: 20_000))
    #expect(tries.last.log == ["cancel"])
    tries.last.end(.cancelled)
    #expect(tries.waits == [4, 2])
    #expect(state.heads.isEmpty && state.ends.isEmpty)
    tries.endWaits()
    tries.last.head(503, length: 4, isAccepted: true)
    tries.last.body("busy")
    tries.last.end()
    #expect(state.head?.status == 503 && state.body == Data("busy".utf8) && state.error == nil)
    #expect(tries.count == 3 && state.ends.count == 1)
  }

  @Test("is over when it is canceled while an unwanted answer is read", arguments: [false, true])
  func cancelledRefusal(isRead: Bool) {
    let transfer = tries.start(observer: recorder)
    tries.last.head(503, length: 4, isAccepted: true)
    transfer.cancel()
    // It may have come to its end just before.
    if isRead { tries.last.body("busy") }
    tries.last.end(isRead ? nil : .cancelled)
    #expect(state.error == .cancelled && tries.waits.isEmpty && state.heads.isEmpty)
  }

  @Test("asks for the rest under a strong validator, and hands on one body")
  func resuming() {
    _ = tries.start(observer: recorder)
    breakOff()
    let request = tries.last.request
    #expect(request.value(forHTTPHeaderField: "Range") == "bytes=3-")
    #expect(request.value(forHTTPHeaderField: "If-Range") == "\"v1\"")
    tries.last.head(206, tag, "Content-Range: bytes 3-5/6", length: 3)
    tries.last.body("d")
    tries.last.end(lost)
    tries.endWaits()
    #expect(tries.last.request.value(forHTTPHeaderField: "Range") == "bytes=4-")
    // Not answered at all, and then again.
    tries.last.end(lost)
    tries.endWaits()
    #expect(tries.last.request.value(forHTTPHeaderField: "Range") == "bytes=4-")
    tries.last.head(206, tag, "Content-Range: bytes 4-5/6", length: 2)
    tries.last.body("ef")
    tries.last.end()
    #expect(state.heads.map(\.status) == [200])
    #expect(state.body == Data("abcdef".utf8))
    #expect(state.ends.count == 1 && state.error == nil)
    #expect(tries.waits == [1, 2, 4])
  }

  @Test("skips what was handed on where the server gives all of the same body")
  func skipping() {
    _ = tries.start(observer: recorder)
    breakOff()
    tries.last.head(200, tag, length: 6)
    tries.last.body("ab")
    tries.last.body("cd")
    tries.last.body("ef")
    tries.last.end()
    #expect(state.body == Data("abcdef".utf8))
    #expect(state.heads.count == 1 && state.error == nil)
  }

  @Test("ends as it broke off where the body has changed, and stops the new one")
  func changed() {
    _ = tries.start(observer: recorder)
    breakOff()
    tries.last.head(200, "ETag: \"v2\"", length: 6)
    #expect(state.error == lost)
    #expect(tries.last.log == ["cancel"])
    tries.last.body("xyz")
    tries.last.end(.cancelled)
    #expect(state.body == Data("abc".utf8))
    #expect(state.ends.count == 1 && tries.count == 2)
  }

  @Test("ends as it broke off where the range is refused or does not fit", arguments: [416, 206])
  func refusedRange(status: Int) {
    _ = tries.start(observer: recorder)
    breakOff()
    tries.last.head(status, tag, "Content-Range: bytes 4-5/6")
    tries.last.end(status: 416)
    #expect(state.error == lost)
    #expect(state.ends.count == 1 && tries.count == 2)
  }

  @Test("fails without a strong validator", arguments: ["ETag: W/\"v1\"", "X-None: x"])
  func noValidator(field: String) {
    _ = tries.start(observer: recorder)
    breakOff(field)
    #expect(state.error == lost)
    #expect(tries.count == 1)
  }

  @Test("does not take a rest that ends early for all of the body")
  func shortRest() {
    _ = tries.start(policy: RetryPolicy(maxRetryCount: 1), observer: recorder)
    breakOff()
    tries.last.head(206, tag, "Content-Range: bytes 3-5/6")
    tries.last.body("d")
    tries.last.end()
    #expect(state.error == .connectionLost(host: "a.test", reason: "the rest of the body has not come"))
    #expect(state.body == Data("abcd".utf8))
  }

  @Test("keeps to the limit over all its tries")
  func limit() {
    _ = tries.start(limit: 5, observer: recorder)
    breakOff(tag, length: nil)
    tries.last.head(206, tag, "Content-Range: bytes 3-5/6", length: 3)
    #expect(state.error == .bodyTooLarge(limit: 5))
    #expect(tries.last.log == ["cancel"])

    let other = Recorder()
    _ = tries.start(limit: 5, observer: other)
    tries.last.head(200, tag)
    tries.last.body("abcde")
    tries.last.body("f")
    #expect(other.state.error == .bodyTooLarge(limit: 5))
    #expect(other.state.body == Data("abcde".utf8))
  }

  @Test("stops a try that has told too much while it began")
  func unwantedWhileBeginning() {
    _ = tries.start(observer: recorder)
    tries.whileBeginning { $0.head(200, "ETag: \"v2\"", length: 6) }
    breakOff()
    #expect(state.error == lost)
    #expect(tries.last.log == ["cancel"])
  }

  @Test("ends at once when it is canceled in a wait")
  func cancelledWaiting() {
    let transfer = tries.start(observer: recorder)
    tries.last.end(lost)
    transfer.cancel()
    transfer.cancel()
    // The end is told from another thread than the one that cancels; the fake's waits are these threads.
    #expect(tries.waits == [1, 0])
    tries.endWaits()
    #expect(state.error == .cancelled)
    #expect(state.ends.count == 1 && tries.count == 1)
  }

  @Test("ends with the try that runs when it is canceled, by .canceled also where that fails by itself just then")
  func cancelledRunning() {
    let transfer = tries.start(observer: recorder)
    tries.last.head(200, tag, length: 6)
    tries.last.body("abc")
    transfer.cancel()
    #expect(tries.last.log == ["cancel"])
    #expect(state.ends.isEmpty)
    tries.last.end(lost)
    #expect(state.error == .cancelled)
    #expect(tries.waits.isEmpty)
  }

  @Test("lets the closures of the policy use it")
  func cancelledByPolicy() {
    let known = Lock<RetryingTransfer?>(nil)
    var policy = RetryPolicy(initialDelay: 1)
    policy.isWorthRetrying = { _ in
      known.withLock { $0 }?.cancel()
      return true
    }
    let transfer = tries.start(policy: policy, observer: recorder)
    known.withLock { $0 = transfer }
    tries.last.end(lost)
    known.withLock { $0 = nil }
    #expect(state.error == .cancelled)
    #expect(tries.waits.isEmpty && tries.count == 1)
  }

  @Test("is whole where its body ends just before it is canceled")
  func cancelledTooLate() {
    let transfer = tries.start(observer: recorder)
    tries.last.head(200, tag, length: 3)
    tries.last.body("abc")
    transfer.cancel()
    tries.last.end()
    #expect(state.ends.count == 1 && state.error == nil)
    #expect(state.body == Data("abc".utf8))
  }

  @Test("stays paused from one try to the next")
  func pausing() {
    let transfer = tries.start(observer: recorder)
    #expect(!tries.last.wasPaused)
    transfer.pause()
    tries.last.end(lost)
    tries.endWaits()
    #expect(tries.last.wasPaused)
    transfer.resume()
    #expect(tries.last.log == ["resume"])
  }

  @Test("goes on where it is resumed while a try begins, and stays paused where it is paused then")
  func pausingWhileBeginning() {
    let transfer = tries.start(observer: recorder)
    transfer.pause()
    tries.last.end(lost)
    tries.whileBeginning { _ in transfer.resume() }
    tries.endWaits()
    #expect(tries.last.wasPaused)
    #expect(tries.last.log == ["resume"])
    tries.last.end(lost)
    tries.whileBeginning { _ in transfer.pause() }
    tries.endWaits()
    #expect(!tries.last.wasPaused)
    #expect(tries.last.log == ["pause"])
  }

  @Test("tells each try of its priority, and of one that changes while it begins")
  func priority() {
    let transfer = tries.start(observer: recorder)
    transfer.setPriority(.high)
    #expect(tries.last.log == ["high"])
    tries.last.end(lost)
    tries.endWaits()
    #expect(tries.last.log == ["high"])
    tries.last.end(lost)
    tries.whileBeginning { _ in transfer.setPriority(.veryLow) }
    tries.endWaits()
    #expect(tries.last.log == ["veryLow"])
  }

  @Test("does not wait past the limit of the whole transfer")
  func deadline() {
    _ = tries.start(seconds: 2.5, observer: recorder)
    tries.last.end(lost)
    tries.endWaits()
    tries.last.end(lost)
    // The next wait would be 2 s.
    #expect(tries.waits == [1])
    #expect(state.error == lost)
    let other = Recorder()
    _ = tries.start(observer: other)
    tries.last.end(.timedOut(.resource, host: "a.test", seconds: 1))
    #expect(tries.waits == [1])
  }

  @Test("waits for a connection as long as the limit of the whole transfer allows")
  func connectivity() {
    _ = tries.start(policy: nil, waits: true, seconds: 60, observer: recorder)
    let away: [DataLoader.TransferError] = [
      .cannotResolveHost("a.test"), .cannotConnect(host: "a.test", reason: "Network is unreachable"),
      .timedOut(.connect, host: "a.test", seconds: 15),
    ]
    for number in 0..<7 {
      tries.last.end(away[number % 3])
      tries.endWaits()
    }
    #expect(tries.waits == [0.5, 1, 2, 4, 8, 15, 15])
    tries.last.end(away[0])
    tries.endWaits()
    // The last wait ends with the limit.
    #expect(tries.waits.last == 14.5)
    // One that fails past it is not the reason: the try that follows at once finds the limit passed.
    tries.last.end(away[1])
    #expect(tries.waits.last == 0)
    tries.endWaits()
    tries.last.end(.timedOut(.resource, host: "a.test", seconds: 60))
    #expect(state.error == .timedOut(.resource, host: "a.test", seconds: 60))
    #expect(tries.count == 10)
  }

  @Test("does not count waits for a connection as tries, and waits for nothing else without a policy")
  func connectivityAndPolicy() {
    _ = tries.start(policy: RetryPolicy(maxRetryCount: 1), waits: true, observer: recorder)
    for _ in 0..<20 {
      tries.last.end(.cannotResolveHost("a.test"))
      tries.endWaits()
    }
    tries.last.end(lost)
    tries.endWaits()
    tries.last.end(lost)
    #expect(state.error == lost)
    #expect(tries.count == 22)

    let other = Recorder()
    _ = tries.start(policy: nil, waits: true, observer: other)
    tries.last.end(lost)
    #expect(other.state.error == lost)
  }

  @Test("sends again only what may be sent twice")
  func methods() {
    var request = URLRequest(url: URL(string: "http://a.test/")!)
    for method in ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"] {
      request.httpMethod = method
      #expect(RetryingTransfer.allows(request))
    }
    for method in ["POST", "PATCH", "CONNECT", "X"] {
      request.httpMethod = method
      #expect(!RetryingTransfer.allows(request))
    }
    request.httpMethod = "PUT"
    request.httpBodyStream = InputStream(data: Data())
    #expect(!RetryingTransfer.allows(request))
  }

  @Test("does not hold its observer once the end is told")
  func release() {
    weak var released: Recorder?
    let transfer: RetryingTransfer
    do {
      let recorder = Recorder()
      released = recorder
      transfer = tries.start(observer: recorder)
      tries.last.end(.cancelled)
    }
    #expect(released == nil)
    transfer.cancel()
  }
}
