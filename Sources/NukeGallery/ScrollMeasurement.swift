#if GTK
  import Foundation
  import Glibc
  import NukeGTK

  /// Scrolls through the gallery as a script says, and measures what that takes.
  ///
  /// First from the top to the bottom, so fast that no picture is seen for long; then, after a rest, back up a row each half
  /// second.
  @MainActor final class ScrollMeasurement {
    private enum Part: Int { case settling, flinging, resting, reading, done }

    private let adjustment: UnsafeMutablePointer<GtkAdjustment>
    private let pipeline: ImagePipeline
    private let observer: GalleryObserver
    private let didEnd: @MainActor () -> Void
    private var ticks: FrameTicks?
    private var part = Part.settling
    private var beganAt: TimeInterval?
    private var lastWork: Double?
    private var flinging = FrameTimes()
    private var reading = FrameTimes()
    private var before = (decodes: 0, counts: LoadCounts())
    private var lines: [String] = []

    private static let seconds: [Part: TimeInterval] = [.settling: 3, .flinging: 4, .resting: 3, .reading: 12]

    init(
      _ grid: GalleryGrid, pipeline: ImagePipeline, observer: GalleryObserver, didEnd: @escaping @MainActor () -> Void
    ) {
      adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(grid.widget))
      self.pipeline = pipeline
      self.observer = observer
      self.didEnd = didEnd
      ticks = FrameTicks(grid.widget) { [weak self] now in self?.proceed(now) ?? false }
    }

    private func proceed(_ now: TimeInterval) -> Bool {
      noteWork()
      let elapsed = now - (beganAt ?? now)
      if beganAt == nil { beganAt = now }
      if elapsed >= Self.seconds[part] ?? 0 { return next(now) }
      let height = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
      switch part {
      case .flinging: gtk_adjustment_set_value(adjustment, height * elapsed / (Self.seconds[.flinging] ?? 1))
      case .reading: gtk_adjustment_set_value(adjustment, height - elapsed * 320)
      case .settling, .resting, .done: break
      }
      return true
    }

    /// The processor time of this thread from frame to frame: events, binding, layout and drawing.
    private func noteWork() {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      let work = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
      if let lastWork {
        if part == .flinging { flinging.add(work - lastWork) }
        if part == .reading { reading.add(work - lastWork) }
      }
      lastWork = work
    }

    private func next(_ now: TimeInterval) -> Bool {
      beganAt = now
      let counts = observer.counts
      switch part {
      case .flinging:
        report("whole list in 4 s", flinging)
        lines.append("  decoded meanwhile: \(pipeline.counters.decodes - before.decodes)")
      case .reading:
        report("320 points a second", reading)
        let old = before.counts
        lines.append(
          "  shown: \(counts.shown - old.shown), of those from memory \(counts.memory - old.memory), from disk "
            + "\(counts.disk - old.disk), from the network \(counts.network - old.network); fetched ahead: "
            + "\(counts.ahead - old.ahead); given up: \(counts.cancelled - old.cancelled)")
      case .settling, .resting, .done: break
      }
      before = (pipeline.counters.decodes, counts)
      part = Part(rawValue: part.rawValue + 1) ?? .done
      guard part == .done else { return true }
      for line in lines { print(line) }
      didEnd()
      return false
    }

    private func report(_ title: String, _ frames: FrameTimes) {
      func milliseconds(_ share: Double) -> String {
        frames.percentile(share).map { "\(($0 * 100_000).rounded() / 100) ms" } ?? "none"
      }
      lines.append(
        "\(title): \(frames.count) frames, the main thread's processor time in each: median \(milliseconds(0.5)), "
          + "p99 \(milliseconds(0.99)), longest \(milliseconds(1))")
    }
  }
#endif
