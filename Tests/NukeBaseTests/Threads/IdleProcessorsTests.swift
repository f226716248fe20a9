import NukeBase
import Testing

@Suite("Sharing idle processors")
struct IdleProcessorsTests {
  @Test("One user gets all, those that come meanwhile get one each, and what is given back is shared again")
  func shares() {
    let processors = IdleProcessors(count: 4)
    for _ in 0..<2 {
      processors.use(atMost: 3) { first in
        #expect(first == 3)
        processors.use(atMost: 8) { second in
          #expect(second == 1)
          processors.use(atMost: 8) { third in #expect(third == 1) }
        }
      }
    }
    processors.use(atMost: 8) { count in #expect(count == 4) }
    processors.use(atMost: 0) { count in #expect(count == 1) }
    processors.limit(to: 1)
    processors.use(atMost: 8) { count in #expect(count == 1) }
  }

  @Test("An error gives the processors back")
  func errors() {
    struct Failure: Error {}
    let processors = IdleProcessors(count: 2)
    #expect(throws: Failure.self) { try processors.use(atMost: 2) { _ in throw Failure() } }
    processors.use(atMost: 2) { count in #expect(count == 2) }
  }
}
