import NukeHTTPCaching
import Testing

@Suite("Timestamps") struct TimestampTests {
  @Test("They count milliseconds, and whole seconds are rounded down")
  func seconds() {
    #expect(Timestamp(milliseconds: 1999).seconds == 1)
    #expect(Timestamp(milliseconds: -1).seconds == -1)
    #expect(Timestamp(milliseconds: -1000).seconds == -1)
    #expect(Timestamp(milliseconds: -1001).seconds == -2)
    #expect(Timestamp(secondsSince1970: 1.9995).milliseconds == 1999)
    #expect(Timestamp(secondsSince1970: -0.0005).milliseconds == -1)
  }

  @Test("They are limited, so that calculations do not overflow")
  func bounds() {
    let last = Timestamp(milliseconds: .max)
    let first = Timestamp(milliseconds: .min)
    #expect(first < last)
    #expect(Timestamp(secondsSince1970: .infinity) == last)
    #expect(Timestamp(secondsSince1970: -.infinity) == first)
    #expect(Timestamp(secondsSince1970: .nan) == Timestamp(milliseconds: 0))
    #expect(Timestamp(seconds: .max) <= last && Timestamp(seconds: .min) >= first)
    for (now, then) in [(first, last), (last, first), (last, noon), (noon, first)] {
      let response = stored(["Cache-Control": "max-age=5", "Age": "99999999999"], at: then)
      #expect(!CachePolicy().freshness(of: response, now: now).isFresh)
    }
  }
}
