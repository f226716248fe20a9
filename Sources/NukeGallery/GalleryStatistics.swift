#if GTK
  import Foundation
  import NukeGTK

  /// The statistics of the pipeline, updated twice a second.
  @MainActor final class GalleryStatistics {
    let widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 4, classes: "statistics")
    private let pipeline: ImagePipeline
    private let observer: GalleryObserver
    private var values: [Widget] = []
    private var timer: Timeout?

    /// The groups and their rows, in the order of the numbers in `update()`.
    private static let groups: [(title: String, rows: [String])] = [
      ("Images shown", ["From memory", "From disk", "From the network", "From files"]),
      ("Loads", ["Running", "Prefetched", "Coalesced", "Canceled", "Failed", "Received"]),
      ("Work", ["Decoded", "Processed"]), ("Memory", ["Images", "Size", "Limit"]),
    ]

    init(_ pipeline: ImagePipeline, _ observer: GalleryObserver) {
      self.pipeline = pipeline
      self.observer = observer
      // The labels expand, and the widget does not take space from the images.
      gtk_widget_set_hexpand(widget, 0)
      for group in Self.groups {
        let title = Make.label(group.title, classes: "heading")
        gtk_label_set_xalign(OpaquePointer(title), 0)
        widget.append([title])
        for row in group.rows { appendRow(row) }
      }
      update()
    }

    private func appendRow(_ name: String) {
      let label = Make.label(name, classes: "dim-label")
      let value = Make.label()
      gtk_widget_set_hexpand(label, 1)
      gtk_label_set_xalign(OpaquePointer(label), 0)
      gtk_label_set_xalign(OpaquePointer(value), 1)
      widget.append([Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, [label, value])])
      values.append(value)
    }

    private func update() {
      let counts = observer.counts
      let memory = ImageCache.shared
      let numbers = [
        counts.memory.grouped, counts.disk.grouped, counts.network.grouped, counts.local.grouped,
        pipeline.load.subscriptions.grouped, counts.ahead.grouped, counts.coalesced.grouped, counts.cancelled.grouped,
        counts.failed.grouped, counts.byteCount.megabytes, pipeline.counters.decodes.grouped,
        pipeline.counters.processes.grouped, memory.totalCount.grouped, memory.totalCost.megabytes,
        memory.costLimit.megabytes,
      ]
      for (label, number) in zip(values, numbers) { label.setText(number) }
      timer = Timeout(after: 0.5) { [weak self] in self?.update() }
    }
  }
#endif
