#if GTK
  /// Divides the CPU time of the main thread by frame and by cause, in seconds. A frame starts when the previous one has
  /// been painted.
  struct FrameProfile {
    /// The CPU time of the main thread up to a point in time.
    struct CPUTime: Equatable {
      var all: Double
      /// The part spent in the program's code.
      var ours: Double
    }

    /// The CPU time of one frame.
    struct Share: Equatable {
      /// The part spent in the program's code, also during painting.
      var ours: Double
      /// The part spent in GTK's layout and drawing.
      var painting: Double
      var all: Double
    }

    /// The CPU times of many frames.
    struct Summary {
      private(set) var ours = FrameTimes()
      private(set) var painting = FrameTimes()
      private(set) var all = FrameTimes()

      var count: Int { all.count }

      mutating func add(_ share: Share) {
        ours.add(share.ours)
        painting.add(share.painting)
        all.add(share.all)
      }

      var lines: [String] {
        [("the program", ours), ("GTK's layout and drawing", painting), ("all", all)]
          .map { "\($0.0): \($0.1.text(in: .milliseconds))" }
      }
    }

    private var start: CPUTime
    private var painting: CPUTime?

    init(at time: CPUTime) { start = time }

    /// Records that GTK starts layout and drawing.
    mutating func beginPainting(at time: CPUTime) { painting = time }

    /// Ends the frame, and returns its CPU time.
    mutating func end(at time: CPUTime) -> Share {
      let share = Share(
        ours: time.ours - start.ours,
        painting: painting.map { time.all - $0.all - (time.ours - $0.ours) } ?? 0,
        all: time.all - start.all)
      start = time
      painting = nil
      return share
    }
  }
#endif
