import Foundation
import FoundationNetworking
import Nuke
import Testing

@Suite("Retrying transfers")
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
    fail()
  }

  /// Ends the last try, and the wait that follows.
  private func fail(_ error: DataLoader.TransferError? = nil) {
    tries.last.end(error ?? lost)
    tries.endWaits()
  }

  @Test("A successful first attempt is delivered as it arrives")
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

  @Test("The head of an empty body is delivered at its end")
  func empty() {
    _ = tries.start(observer: recorder)
    tries.last.head(204)
    tries.last.end()
    #expect(state.head?.status == 204)
    #expect(state.ends.count == 1 && state.error == nil)
  }

  @Test("Retries have increasing delays while no data was delivered")
  func startingOver() {
    _ = tries.start(observer: recorder)
    tries.last.end(.cannotConnect(host: "a.test", reason: "refused"))
    #expect(tries.count == 1)
    tries.endWaits()
    tries.last.head(200, length: 6)
    fail()
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

  @Test("After the maximum number of retries, the last error and the refused response are reported")
  func givingUp() {
    _ = tries.start(policy: RetryPolicy(maxRetryCount: 1), observer: recorder)
    fail()
    tries.last.head(503, "Retry-After: 3")
    tries.last.end(status: 503)
    #expect(state.unacceptableStatus == 503)
    #expect(state.refused.map { $0.value(forField: "Retry-After") } == ["3"])
    tries.endWaits()
    #expect(tries.count == 2 && state.ends.count == 1)
  }

  @Test("A permanent error is not retried")
  func lasting() {
    _ = tries.start(observer: recorder)
    tries.last.head(404)
    tries.last.end(status: 404)
    #expect(state.unacceptableStatus == 404)
    #expect(tries.waits.isEmpty)
  }

  @Test("The delay is Retry-After plus a random delay, and the transfer fails if that is too long")
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

  @Test("A busy server is retried even if a cache would accept the response, and the last response is delivered")
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

  @Test("A transfer that is canceled while an error response is read ends", arguments: [false, true])
  func cancelledRefusal(isRead: Bool) {
    let transfer = tries.start(observer: recorder)
    tries.last.head(503, length: 4, isAccepted: true)
    transfer.cancel()
    // It may have come to its end just before.
    if isRead { tries.last.body("busy") }
    tries.last.end(isRead ? nil : .cancelled)
    #expect(state.error == .cancelled && tries.waits.isEmpty && state.heads.isEmpty)
  }

  @Test("The rest is requested with a strong validator, and one body is delivered")
  func resuming() {
    _ = tries.start(observer: recorder)
    breakOff()
    let request = tries.last.request
    #expect(request.value(forHTTPHeaderField: "Range") == "bytes=3-")
    #expect(request.value(forHTTPHeaderField: "If-Range") == "\"v1\"")
    tries.last.head(206, tag, "Content-Range: bytes 3-5/6", length: 3)
    tries.last.body("d")
    fail()
    #expect(tries.last.request.value(forHTTPHeaderField: "Range") == "bytes=4-")
    // Not answered at all, and then again.
    fail()
    #expect(tries.last.request.value(forHTTPHeaderField: "Range") == "bytes=4-")
    tries.last.head(206, tag, "Content-Range: bytes 4-5/6", length: 2)
    tries.last.body("ef")
    tries.last.end()
    #expect(state.heads.map(\.status) == [200])
    #expect(state.body == Data("abcdef".utf8))
    #expect(state.ends.count == 1 && state.error == nil)
    #expect(tries.waits == [1, 2, 4])
  }

  @Test("If the server sends the whole body again, the delivered part is skipped")
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

  @Test("If the body has changed, the original error is reported and the new attempt stops")
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

  @Test("If the range is refused or does not match, the original error is reported", arguments: [416, 206])
  func refusedRange(status: Int) {
    _ = tries.start(observer: recorder)
    breakOff()
    tries.last.head(status, tag, "Content-Range: bytes 4-5/6")
    tries.last.end(status: 416)
    #expect(state.error == lost)
    #expect(state.ends.count == 1 && tries.count == 2)
  }

  @Test("Without a strong validator, an interrupted transfer fails", arguments: ["ETag: W/\"v1\"", "X-None: x"])
  func noValidator(field: String) {
    _ = tries.start(observer: recorder)
    breakOff(field)
    #expect(state.error == lost)
    #expect(tries.count == 1)
  }

  @Test("A rest that ends early is not a complete body")
  func shortRest() {
    _ = tries.start(policy: RetryPolicy(maxRetryCount: 1), observer: recorder)
    breakOff()
    tries.last.head(206, tag, "Content-Range: bytes 3-5/6")
    tries.last.body("d")
    tries.last.end()
    #expect(state.error == .connectionLost(host: "a.test", reason: "the rest of the body is missing"))
    #expect(state.body == Data("abcd".utf8))
  }

  @Test("The limit applies to all attempts")
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

  @Test("An attempt that exceeds the limit while starting is stopped")
  func unwantedWhileBeginning() {
    _ = tries.start(observer: recorder)
    tries.whileBeginning { $0.head(200, "ETag: \"v2\"", length: 6) }
    breakOff()
    #expect(state.error == lost)
    #expect(tries.last.log == ["cancel"])
  }

  @Test("A transfer that is canceled during a delay ends at once")
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

  @Test("A canceled transfer ends with its running attempt, as canceled even if that fails by itself")
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

  @Test("The policy's closures may use the transfer")
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

  @Test("A body that ends just before the cancellation is complete")
  func cancelledTooLate() {
    let transfer = tries.start(observer: recorder)
    tries.last.head(200, tag, length: 3)
    tries.last.body("abc")
    transfer.cancel()
    tries.last.end()
    #expect(state.ends.count == 1 && state.error == nil)
    #expect(state.body == Data("abc".utf8))
  }

  @Test("A paused transfer stays paused from one attempt to the next")
  func pausing() {
    let transfer = tries.start(observer: recorder)
    #expect(!tries.last.wasPaused)
    transfer.pause()
    fail()
    #expect(tries.last.wasPaused)
    transfer.resume()
    #expect(tries.last.log == ["resume"])
  }

  @Test("Resuming and pausing while an attempt starts take effect")
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

  @Test("Each attempt gets the priority, even if it changes while the attempt starts")
  func priority() {
    let transfer = tries.start(observer: recorder)
    transfer.setPriority(.high)
    #expect(tries.last.log == ["high"])
    fail()
    #expect(tries.last.log == ["high"])
    tries.last.end(lost)
    tries.whileBeginning { _ in transfer.setPriority(.veryLow) }
    tries.endWaits()
    #expect(tries.last.log == ["veryLow"])
  }

  @Test("A retry does not exceed the total time limit")
  func deadline() {
    _ = tries.start(seconds: 2.5, observer: recorder)
    fail()
    tries.last.end(lost)
    // The next wait would be 2 s.
    #expect(tries.waits == [1])
    #expect(state.error == lost)
    let other = Recorder()
    _ = tries.start(observer: other)
    tries.last.end(.timedOut(.resource, host: "a.test", seconds: 1))
    #expect(tries.waits == [1])
  }

  @Test("Waiting for a connection lasts at most until the total time limit")
  func connectivity() {
    _ = tries.start(policy: nil, waits: true, seconds: 60, observer: recorder)
    let away: [DataLoader.TransferError] = [
      .cannotResolveHost("a.test"), .cannotConnect(host: "a.test", reason: "Network is unreachable"),
      .timedOut(.connect, host: "a.test", seconds: 15),
    ]
    for number in 0..<7 {
      fail(away[number % 3])
    }
    #expect(tries.waits == [0.5, 1, 2, 4, 8, 15, 15])
    fail(away[0])
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

  @Test("Waiting for a connection does not count as a retry, and without a policy nothing else is retried")
  func connectivityAndPolicy() {
    _ = tries.start(policy: RetryPolicy(maxRetryCount: 1), waits: true, observer: recorder)
    for _ in 0..<20 {
      fail(.cannotResolveHost("a.test"))
    }
    fail()
    tries.last.end(lost)
    #expect(state.error == lost)
    #expect(tries.count == 22)

    let other = Recorder()
    _ = tries.start(policy: nil, waits: true, observer: other)
    tries.last.end(lost)
    #expect(other.state.error == lost)
  }

  @Test("Only idempotent requests are retried")
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

  @Test("The observer is released after the end was reported")
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
