#if GTK
  import Nuke
  import Testing

  @testable import NukeGallery

  @Suite struct LoadCountsTests {
    @Test("Images are counted by origin")
    func origins() {
      var counts = LoadCounts()
      for origin in [.memory, .memory, .disk, .network, .file, .inline] as [ImageTask.Facts.Origin] {
        counts.count(.shown, from: origin, byteCount: 100)
      }
      #expect([counts.memory, counts.disk, counts.network, counts.local] == [2, 1, 1, 2])
      #expect(counts.shown == 6)
      // What comes from disk is no traffic.
      #expect(counts.byteCount == 100)
    }

    @Test("Loads that were not shown are counted by result")
    func ends() {
      var counts = LoadCounts()
      counts.count(.cancelled, from: .network, byteCount: 40)
      counts.count(.failed, from: nil)
      counts.count(.ahead, from: .disk)
      counts.count(.ahead, from: .network, isCoalesced: true, byteCount: 2)
      #expect([counts.cancelled, counts.failed, counts.ahead, counts.coalesced] == [1, 1, 1, 1])
      #expect(counts.shown == 0)
      #expect(counts.byteCount == 42)
    }
  }
#endif
