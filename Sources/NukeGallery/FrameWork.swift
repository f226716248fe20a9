#if GTK
  /// Divides what the main thread does for each frame, in seconds of processor time. A frame begins where the one before
  /// has been painted.
  struct FrameWork {
    /// What the main thread had done up to some moment.
    struct Moment: Equatable {
      var all: Double
      /// That which was code of ours.
      var ours: Double
    }

    /// What was done for one frame.
    struct Share: Equatable {
      /// By code of ours, whether GTK was painting or not.
      var ours: Double
      /// By GTK, while it laid out and drew.
      var painting: Double
      var all: Double
    }

    /// What was done for many frames.
    struct Figures {
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
        [("our work", ours), ("GTK's layout and drawing", painting), ("all", all)]
          .map { "\($0.0): \($0.1.text(in: .milliseconds))" }
      }
    }

    private var beginning: Moment
    private var painting: Moment?

    init(at moment: Moment) { beginning = moment }

    /// GTK begins to lay out and draw.
    mutating func beginPainting(at moment: Moment) { painting = moment }

    /// The frame has been painted.
    mutating func end(at moment: Moment) -> Share {
      let share = Share(
        ours: moment.ours - beginning.ours,
        painting: painting.map { moment.all - $0.all - (moment.ours - $0.ours) } ?? 0,
        all: moment.all - beginning.all)
      beginning = moment
      painting = nil
      return share
    }
  }
#endif
