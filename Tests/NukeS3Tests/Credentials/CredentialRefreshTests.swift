import Foundation
import NukeTesting
import Testing

@testable import NukeS3

@Suite("The refresh of S3 credentials", .timeLimit(.minutes(1)))
struct CredentialRefreshTests {
  private typealias State = S3CredentialProvider.State
  private typealias ClockReading = S3CredentialProvider.ClockReading

  private let start = FakeCredentialService.start
  private let failure = S3CredentialProvider.Error.refused(.container, status: 500, code: nil)

  private func time(_ seconds: TimeInterval) -> ClockReading { ClockReading(date: start + seconds, uptime: seconds) }

  private func credentials(_ name: String) -> S3Credentials { S3Credentials(accessKey: name, secretKey: "secret") }

  /// Ends a fetch with credentials that expire.
  private func succeed(
    _ state: inout State, _ name: String, until expiration: TimeInterval, at seconds: TimeInterval
  ) -> Int {
    let new = ExpiringCredentials(credentials: credentials(name), expiration: start + expiration)
    return state.finish(.success(new), at: time(seconds)).waiters.count
  }

  /// Ends a fetch with a failure. Returns what the waiters receive.
  private func fail(_ state: inout State, at seconds: TimeInterval) -> String {
    text(state.finish(.failure(failure), at: time(seconds)).outcome)
  }

  /// Returns what a request receives, with an exclamation mark if it starts a fetch.
  private func ask(_ state: inout State, at seconds: TimeInterval) -> String { ask(&state, at: time(seconds)) }

  private func ask(_ state: inout State, at time: ClockReading) -> String {
    let (outcome, startsFetch) = state.ask(at: time) { _ in }
    return (outcome.map(text) ?? "waits") + (startsFetch ? "!" : "")
  }

  private func text(_ outcome: State.Outcome) -> String {
    switch outcome {
    case .success(let credentials): credentials.accessKey
    case .failure: "fails"
    }
  }

  /// A state with credentials named `old`, which were fetched at 0 and expire at 3600.
  private func makeState() -> State {
    var state = State()
    #expect(ask(&state, at: 0) == "waits!")
    #expect(succeed(&state, "old", until: 3600, at: 0) == 1)
    return state
  }

  @Test("Concurrent requests share a fetch")
  func sharing() {
    var state = State()
    #expect(ask(&state, at: 0) == "waits!")
    #expect(ask(&state, at: 1) == "waits")
    #expect(ask(&state, at: 2) == "waits")
    #expect(succeed(&state, "new", until: 3600, at: 3) == 3)
    #expect(ask(&state, at: 4) == "new")
  }

  @Test("Five minutes before credentials expire they are refreshed, and remain in use meanwhile")
  func early() {
    var state = makeState()
    #expect(ask(&state, at: 3299) == "old")
    #expect(ask(&state, at: 3300) == "old!")
    #expect(ask(&state, at: 3301) == "old")
    #expect(succeed(&state, "new", until: 7200, at: 3302) == 0)
    #expect(ask(&state, at: 3303) == "new")
    #expect(ask(&state, at: 6899) == "new")
    #expect(ask(&state, at: 6900) == "new!")
  }

  @Test("Requests wait for a refresh that is still running when the credentials expire")
  func expiry() {
    var state = makeState()
    #expect(ask(&state, at: 3300) == "old!")
    #expect(ask(&state, at: 3599) == "old")
    #expect(ask(&state, at: 3600) == "waits")
    #expect(fail(&state, at: 3601) == "fails")
    #expect(ask(&state, at: 3601) == "fails")
  }

  @Test("Unused credentials are fetched again after they have expired")
  func idle() {
    var state = makeState()
    #expect(ask(&state, at: 100_000) == "waits!")
  }

