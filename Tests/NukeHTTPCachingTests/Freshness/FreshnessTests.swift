import NukeHTTPCaching
import Testing

@Suite("RFC 9111 §4.2: freshness") struct FreshnessTests {
  var policy = CachePolicy()

  func freshness(_ fields: HTTPFields, status: Int = 200, delay: Int = 0, after seconds: Int = 0) -> Freshness {
    policy.freshness(of: stored(fields, status: status, delay: delay), now: noon + seconds)
  }

  @Test("§4.2.1: max-age has precedence over Expires, and s-maxage is ignored")
  func lifetime() {
    let both = freshness(["Cache-Control": "max-age=60, s-maxage=9", "Expires": httpDate(900), "Date": httpDate()])
    #expect(both.lifetime == 60 && both.source == .maxAge)
    let expired = freshness(["Cache-Control": "max-age=60", "Expires": "0", "Date": httpDate()])
    #expect(expired.isFresh)
    let zero = freshness(["Cache-Control": "max-age=0", "Expires": httpDate(900), "Date": httpDate()])
    #expect(!zero.isFresh)
    #expect(freshness(["Cache-Control": "s-maxage=60", "Date": httpDate()]).source == .none)
  }

  @Test("§4.2.1: An invalid lifetime is zero, whatever else is present")
  func invalidMaxAge() {
    let invalid = freshness(["Cache-Control": "max-age=1h", "Expires": httpDate(900), "Last-Modified": httpDate(-9000)])
    #expect(invalid.lifetime == 0 && invalid.source == .maxAge)
  }

  @Test("§5.3: Expires is relative to the response's own date")
  func expires() {
    #expect(freshness(["Expires": httpDate(60), "Date": httpDate()]).lifetime == 60)
    // A server whose clock is ten minutes slow, and one whose clock is fast.
    #expect(freshness(["Expires": httpDate(-540), "Date": httpDate(-600)]).lifetime == 60)
    #expect(freshness(["Expires": httpDate(660), "Date": httpDate(600)]).lifetime == 60)
    #expect(freshness(["Expires": httpDate(300), "Date": httpDate(400)]).lifetime == 0)
    #expect(freshness(["Expires": "Sun, 21 Nov 2286 04:46:39 GMT", "Date": httpDate()]).lifetime == 1 << 31)
  }

  @Test("§4.2.1: Without a date, Expires is relative to the time of reception", arguments: ["", "foo", "0"])
  func expiresWithoutDate(_ date: String) {
    #expect(freshness(["Expires": httpDate(60), "Date": date]).lifetime == 60)
    #expect(freshness(["Expires": httpDate(60)]).lifetime == 60)
  }

  @Test(
    "§5.3: An invalid Expires has passed", arguments: ["0", "-1", "", "never", "Thu, 18 Aug 2050 2:01:18 GMT"])
  func invalidExpires(_ text: String) {
    let invalid = freshness(["Expires": text, "Date": httpDate(), "Last-Modified": httpDate(-90_000)])
    #expect(invalid.lifetime == 0 && invalid.source == .expires)
  }

  @Test("§4.2.1: Several Expires fields are valid if they are equal")
  func severalExpires() {
    #expect(freshness(["Expires": httpDate(60), "expires": httpDate(60), "Date": httpDate()]).lifetime == 60)
    #expect(freshness(["Expires": httpDate(60), "expires": httpDate(61), "Date": httpDate()]).lifetime == 0)
  }

  @Test("§4.2.2: Without explicit freshness, the lifetime is a tenth of the time since Last-Modified, up to a limit")
  mutating func heuristic() {
    let day = freshness(["Last-Modified": httpDate(-86_400), "Date": httpDate()])
    #expect(day.lifetime == 8640 && day.source == .heuristic)
    #expect(freshness(["Last-Modified": httpDate(-86_400)]).lifetime == 8640)
    #expect(freshness(["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": httpDate()]).lifetime == 7 * 86_400)
    policy.heuristicLimit = 60
    #expect(freshness(["Last-Modified": httpDate(-86_400), "Date": httpDate()]).lifetime == 60)
    for modified in [httpDate(), httpDate(5), "yesterday"] {
      #expect(freshness(["Last-Modified": modified, "Date": httpDate()]).source == .none)
    }
    #expect(freshness(["Date": httpDate()]).lifetime == 0)
  }

  @Test("§4.2.2: Heuristic freshness needs a status that allows it, or a public response")
  func heuristicStatus() {
    let fields: HTTPFields = ["Last-Modified": httpDate(-86_400), "Date": httpDate()]
    for status in [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501] {
      #expect(freshness(fields, status: status).isFresh, "\(status)")
    }
    for status in [201, 202, 302, 303, 307, 400, 403, 500, 502, 503, 504, 599] {
      #expect(!freshness(fields, status: status).isFresh, "\(status)")
    }
    var shared = fields
    shared.append("Cache-Control", "public")
    #expect(freshness(shared, status: 599).isFresh)
  }

