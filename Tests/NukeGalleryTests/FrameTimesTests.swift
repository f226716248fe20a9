#if GTK
  import Testing

  @testable import NukeGallery

  @Suite struct FrameTimesTests {
    @Test("Percentiles are existing durations, by the nearest rank")
    func percentiles() {
      var times = FrameTimes()
      for time in (1...200).shuffled() { times.add(Double(time)) }
      #expect(times.percentile(0.5) == 100)
      #expect(times.percentile(0.99) == 198)
      #expect(times.percentile(1) == 200)
      #expect(times.percentile(0) == 1)
      #expect(times.count == 200)
    }

    @Test("There is no percentile without frames")
    func none() { #expect(FrameTimes().percentile(0.5) == nil) }
  }
#endif
