#if GTK
  import Foundation
  import NukeGTK

  /// What the pipeline has done so far, twice a second.
  @MainActor final class GalleryStatistics {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let names: OpaquePointer
    private let values: OpaquePointer
    private let pipeline: ImagePipeline
    private var timer: Timeout?

    init(_ pipeline: ImagePipeline) {
      self.pipeline = pipeline
      widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 18)
      let columns: [UnsafeMutablePointer<GtkWidget>] = [gtk_label_new(nil), gtk_label_new(nil)]
      names = OpaquePointer(columns[0])
      values = OpaquePointer(columns[1])
      gtk_label_set_xalign(names, 0)
      gtk_label_set_xalign(values, 1)
      gtk_widget_add_css_class(widget, "statistics")
      gtk_widget_set_valign(widget, GTK_ALIGN_START)
      for column in columns { gtk_box_append(UnsafeMutablePointer(OpaquePointer(widget)), column) }
      update()
    }

    private func update() {
      let counters = pipeline.counters
      let memory = ImageCache.shared
      let rows: [(String, String)] = [
        ("Pictures in memory", "\(memory.totalCount)"), ("Their size", megabytes(memory.totalCost)),
        ("Limit", megabytes(memory.costLimit)), ("", ""), ("Downloads", "\(counters.downloads)"),
        ("Decoded", "\(counters.decodes)"), ("Processed", "\(counters.processes)"), ("Joined", "\(counters.joined)"),
        ("Loading now", "\(pipeline.load.subscriptions)"),
      ]
      gtk_label_set_text(names, rows.map(\.0).joined(separator: "\n"))
      gtk_label_set_text(values, rows.map(\.1).joined(separator: "\n"))
      timer = Timeout(after: 0.5) { [weak self] in self?.update() }
    }

    private func megabytes(_ count: Int) -> String { "\((count + 500_000) / 1_000_000) MB" }
  }
#endif
