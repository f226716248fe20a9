#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting

  /// Creates a view with loads of its own, and shows it in a window if there is one.
  @MainActor func makeLazyImageView(in window: TestWindow? = nil) -> (Loads, LazyImageView, Ending) {
    let (loads, view, ending) = (Loads(), LazyImageView(), Ending())
    view.options = loads.options
    view.onCompletion = ending.record
    window?.show(view.widget)
    return (loads, view, ending)
  }
#endif
