import Testing

@testable import NukeServing

@Suite("RFC 9111 §5.2.2: the Cache-Control of responses") struct CachingFieldsTests {
  private func text(
    freshUntil: Int? = nil, cacheability: Rendition.Cacheability = .shared, isDegraded: Bool = false,
    isSigned: Bool = true,
    options: (inout ImageOptions) -> Void = { _ in }, settings: (inout AnswerSettings) -> Void = { _ in }
  ) -> String {
    var optionValues = ImageOptions()
    options(&optionValues)
    var settingValues = AnswerSettings()
    settings(&settingValues)
    var rendition = Sample.rendition(freshUntil: freshUntil, isDegraded: isDegraded)
    rendition.cacheability = cacheability
    return CachingFields.cacheControl(
      rendition, optionValues, isSigned: isSigned,
      settingValues, now: Sample.now)
  }

  @Test("A response is fresh for as long as its source")
  func passedOn() {
    #expect(text(freshUntil: Sample.now + 120) == "public, max-age=120")
    #expect(text(freshUntil: Sample.now - 120) == "public, max-age=0")
    #expect(text(freshUntil: Sample.now + 120, settings: { $0.passesFreshness = false }) == "public, max-age=3600")
    #expect(text() == "public, max-age=3600")
  }

  @Test("A response may be stored only by the caches that the source allows")
  func audience() {
    #expect(text(freshUntil: Sample.now + 120, cacheability: .private) == "private, max-age=120")
    #expect(text(freshUntil: Sample.now + 120, cacheability: .none) == "no-store")
    #expect(
      text(
        cacheability: .private, options: { $0.cacheBuster = "7" }, settings: { $0.trustsCacheBusters = true })
        == "private, max-age=31536000, immutable")
  }

  @Test("No number overflows", arguments: [Int.max, .min, 0, Sample.now + 100_000_000])
  func extremes(_ moment: Int) {
    let expected = moment > Sample.now ? "public, max-age=31536000" : "public, max-age=0"
    #expect(text(freshUntil: moment) == expected)
    #expect(text(freshUntil: .max, options: { $0.expires = moment }) == expected)
  }

  @Test("No response is fresh after its URL expires")
  func expiring() {
    #expect(
      text(options: { $0.expires = Sample.now + 60 }, settings: { $0.staleWhileRevalidate = 30 })
        == "public, max-age=60")
  }

  @Test("stale-while-revalidate is sent if it is configured")
  func stale() {
    #expect(
      text(settings: { $0.staleWhileRevalidate = 30 }) == "public, max-age=3600, stale-while-revalidate=30")
  }

  @Test("A signed URL with a cache buster is immutable, and an unsigned one is not")
  func immutable() {
    let trusting: (inout AnswerSettings) -> Void = { $0.trustsCacheBusters = true }
    let busted: (inout ImageOptions) -> Void = { $0.cacheBuster = "7" }
    #expect(text(options: busted, settings: trusting) == "public, max-age=31536000, immutable")
    #expect(text(isSigned: false, options: busted, settings: trusting) == "public, max-age=3600")
    #expect(text(options: busted) == "public, max-age=3600")
    #expect(text(settings: trusting) == "public, max-age=3600")
  }

  @Test("A degraded rendition has no-store and no entity tag")
  func degraded() {
    #expect(text(isDegraded: true) == "no-store")
    let head = RequestHead.get((.ifNoneMatch, Sample.tag), (.range, "bytes=0-1"))
    let response = Sample.response(head, Sample.rendition(isDegraded: true))
    #expect(response.status == 200)
    #expect(response.body == .whole)
    #expect(response[.entityTag] == nil)
    #expect(response[.lastModified] == nil)
    #expect(response[.cacheControl] == "no-store")
  }

  @Test("Errors of the request are cached briefly, and those of the server are not")
  func errors() {
    let settings = AnswerSettings()
    for error in [ServingError.malformedURL(""), .wrongSignature, .sourceNotFound(""), .notAnImage("")] {
      #expect(CachingFields.cacheControl(error, settings) == "public, max-age=10")
    }
    for error in [
      ServingError.overloaded(retryAfter: 1), .failed(""), .sourceTimedOut(""), .shuttingDown(retryAfter: 1),
    ] {
      #expect(CachingFields.cacheControl(error, settings) == "no-store")
    }
    var none = settings
    none.errorFreshness = 0
    #expect(CachingFields.cacheControl(.wrongSignature, none) == "no-store")
  }
}