  @Test("§4.2.3: The age is the maximum of the age by Date, and of Age plus the response delay")
  func age() {
    #expect(freshness(["Date": httpDate()], after: 5).age == 5)
    #expect(freshness(["Date": httpDate(-30)], after: 5).age == 35)
    #expect(freshness(["Date": httpDate(-30), "Age": "10"], delay: 2, after: 5).age == 35)
    #expect(freshness(["Date": httpDate(-30), "Age": "40"], delay: 2, after: 5).age == 47)
    #expect(freshness(["Age": "40"], delay: 2, after: 5).age == 47)
    #expect(freshness([:], delay: 2, after: 5).age == 7)
    // A server whose clock is fast.
    #expect(freshness(["Date": httpDate(600)], after: 5).age == 5)
  }

  @Test("§4.2.3: Age and Expires are combined if the server's clock is wrong")
  func skewedAge() {
    #expect(!freshness(["Date": httpDate(-10), "Expires": httpDate(10), "Age": "25"]).isFresh)
    #expect(!freshness(["Date": httpDate(10), "Expires": httpDate(20), "Age": "15"]).isFresh)
    #expect(freshness(["Date": httpDate(-10), "Expires": httpDate(20), "Age": "25"]).isFresh)
  }

  @Test("§4.2.3: Fractions of a second do not count as age if the date has whole seconds")
  func fractions() {
    let came = Timestamp(milliseconds: noon.milliseconds + 999)
    let response = stored(["Cache-Control": "max-age=1", "Date": httpDate()], at: came)
    #expect(policy.freshness(of: response, now: Timestamp(milliseconds: came.milliseconds + 999)).isFresh)
    #expect(!policy.freshness(of: response, now: Timestamp(milliseconds: came.milliseconds + 1000)).isFresh)
  }

  @Test(
    "§5.1: Of several ages the first counts, and an invalid one is ignored",
    arguments: [
      ("7200, 0", 7200), ("0, 7200", 0), ("abc", 0), ("-7200", 0), ("7200.0", 0), ("7200;a=b", 0), ("", 0),
      ("2147483647", 2_147_483_647), ("2147483649", 2_147_483_648), ("99999999999999999999999999", 2_147_483_648),
    ])
  func ages(_ text: String, _ seconds: Int) {
    #expect(freshness(["Age": text, "Date": httpDate()]).age == seconds)
  }

  @Test("§5.1: Of several lines the first counts")
  func ageLines() {
    #expect(freshness(["Age": "7200", "age": "0"]).age == 7200)
    #expect(freshness(["Age": "0", "age": "7200"]).age == 0)
  }

  @Test("A response is fresh until its age reaches the lifetime")
  func end() {
    let fields: HTTPFields = ["Cache-Control": "max-age=60", "Date": httpDate()]
    #expect(freshness(fields, after: 59).isFresh && freshness(fields, after: 59).remaining == 1)
    #expect(!freshness(fields, after: 60).isFresh)
    #expect(freshness(fields, after: 75).remaining == -15)
  }

  @Test("A clock that was set back far does not make stale responses fresh")
  func clockPutBack() {
    let fields: HTTPFields = ["Cache-Control": "max-age=60", "Date": httpDate()]
    #expect(freshness(fields, after: -60).isFresh)
    #expect(!freshness(fields, after: -61).isFresh)
    #expect(!freshness(fields, after: -86_400).isFresh)
  }

  @Test("Negative caching gives 404 and 410 a lifetime if they have none")
  mutating func negative() {
    policy.negative = .seconds(30)
    for status in [404, 410] {
      let freshness = freshness(["Date": httpDate()], status: status, after: 29)
      #expect(freshness.isFresh && freshness.source == .negative)
      #expect(!self.freshness(["Date": httpDate()], status: status, after: 30).isFresh)
      #expect(!self.freshness(["Date": httpDate(), "Cache-Control": "max-age=1"], status: status, after: 2).isFresh)
      #expect(self.freshness(["Date": httpDate(), "Expires": "0"], status: status).lifetime == 0)
    }
    for status in [200, 403, 500, 503] {
      #expect(freshness(["Date": httpDate()], status: status).lifetime == 0)
    }
    policy.negative = .seconds(-5)
    #expect(freshness(["Date": httpDate()], status: 404).lifetime == 0)
    policy.negative = .off
    #expect(freshness(["Date": httpDate()], status: 404).source == .none)
  }
}
