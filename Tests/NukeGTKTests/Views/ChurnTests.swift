#if GTK
  import CNukeGTK
  import Foundation
  @testable import NukeGTK
  import NukeTesting
  import XCTest

  /// Widgets are made, reused, taken away, put back and destroyed at random while they load, and nothing is left.
  final class ChurnTests: XCTestCase {
    func testNothingIsLeftOfWidgetsThatComeAndGo() throws {
      // More in a long run, such as under AddressSanitizer.
      let count = ProcessInfo.processInfo.environment["NUKE_GTK_CHURN"].flatMap { Int($0) } ?? 300
      try MainActor.assumeIsolated {
        let bindings = PictureBinding.count
        let churn = try Churn(seed: 7)
        for step in 0..<count { try churn.load(step) }
        churn.end()
        runLoop { churn.loads.pipeline.load == (0, 0) }
        XCTAssertEqual(PictureBinding.count, bindings)
        XCTAssertGreaterThan(churn.tasks.count, count / 2)
        XCTAssertTrue(churn.tasks.allSatisfy { $0.state != .running })
        XCTAssertEqual(ImageLoadingSlot.keptCount, 0)
      }
    }
  }

  @MainActor private final class Churn {
    let loads: Loads
    private let window: TestWindow
    private let box: UnsafeMutablePointer<GtkBox>
    private var random: SeededGenerator
    private var shown: [UnsafeMutablePointer<GtkWidget>] = []
    /// Widgets that are kept without being shown.
    private var aside: [UnsafeMutablePointer<GtkWidget>] = []
    private var views: [LazyImageView] = []
    private(set) var tasks: [ImageTask] = []

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      window = try TestWindow(width: 300, height: 300)
      let moving = try XCTUnwrap(
        Animation(
          frames: [plain(.red, width: 6, height: 6), plain(.blue, width: 6, height: 6)], delays: [0.02, 0.02]))
      let gif = try GIFWriter().encode(moving)
      let still = plain(.green, width: 9, height: 9).pngData() ?? Data()
      loads = Loads(
        loader: FakeDataLoader { request in
          switch (request.url?.lastPathComponent.count ?? 0) % 3 {
          case 0: .data(gif)
          case 1: .data(still, chunkSize: 16)
          default: .failure(FakeDataLoader.Failure.noAnswer(request.url))
          }
        })
      let made = try XCTUnwrap(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0))
      box = UnsafeMutableRawPointer(made).assumingMemoryBound(to: GtkBox.self)
      window.show(made)
    }

    /// Loads an image into some widget, and does something to another.
    func load(_ step: Int) throws {
      // Every fourth was loaded before.
      let number = step % 4 == 3 ? step / 2 : step
      let name = "\(number)-" + String(repeating: "a", count: number % 3)
      var options = loads.options
      options.transition = .fadeIn(duration: 0.02)
      options.placeholder = plain(.gray, width: 2, height: 2)
      let track: (ImageTask?) -> Void = { task in
        if let task { self.tasks.append(task) }
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let picture = try XCTUnwrap(gtk_picture_new())
        add(picture)
        track(loadImage(with: Loads.url(name), options: options, into: picture))
      case 1 where !shown.isEmpty:
        let widget = shown[Int.random(in: 0..<shown.count, using: &random)]
        if widget.isPicture { track(loadImage(with: Loads.url(name), options: options, into: widget)) }
      case 2 where !views.isEmpty:
        let view = views[Int.random(in: 0..<views.count, using: &random)]
        track(view.load(ImageRequest(url: Loads.url(name))))
      default:
        let view = LazyImageView()
        view.options = options
        view.placeholderWidget = gtk_spinner_new()
        view.resizesToAllocation = step % 3 == 0
        add(view.widget)
        if step.isMultiple(of: 2) { views.append(view) }
        track(view.load(ImageRequest(url: Loads.url(name))))
      }
      disturb()
      for _ in 0..<Int.random(in: 0...6, using: &random) { g_main_context_iteration(nil, 0) }
    }

    private func add(_ widget: UnsafeMutablePointer<GtkWidget>) {
      gtk_widget_set_size_request(widget, 12, 12)
      gtk_box_append(box, widget)
      shown.append(widget)
      if shown.count > 20 { remove(shown.removeFirst()) }
    }

    private func remove(_ widget: UnsafeMutablePointer<GtkWidget>) { gtk_box_remove(box, widget) }

    private func disturb() {
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where !shown.isEmpty:
        remove(shown.remove(at: Int.random(in: 0..<shown.count, using: &random)))
      case 1 where !shown.isEmpty:
        let widget = shown.remove(at: Int.random(in: 0..<shown.count, using: &random))
        g_object_ref(widget)
        remove(widget)
        aside.append(widget)
      case 2 where !aside.isEmpty:
        let widget = aside.removeFirst()
        add(widget)
        g_object_unref(widget)
      case 3 where !views.isEmpty: views.remove(at: Int.random(in: 0..<views.count, using: &random))
      case 4 where !shown.isEmpty:
        let widget = shown[Int.random(in: 0..<shown.count, using: &random)]
        gtk_widget_set_visible(widget, gtk_widget_get_visible(widget) == 0 ? 1 : 0)
      default: break
      }
    }

    /// Destroys whatever is left.
    func end() {
      views = []
      for widget in aside { g_object_unref(widget) }
      aside = []
      window.close()
      shown = []
    }
  }
#endif
