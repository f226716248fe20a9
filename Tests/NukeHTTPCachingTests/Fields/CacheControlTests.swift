import NukeHTTPCaching
import Testing

@Suite("Cache-Control of responses") struct ResponseCacheControlTests {
  func control(_ lines: String...) -> ResponseCacheControl {
    var fields = HTTPFields()
    for line in lines { fields.append("Cache-Control", line) }
    return ResponseCacheControl(fields)
  }

  @Test("RFC 9111 §5.2: Directives are found in any case, among unknown ones, and on several lines")
  func directives() {
    let all = control(
      "PUBLIC, foo, Max-Age=60,, bar=\"a, no-store\" ,", "must-Revalidate , immutable",
      "stale-while-revalidate=30,stale-if-error=\"90\", must-understand, s-maxage=5")
    #expect(all.isPublic && all.mustRevalidate && all.immutable && all.mustUnderstand && all.hasSharedMaxAge)
    #expect(all.maxAge == .seconds(60))
    #expect(all.sharedMaxAge == 5)
    #expect(control("s-maxage=9", "s-maxage=7, s-maxage=x").sharedMaxAge == 7)
    #expect(all.staleWhileRevalidate == 30)
    #expect(all.staleIfError == 90)
    #expect(!all.noStore && !all.noCache)
    #expect(control("") == ResponseCacheControl())
    #expect(control("no-transform, proxy-revalidat") == ResponseCacheControl())
    #expect(control("Proxy-Revalidate").proxyRevalidate && !all.proxyRevalidate)
    #expect(control("Private").isPrivate && !control("private=\"Set-Cookie\"").isPrivate)
  }

  @Test(
    "RFC 9111 §1.2.2: Seconds are digits, as a token or quoted, and at most 2^31",
    arguments: [
      ("0", 0), ("003600", 3600), ("\"3600\"", 3600), ("\"36\\00\"", 3600), ("2147483647", 2_147_483_647),
      ("2147483648", 2_147_483_648), ("99999999999999999999999", 2_147_483_648),
    ])
  func seconds(_ argument: String, _ seconds: Int) {
    #expect(control("max-age=\(argument)").maxAge == .seconds(seconds))
  }

  @Test(
    "RFC 9111 §4.2.1: An invalid lifetime makes the response stale",
    arguments: [
      "max-age", "max-age=", "max-age=-1", "max-age=1.0", "max-age=1a", "max-age=a1", "max-age='1'", "max-age =1",
      "max-age= 1", "max-age=\"1", "max-age=\"1\"2", "max-age=\"\\", "max-age=1;public", "max-age=+1", "max-age=\"\"",
    ])
  func invalidSeconds(_ directive: String) {
    #expect(control(directive).maxAge == .invalid)
  }

  @Test("RFC 9111 §4.2.1: Contradictory lifetimes are invalid, and equal ones are valid")
  func duplicates() {
    #expect(control("max-age=60, max-age=60").maxAge == .seconds(60))
    #expect(control("max-age=60", "max-age=\"060\"").maxAge == .seconds(60))
    #expect(control("max-age=60, max-age=61").maxAge == .invalid)
    #expect(control("max-age=60, max-age=x", "max-age=60").maxAge == .invalid)
    #expect(control("stale-if-error=60, stale-if-error=5").staleIfError == 5)
    #expect(control("stale-while-revalidate=60, stale-while-revalidate=x").staleWhileRevalidate == 0)
  }

  @Test("RFC 9110 §5.6.4: Text in a quoted string is not a directive")
  func quoted() {
    #expect(control("a=\"max-age=1, no-store\", max-age=2").maxAge == .seconds(2))
    #expect(!control("a=\"\\\", no-store\"").noStore)
    #expect(control("a=\"\\\"\", no-store").noStore)
    // A string that does not end takes the rest with it.
    #expect(!control("a=\", no-store").noStore)
  }

  @Test("Directives that restrict apply in any form, those that permit only if they are valid")
  func malformed() {
    #expect(control("no-store=1").noStore)
    #expect(control("no-store =\"").noStore)
    #expect(control("must-revalidate=x").mustRevalidate)
    #expect(!control("public=1").isPublic)
    #expect(!control("immutable=1").immutable)
    #expect(!control("must-understand=\"").mustUnderstand)
    #expect(!control("no-stores, xno-store").noStore)
  }

  @Test("RFC 9111 §5.2.2.4: no-cache with valid field names applies to these fields, and otherwise to the response")
  func noCacheFields() {
    #expect(control("no-cache").noCache)
    let named = control("no-cache=\"Set-Cookie, A\"", "no-cache=b")
    #expect(!named.noCache)
    #expect(named.noCacheFields == ["set-cookie", "a", "b"])
    for text in ["no-cache=", "no-cache=\"\"", "no-cache=\"a b\"", "no-cache=\"a", "no-cache=\"(\""] {
      #expect(control(text).noCache, "\(text)")
    }
  }
}

@Suite("Cache-Control of requests") struct RequestCacheControlTests {
  func control(_ fields: HTTPFields) -> RequestCacheControl { RequestCacheControl(fields) }

  @Test("RFC 9111 §5.2.1: Directives are found in any case")
  func directives() {
    let all = control([
      "cache-control": "No-Cache, no-store, ONLY-IF-CACHED, max-age=1, min-fresh=\"2\", max-stale=3, stale-if-error=4"
    ])
    #expect(all.noCache && all.noStore && all.onlyIfCached)
    #expect([all.maxAge, all.minFresh, all.maxStale, all.staleIfError] == [1, 2, 3, 4])
    #expect(control(["Cache-Control": "max-stale"]).maxStale == .max)
    #expect(control([:]) == RequestCacheControl())
  }

  @Test("Of several or invalid values, the strictest interpretation applies")
  func strict() {
    let control = control([
      "Cache-Control": "max-age=9, max-age=5, min-fresh=1, min-fresh=7, max-stale, max-stale=4, stale-if-error=x"
    ])
    #expect([control.maxAge, control.minFresh, control.maxStale, control.staleIfError] == [5, 7, 4, 0])
    let unread = self.control(["Cache-Control": "max-age=x, min-fresh=-1, max-stale=\"1"])
    #expect([unread.maxAge, unread.maxStale] == [0, 0])
    #expect((unread.minFresh ?? 0) > 1 << 31)
  }

  @Test("RFC 9111 §5.4: Pragma: no-cache applies if there is no Cache-Control")
  func pragma() {
    #expect(control(["Pragma": "foo, No-Cache"]).noCache)
    #expect(!control(["Pragma": "no-caches"]).noCache)
    #expect(!control(["Pragma": "no-cache", "Cache-Control": "max-age=5"]).noCache)
  }
}
