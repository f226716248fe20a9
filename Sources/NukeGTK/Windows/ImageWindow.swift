#if GTK
  public import CNukeGTK
  public import Foundation
  public import Nuke

  /// A window with one image, or with a grid that opens its images.
  ///
  /// ```swift
  /// GTKMainLoop.run(name: "Photos") {
  ///   let grid = ImageGrid(items: photos) { ImageRequest(url: $0) }
  ///   ImageWindow(grid, title: "Photos").present()
  /// }
  /// ```
  ///
  /// The image can be enlarged; see ``ImageViewer``. The keys are listed behind a button, and by Control-question mark:
  ///
  /// | Keys | Effect |
  /// |---|---|
  /// | plus, minus, 0 | enlarge, reduce, fit into the window |
  /// | left, right, or Alt with these | previous, next image of the grid |
  /// | Escape | back to the grid |
  /// | F11 | full screen |
  /// | Control-W, Control-Q | close the window |
  ///
  /// GTK owns a window from its creation until it is closed. The window retains this object, the grid and the viewer, so
  /// the program may release all of them. A window that is never shown must be closed, too. Calls for a window that has
  /// been closed have no effect. Use it on the main thread.
  @MainActor public final class ImageWindow {
    /// The `GtkWindow`. It is valid until the window is closed: this object has no reference to it.
    public let pointer: UnsafeMutablePointer<GtkWindow>
    /// The `GtkHeaderBar` of the window, for more buttons. It is valid until the window is closed.
    public let headerBar: OpaquePointer
    /// The page with an image.
    public let viewer: ImageViewer
    /// The grid; `nil` if the window has one image.
    public let grid: ImageGrid?
    /// The position of the image that is shown; `nil` if the grid is shown.
    public private(set) var openedPosition: Int?
    /// `true` once the window has been closed, and its widgets do not exist any longer.
    public private(set) var isClosed = false
    private let stack: OpaquePointer
    private let back: UnsafeMutablePointer<GtkWidget>
    private let message = Widgets.label(classes: "title-3")
    private let title: String

    private enum Page: String { case grid, image, message }

    /// Creates a window with one image.
    ///
    /// - Parameters:
    ///   - request: the request of the image.
    ///   - title: the title of the window. The default is the last part of the URL.
    ///   - options: the loading options, with the pipeline. The default is `ImageLoadingOptions.shared`.
    public convenience init(_ request: ImageRequest, title: String? = nil, options: ImageLoadingOptions? = nil) {
      let title = title ?? request.url?.lastPathComponent ?? ""
      self.init(grid: nil, title: title, options: options)
      viewer.show(request, named: title)
      viewer.focus()
      show(.image)
    }

    /// Creates a window with the image at a URL.
    public convenience init(url: URL) { self.init(ImageRequest(url: url)) }

    /// Creates a window with a grid, whose ``ImageGrid/onOpen`` it sets.
    ///
    /// - Parameters:
    ///   - grid: the grid. Its requests are also those of the opened images, which are loaded at the size of the window.
    ///   - title: the title of the window while it shows the grid.
    ///   - emptyMessage: the text to show if the grid has no items.
    public convenience init(_ grid: ImageGrid, title: String, emptyMessage: String = "There are no images.") {
      self.init(grid: grid, title: title, options: grid.options)
      gtk_label_set_text(OpaquePointer(message), emptyMessage)
      grid.onOpen = { [weak self] in self?.open($0) }
      goBack()
      grid.focus()
    }

    private init(grid: ImageGrid?, title: String, options: ImageLoadingOptions?) {
      GTKMainLoop.attach()
      self.grid = grid
      self.title = title
      viewer = ImageViewer(options: options)
      pointer = UnsafeMutablePointer(OpaquePointer(Widgets.made(gtk_window_new())))
      stack = OpaquePointer(Widgets.made(gtk_stack_new()))
      headerBar = OpaquePointer(Widgets.made(gtk_header_bar_new()))
      back = Widgets.made(gtk_button_new_from_icon_name("go-previous-symbolic"))
      layOut()
      KeyCommand.add(commands, to: pointer)
      // The window retains this object until it is closed, when GTK releases the closure. A reference to the window would
      // keep it and this object forever.
      SignalHandler.connect(pointer, "destroy") { [self] in
        isClosed = true
        openedPosition = nil
        viewer.show(nil)
      }
    }

    private func layOut() {
      gtk_label_set_wrap(OpaquePointer(message), 1)
      gtk_label_set_justify(OpaquePointer(message), GTK_JUSTIFY_CENTER)
      let pages = [(Page.grid, grid?.widget), (.image, viewer.widget), (.message, message)]
      for (page, widget) in pages {
        if let widget { gtk_stack_add_named(stack, widget, page.rawValue) }
      }
      gtk_stack_set_transition_type(stack, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
      back.setLabel("Back")
      SignalHandler.connect(back, "clicked") { [weak self] in self?.goBack() }
      gtk_header_bar_pack_start(headerBar, back)
      let keys = Widgets.button(icon: "input-keyboard-symbolic", "Keys") { [weak self] in self?.showKeys() }
      gtk_header_bar_pack_end(headerBar, keys)
      gtk_window_set_titlebar(pointer, UnsafeMutablePointer(headerBar))
      gtk_window_set_child(pointer, UnsafeMutablePointer(stack))
      gtk_window_set_default_size(pointer, 900, 640)
    }

    // MARK: The window

    /// Shows the window, or moves it to the front.
    public func present() {
      if !isClosed { gtk_window_present(pointer) }
    }

    /// Closes the window, which releases what it shows.
    public func close() {
      if !isClosed { gtk_window_destroy(pointer) }
    }

    private func toggleFullScreen() {
      if gtk_window_is_fullscreen(pointer) != 0 {
        gtk_window_unfullscreen(pointer)
      } else {
        gtk_window_fullscreen(pointer)
      }
    }

    // MARK: Pages

    /// Shows the image at a position of the grid. Positions without an item have no effect.
    public func open(_ position: Int) {
      guard !isClosed, let grid, (0..<grid.count).contains(position) else { return }
      if openedPosition == nil { viewer.focus() }
      openedPosition = position
      viewer.show(grid.request(at: position), named: grid.name(at: position))
      show(.image)
    }

    /// Shows the image that is so many positions further, if an image is shown and the grid has such a position.
    public func step(by count: Int) {
      guard let openedPosition else { return }
      let (position, overflow) = openedPosition.addingReportingOverflow(count)
      if !overflow { open(position) }
    }

    /// Shows the grid, with the last image selected. Without a grid, it has no effect.
    public func goBack() {
      guard !isClosed, let grid else { return }
      if let openedPosition {
        grid.selectedPosition = openedPosition
        viewer.show(nil)
      }
      openedPosition = nil
      show(grid.count > 0 ? .grid : .message)
      grid.focus()
    }

    private func show(_ page: Page) {
      gtk_stack_set_visible_child_name(stack, page.rawValue)
      gtk_widget_set_visible(back, openedPosition == nil ? 0 : 1)
      gtk_window_set_title(pointer, openedPosition.flatMap { grid?.name(at: $0) } ?? title)
    }

    // MARK: Keys

    private var isImageShown: Bool { grid == nil || openedPosition != nil }

    var commands: [KeyCommand] {
      func command(_ keys: String..., title: String, _ body: @escaping @MainActor (ImageWindow) -> Bool) -> KeyCommand {
        KeyCommand(keys, title) { [weak self] in self.map { body($0) } ?? false }
      }
      func ofImage(_ keys: String..., title: String, _ body: @escaping @MainActor (ImageWindow) -> Void) -> KeyCommand {
        KeyCommand(keys, title) { [weak self] in
          guard let self, isImageShown else { return false }
          body(self)
          return true
        }
      }
      var commands = [
        ofImage("plus", "equal", "KP_Add", title: "Enlarge") { $0.viewer.zoomIn() },
        ofImage("minus", "KP_Subtract", title: "Reduce") { $0.viewer.zoomOut() },
        ofImage("0", "KP_0", title: "Fit into the window") { $0.viewer.zoom = 1 },
      ]
      if grid != nil {
        commands += [
          ofImage("Left", "<Alt>Left", title: "Previous image") { $0.step(by: -1) },
          ofImage("Right", "<Alt>Right", title: "Next image") { $0.step(by: 1) },
          ofImage("Escape", title: "Back to all images") { $0.goBack() },
        ]
      }
      return commands + [
        command("F11", title: "Full screen") {
          $0.toggleFullScreen(); return true
        },
        command("<Control>question", "F1", title: "This list") {
          $0.showKeys(); return true
        },
        command("<Control>w", "<Control>q", title: "Close the window") {
          gtk_window_close($0.pointer); return true
        },
      ]
    }

    /// Opens a list of the keys.
    public func showKeys() {
      if !isClosed { KeyCommand.showList(of: commands, over: pointer) }
    }
  }
#endif
