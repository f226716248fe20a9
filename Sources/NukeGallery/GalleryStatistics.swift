#if GTK
  import Foundation
  import NukeGTK

  /// What the pipeline has done so far, twice a second.
  @MainActor final class GalleryStatistics {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let pipeline: ImagePipeline
    private let observer: GalleryObserver
    private var values: [OpaquePointer] = []
    private var timer: Timeout?

    /// A group of rows with its title; the names of the rows in order, as `figures` has them.
    private static let groups: [(title: String, rows: [String])] = [
      ("Images shown", ["From memory", "From disk", "From the network", "From files"]),
      ("Loads", ["Under way", "Fetched ahead", "Coalesced", "Cancelled", "Failed", "Received"]),
      ("Work", ["Decoded", "Processed"]), ("Memory", ["Images", "Size", "Limit"]),
    ]

    init(_ pipeline: ImagePipeline, _ observer: GalleryObserver) {
      self.pipeline = pipeline
      self.observer = observer
      widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4)
      gtk_widget_add_css_class(widget, "statistics")
      // What expands inside takes nothing from the images.
      gtk_widget_set_hexpand(widget, 0)
      for group in Self.groups {
        append(makeLabel(group.title, classes: ["heading"]), to: widget)
        for row in group.rows { appendRow(row) }
      }
      update()
    }

    private func appendRow(_ name: String) {
      let row: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12)
      let label = makeLabel(name, classes: ["dim-label"])
      let value = makeLabel("", classes: [])
      gtk_widget_set_hexpand(label, 1)
      gtk_label_set_xalign(OpaquePointer(value), 1)
      append(label, to: row)
      append(value, to: row)
      append(row, to: widget)
      values.append(OpaquePointer(value))
    }

    private func makeLabel(_ text: String, classes: [String]) -> UnsafeMutablePointer<GtkWidget> {
      let label: UnsafeMutablePointer<GtkWidget> = gtk_label_new(text)
      gtk_label_set_xalign(OpaquePointer(label), 0)
      for name in classes { gtk_widget_add_css_class(label, name) }
      return label
    }

    private func append(_ part: UnsafeMutablePointer<GtkWidget>, to box: UnsafeMutablePointer<GtkWidget>) {
      gtk_box_append(UnsafeMutablePointer(OpaquePointer(box)), part)
    }

    private func update() {
      let counts = observer.counts
      let memory = ImageCache.shared
      let figures = [
        counts.memory.grouped, counts.disk.grouped, counts.network.grouped, counts.local.grouped,
        pipeline.load.subscriptions.grouped, counts.ahead.grouped, counts.coalesced.grouped, counts.cancelled.grouped,
        counts.failed.grouped, counts.byteCount.megabytes, pipeline.counters.decodes.grouped,
        pipeline.counters.processes.grouped, memory.totalCount.grouped, memory.totalCost.megabytes,
        memory.costLimit.megabytes,
      ]
      for (label, figure) in zip(values, figures) { gtk_label_set_text(label, figure) }
      timer = Timeout(after: 0.5) { [weak self] in self?.update() }
    }
  }
#endif
