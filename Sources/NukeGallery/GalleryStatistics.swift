#if GTK
  import Foundation
  import NukeGTK

  /// What the pipeline has done so far, twice a second.
  @MainActor final class GalleryStatistics {
    let widget: UnsafeMutablePointer<GtkWidget>
    private let pipeline: ImagePipeline
    private var timer: Timeout?

    init(_ pipeline: ImagePipeline) {
      self.pipeline = pipeline
      widget = gtk_label_new(nil)
      gtk_widget_add_css_class(widget, "statistics")
      gtk_widget_set_valign(widget, GTK_ALIGN_START)
      gtk_label_set_xalign(OpaquePointer(widget), 0)
      update()
    }

    private func update() {
      let counters = pipeline.counters
      let memory = ImageCache.shared
      let lines = [
        "Pictures in memory\t\(memory.totalCount)", "Their size\t\(megabytes(memory.totalCost))",
        "Limit\t\(megabytes(memory.costLimit))", "", "Downloads\t\(counters.downloads)",
        "Decoded\t\(counters.decodes)", "Processed\t\(counters.processes)", "Joined\t\(counters.joined)",
        "Loading now\t\(pipeline.load.subscriptions)",
      ]
      gtk_label_set_text(OpaquePointer(widget), lines.joined(separator: "\n"))
      timer = Timeout(after: 0.5) { [weak self] in self?.update() }
    }

    private func megabytes(_ count: Int) -> String { "\((count + 500_000) / 1_000_000) MB" }
  }
#endif
