#if GTK
  import Testing

  @testable import NukeGallery

  @Suite struct FrameProfileTests {
    @Test("The time of a frame is divided between the program and GTK, before and during painting")
    func shares() {
      var profile = FrameProfile(at: .init(all: 10, ours: 1))
      // 5 pass before painting, of which 3 are ours; painting takes 20, of which 4 are.
      profile.beginPainting(at: .init(all: 15, ours: 4))
      #expect(profile.end(at: .init(all: 35, ours: 8)) == .init(ours: 7, painting: 16, all: 25))
      profile.beginPainting(at: .init(all: 35, ours: 8))
      #expect(profile.end(at: .init(all: 36, ours: 8)) == .init(ours: 0, painting: 1, all: 1))
    }

    @Test("A frame that is not painted has no painting time")
    func unpainted() {
      var profile = FrameProfile(at: .init(all: 1, ours: 0))
      #expect(profile.end(at: .init(all: 3, ours: 1)) == .init(ours: 1, painting: 0, all: 2))
    }

    @Test("Durations are formatted by part")
    func summary() {
      var summary = FrameProfile.Summary()
      for milliseconds in 1...100 {
        let time = Double(milliseconds) / 1000
        summary.add(.init(ours: time, painting: 2 * time, all: 4 * time))
      }
      #expect(summary.count == 100)
      #expect(
        summary.lines == [
          "the program: median 50.0 ms, p99 99.0 ms, longest 100.0 ms",
          "GTK's layout and drawing: median 100.0 ms, p99 198.0 ms, longest 200.0 ms",
          "all: median 200.0 ms, p99 396.0 ms, longest 400.0 ms",
        ])
      #expect(FrameTimes().text(in: .microseconds) == "median none, p99 none, longest none")
    }
  }
#endif
