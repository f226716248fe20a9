#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting

  /// Shows a view with loads of its own in a window.
  @MainActor func makeLazyImageView(in window: TestWindow) -> (Loads, LazyImageView, Ending) {
    let (loads, view, ending) = (Loads(), LazyImageView(), Ending())
    view.options = loads.options
    view.onCompletion = ending.record
    window.show(view.widget)
    return (loads, view, ending)
  }
#endif
