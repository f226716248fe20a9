#if GTK
  import Foundation
  import NukeGTK

  /// Scrolls through the gallery by a script, and measures the CPU time.
  ///
  /// It scrolls quickly from the top to the bottom, pauses, and scrolls back by one row each half second.
  @MainActor final class ScrollMeasurement {
    private enum Part: Int { case settling, flinging, resting, reading, done }

    private let adjustment: UnsafeMutablePointer<GtkAdjustment>
    private let pipeline: ImagePipeline
    private let observer: GalleryObserver
    private let didEnd: @MainActor () -> Void
    private var ticks: FrameTicks?
    private var part = Part.settling
    private var startTime: TimeInterval?
    private let work = MainThreadWork()
    private let widget: Widget
    /// The work of the current frame; `nil` until the frame clock is known.
    private var frame: FrameProfile?
    private var flinging = FrameProfile.Summary()
    private var reading = FrameProfile.Summary()
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
      widget = grid.widget
      Calls.observer = work
      ticks = FrameTicks(grid.widget, isObserved: false) { [weak self] now in self?.proceed(now) ?? false }
    }

    isolated deinit { Calls.observer = nil }

    private func proceed(_ now: TimeInterval) -> Bool {
      if frame == nil { observeFrames() }
      let elapsed = now - (startTime ?? now)
      if startTime == nil { startTime = now }
      if elapsed >= Self.seconds[part] ?? 0 { return next(now) }
      let height = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
      switch part {
      case .flinging: gtk_adjustment_set_value(adjustment, height * elapsed / (Self.seconds[.flinging] ?? 1))
      case .reading: gtk_adjustment_set_value(adjustment, height - elapsed * 320)
      case .settling, .resting, .done: break
      }
      return true
    }

    private func observeFrames() {
      guard let clock = gtk_widget_get_frame_clock(widget) else { return }
      frame = FrameProfile(at: now)
      SignalHandler.connect(UnsafeMutableRawPointer(clock), "before-paint") { [weak self] in
        if let self { frame?.beginPainting(at: self.now) }
      }
      SignalHandler.connect(UnsafeMutableRawPointer(clock), "after-paint") { [weak self] in self?.endFrame() }
    }

    private var now: FrameProfile.CPUTime { .init(all: MainThreadWork.processorTime, ours: work.total) }

    private func endFrame() {
      guard let share = frame?.end(at: now) else { return }
      switch part {
      case .flinging: flinging.add(share)
      case .reading: reading.add(share)
      case .settling, .resting, .done: break
      }
    }

    private func next(_ now: TimeInterval) -> Bool {
      startTime = now
      let counts = observer.counts
      switch part {
      case .flinging:
        report("whole list in 4 s", flinging)
        lines.append("  decoded in the meantime: \(pipeline.counters.decodes - before.decodes)")
      case .reading:
        report("320 points a second", reading)
        let old = before.counts
        lines.append(
          "  shown: \(counts.shown - old.shown), of those from memory \(counts.memory - old.memory), from disk "
            + "\(counts.disk - old.disk), from the network \(counts.network - old.network); prefetched: "
            + "\(counts.ahead - old.ahead); canceled: \(counts.cancelled - old.cancelled)")
        reportBinds()
      case .settling, .resting, .done: break
      }
      before = (pipeline.counters.decodes, counts)
      part = Part(rawValue: part.rawValue + 1) ?? .done
      guard part == .done else { return true }
      for line in lines { print(line) }
      didEnd()
      return false
    }

    private func report(_ title: String, _ frames: FrameProfile.Summary) {
      lines += ["\(title): \(frames.count) frames, CPU time of the main thread in each"]
      lines += frames.lines.map { "  " + $0 }
    }

    private func reportBinds() {
      for (title, times) in [("binding a row", work.binds), ("  with its name", work.rowBinds)] {
        lines.append("\(title): \(times.count) times, \(FrameTimes(times).text(in: .microseconds))")
      }
    }
  }
#endif