  @Test("A failed refresh keeps valid credentials, and delays the next attempt for longer and longer")
  func backingOff() {
    var state = makeState()
    #expect(ask(&state, at: 3300) == "old!")
    #expect(fail(&state, at: 3300) == "old")
    #expect(ask(&state, at: 3300.9) == "old")
    #expect(ask(&state, at: 3301) == "old!")
    #expect(fail(&state, at: 3301) == "old")
    #expect(ask(&state, at: 3302.9) == "old")
    #expect(ask(&state, at: 3303) == "old!")
    #expect(fail(&state, at: 3303) == "old")
    #expect(ask(&state, at: 3306.9) == "old")
    #expect(ask(&state, at: 3307) == "old!")
    #expect(succeed(&state, "new", until: 7200, at: 3307) == 0)
    #expect(ask(&state, at: 3308) == "new")
  }

  @Test("Without valid credentials, requests fail until the next attempt, which takes place within a minute")
  func failing() {
    var state = State()
    var time: TimeInterval = 0
    for _ in 0..<10 {
      #expect(ask(&state, at: time) == "waits!")
      #expect(fail(&state, at: time) == "fails")
      #expect(ask(&state, at: time + 0.9) == "fails")
      time += 60
    }
  }

  @Test("The delay does not depend on the date, which may be set back")
  func date() {
    var state = State()
    #expect(ask(&state, at: 0) == "waits!")
    #expect(fail(&state, at: 0) == "fails")
    #expect(ask(&state, at: ClockReading(date: start - 3600, uptime: 1)) == "waits!")
  }

  @Test("Credentials that expire soon are refreshed once a minute at most")
  func shortLived() {
    var state = State()
    #expect(ask(&state, at: 0) == "waits!")
    #expect(succeed(&state, "short", until: 200, at: 0) == 1)
    #expect(ask(&state, at: 59) == "short")
    #expect(ask(&state, at: 60) == "short!")
  }

  @Test("After the store has rejected credentials, requests wait for others")
  func rejection() {
    var state = makeState()
    state.reject(credentials("old"), at: time(100))
    #expect(ask(&state, at: 101) == "waits!")
    #expect(ask(&state, at: 102) == "waits")
    #expect(succeed(&state, "new", until: 7200, at: 103) == 2)
    // A late response to a request with the old ones.
    state.reject(credentials("old"), at: time(200))
    #expect(ask(&state, at: 201) == "new")
  }

  @Test("New credentials are not fetched again, even if the store rejects them")
  func repeatedRejection() {
    var state = makeState()
    state.reject(credentials("old"), at: time(59))
    #expect(ask(&state, at: 59) == "old")
  }

  @Test("Rejected credentials remain in use if there are no others")
  func rejectionWithoutOthers() {
    var state = makeState()
    state.reject(credentials("old"), at: time(100))
    #expect(ask(&state, at: 100) == "waits!")
    #expect(fail(&state, at: 100) == "old")
    #expect(ask(&state, at: 100.5) == "old")
  }

  // MARK: The provider

  @Test("Concurrent requests of a provider send one request to the source")
  func sharedRequest() async throws {
    let gate = Gate()
    let service = FakeCredentialService { _ in
      gate.waitBlocking()
      return (200, FakeCredentialService.json("token"))
    }
    let provider = try service.makeProvider()
    let log = CallLog()
    for _ in 0..<3 { provider.withCredentials { log.append((try? $0.get())?.sessionToken ?? "none") } }
    await gate.arrivals(count: 1)
    #expect(log.entries.isEmpty)
    gate.open()
    #expect(await log.entries(count: 3) == ["token", "token", "token"])
    #expect(service.requests.count == 1)
  }

  @Test("Requests of a provider receive the old credentials during a refresh, and then the new ones")
  func refresh() async throws {
    let gate = Gate()
    let count = Lock(0)
    let service = FakeCredentialService { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number > 1 { gate.waitBlocking() }
      return (200, FakeCredentialService.json("\(number)", expiration: 3600 * Double(number)))
    }
    let provider = try service.makeProvider()
    #expect(try await provider.credentials().sessionToken == "1")
    service.advance(seconds: 3400)
    #expect(try await provider.credentials().sessionToken == "1")
    await gate.arrivals(count: 1)
    #expect(try await provider.credentials().sessionToken == "1")
    gate.open()
    // The old ones expire, so this waits for the refresh.
    service.advance(seconds: 300)
    #expect(try await provider.credentials().sessionToken == "2")
    #expect(service.requests.count == 2)
  }
}
