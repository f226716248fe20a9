import NukeHTTPCaching
import Testing

@testable import NukeServing

@Suite("The freshness lifetime of a rendition")
struct FreshnessRulesTests {
  private let now = Timestamp(seconds: 1_700_000_000)

  private func freshness(
    _ fields: [String: String], _ change: (inout FreshnessRules) -> Void = { _ in }
  ) -> RenditionFreshness {
    var rules = FreshnessRules()
    change(&rules)
    var all = HTTPFields()
    for (name, value) in fields { all.append(name, value) }
    return rules.freshness(of: all, requestedAt: now, now: now)
  }

  /// Seconds from now on.
  private func seconds(_ fields: [String: String], _ change: (inout FreshnessRules) -> Void = { _ in }) -> Int {
    freshness(fields, change).freshUntil.seconds - now.seconds
  }

  @Test("The source determines the lifetime by s-maxage, then max-age, then Expires")
  func explicit() {
    #expect(seconds(["Cache-Control": "max-age=60"]) == 60)
    #expect(seconds(["Cache-Control": "max-age=60, s-maxage=600"]) == 600)
    #expect(
      seconds(["Expires": "Tue, 14 Nov 2023 22:14:20 GMT", "Date": "Tue, 14 Nov 2023 22:13:20 GMT"]) == 60)
  }

  @Test("The age of the response is subtracted")
  func age() { #expect(seconds(["Cache-Control": "max-age=60", "Age": "20"]) == 40) }

  @Test("The server's setting applies if the source states no lifetime, has no fields, or exceeds the maximum")
  func fallback() {
    #expect(seconds([:]) == 3600)
    #expect(seconds(["Last-Modified": "Tue, 14 Nov 2000 22:14:20 GMT"]) == 3600)
    #expect(
      FreshnessRules().freshness(of: nil, requestedAt: now, now: now).freshUntil.seconds == now.seconds + 3600)
    #expect(seconds(["Cache-Control": "max-age=600"]) { $0.limit = 100 } == 100)
  }

  @Test("Numbers of seconds that a program sets are limited to 68 years", arguments: [(Int.max, 1 << 31), (.min, 0)])
  func extremes(seconds: Int, expected: Int) throws {
    var configuration = ServiceConfiguration()
    (configuration.defaultTimeToLive, configuration.maximumTimeToLive) = (seconds, seconds)
    for timeToLive in [nil, seconds] {
      configuration.timeToLive = timeToLive
      let freshness = configuration.freshnessRules.freshness(of: nil, requestedAt: now, now: now)
      #expect(freshness.freshUntil.seconds == now.seconds + expected)
    }
    let failures = SourceFailures(missingSeconds: seconds, failedSeconds: seconds)
    for error in [ServingError.sourceNotFound(""), .sourceFailed("")] {
      failures.note(error, of: "a", after: nil, isOfSource: true, now: now)
      #expect((failures.error(of: "a", after: nil, now: now) == nil) == (expected == 0))
    }
  }

  @Test("The server can override the source")
  func fixed() {
    #expect(seconds(["Cache-Control": "no-store"]) { $0.fixed = 30 } == 30)
    #expect(seconds(["Cache-Control": "max-age=600, must-revalidate"]) { $0.fixed = 30 } == 30)
  }

  @Test("The lifetime is zero for no-store and no-cache")
  func forbidden() {
    #expect(freshness(["Cache-Control": "no-store, max-age=60"]).cacheability == .none)
    #expect(seconds(["Cache-Control": "no-store, max-age=60"]) == 0)
    #expect(seconds(["Cache-Control": "no-cache, max-age=60"]) == 0)
    #expect(seconds(["Cache-Control": "no-cache"]) == 0)
    #expect(seconds(["Cache-Control": "max-age=0"]) == 0)
  }

  @Test("A private response has the lifetime for the client")
  func forTheClient() {
    let freshness = freshness(["Cache-Control": "private, max-age=60, s-maxage=600"])
    #expect(freshness.cacheability == .private)
    #expect(freshness.freshUntil.seconds == now.seconds + 60)
    for all in ["private=\"Set-Cookie\", max-age=60", "public, max-age=60", "max-age=60"] {
      #expect(self.freshness(["Cache-Control": all]).cacheability == .shared)
    }
    #expect(self.freshness(["Cache-Control": "private, no-store"]).cacheability == .none)
    #expect(self.freshness(["Cache-Control": "private"]) { $0.fixed = 30 }.cacheability == .shared)
  }

  @Test("Stale use is limited by what the source allows, and excluded if it forbids it")
  func windows() {
    let own = freshness(["Cache-Control": "max-age=60, stale-while-revalidate=5, stale-if-error=6"])
    #expect(own.staleWhileRevalidate == 5)
    #expect(own.staleIfError == 6)
    let fallback = freshness(["Cache-Control": "max-age=60"])
    #expect(fallback.staleWhileRevalidate == 60)
    #expect(fallback.staleIfError == 86_400)
    let strict = freshness(["Cache-Control": "max-age=60, must-revalidate, stale-if-error=6"])
    #expect(strict.staleWhileRevalidate == 0)
    #expect(strict.staleIfError == 0)
  }

  @Test("Directives for shared caches exclude stale use, unless s-maxage comes with a permission")
  func sharedWindows() {
    for control in ["max-age=60, proxy-revalidate, stale-while-revalidate=5", "s-maxage=60", "max-age=9, s-maxage=60"] {
      let strict = freshness(["Cache-Control": control])
      #expect(strict.staleWhileRevalidate == 0 && strict.staleIfError == 0, "\(control)")
    }
    let own = freshness(["Cache-Control": "s-maxage=60, stale-while-revalidate=5, stale-if-error=6"])
    #expect(own.staleWhileRevalidate == 5)
    #expect(own.staleIfError == 6)
  }

  @Test("The lifetime is a few seconds if a cache responds for an unreachable source")
  func outOfDate() {
    let old = freshness(["Cache-Control": "max-age=60", "Age": "100"])
    #expect(old.freshUntil == now)
    #expect(old.state(at: Timestamp(seconds: now.seconds + 4)) == .fresh)
    #expect(old.state(at: Timestamp(seconds: now.seconds + 5)) == .renewable)
  }

  @Test(
    "The validation interval ends the use without validation early, and clients are told the same",
    arguments: [
      ("", 10), ("max-age=600", 10), ("max-age=4", 4), ("no-cache", 0), ("no-store", 0), ("private, max-age=600", 0),
      ("s-maxage=3, max-age=600", 3), ("max-age=0", 0), ("max-age=600, stale-while-revalidate=60", 10),
    ])
  func validationInterval(control: String, until: Int) {
    let fields = control.isEmpty ? [:] : ["Cache-Control": control]
    let limited = freshness(fields) { ($0.fixed, $0.validationInterval) = (1000, 10) }
    #expect(limited.revalidateAt.seconds == now.seconds + until && limited.freshUntil.seconds == now.seconds + 1000)
    #expect(limited.state(at: limited.revalidateAt) == .stale)
    #expect(limited.cacheability == .shared && limited.allowsStaleIfError(at: limited.revalidateAt))
    // Without a fixed lifetime, that of the source is sent, and shorter ones still apply.
    let own = freshness(fields)
    let ownLimited = freshness(fields) { $0.validationInterval = 10 }
    #expect(ownLimited.freshUntil == own.freshUntil && ownLimited.cacheability == own.cacheability)
    #expect(ownLimited.revalidateAt == min(own.revalidateAt, Timestamp(seconds: now.seconds + 10)))
    #expect(freshness(fields) { $0.fixed = 1000 }.revalidateAt.seconds == now.seconds + 1000)
  }

  @Test("The states follow in order: fresh, sent while revalidating, then kept in case of an error")
  func states() {
    let freshness = RenditionFreshness(
      checkedAt: now, freshUntil: Timestamp(seconds: now.seconds + 10), staleWhileRevalidate: 5, staleIfError: 20)
    func state(_ seconds: Int) -> RenditionFreshness.State {
      freshness.state(at: Timestamp(seconds: now.seconds + seconds))
    }
    #expect(state(9) == .fresh)
    #expect(state(10) == .renewable)
    #expect(state(14) == .renewable)
    #expect(state(15) == .stale)
    #expect(freshness.allowsStaleIfError(at: Timestamp(seconds: now.seconds + 29)))
    #expect(!freshness.allowsStaleIfError(at: Timestamp(seconds: now.seconds + 30)))
  }

  @Test("The state is stale if the clock was set back")
  func clocks() {
    let freshness = RenditionFreshness(checkedAt: now, freshUntil: Timestamp(seconds: now.seconds + 10))
    #expect(freshness.state(at: Timestamp(seconds: now.seconds - 59)) == .fresh)
    #expect(freshness.state(at: Timestamp(seconds: now.seconds - 61)) == .stale)
  }
}
