#if GTK
  import Foundation
  import NukeGTK

  /// A button that opens a list of the applications for the photo's type. They are looked up once for each type.
  @MainActor final class OpenWithMenu {
    let widget = Make.menuButton(icon: "document-open-symbolic", "")
    var onOpen: (@MainActor (DesktopApplication) -> Void)?
    private let list = Make.box(GTK_ORIENTATION_VERTICAL)
    private var known: [String: [DesktopApplication]] = [:]
    private var url: URL?
    private var task: Task<Void, Never>?

    init() {
      Make.setPopover(list, of: widget)
      SignalHandler.connectTooltip(widget) { [weak self] in
        self?.url?.isFileURL == false ? PhotoCommand.notAFile : "Open with"
      }
    }

    func show(_ url: URL?) {
      self.url = url
      task?.cancel()
      let isFile = url?.isFileURL == true
      widget.setSensitive(isFile)
      guard isFile, let url else { return }
      let type = DesktopApplication.contentType(ofFileNamed: url.displayName)
      if let applications = known[type] { return show(applications) }
      show([])
      // Reading the descriptions of all applications takes a while.
      task = Task { [weak self] in
        let applications = await offMainThread { DesktopApplication.recommended(for: type) }
        self?.known[type] = applications
        if !Task.isCancelled { self?.show(applications) }
      }
    }

    private func show(_ applications: [DesktopApplication]) {
      list.removeChildren()
      for application in applications {
        let item = Make.menuItem(application.name) { [weak self] in
          guard let self else { return }
          gtk_menu_button_popdown(OpaquePointer(widget))
          onOpen?(application)
        }
        list.append([item])
      }
      if applications.isEmpty { list.append([Make.label("No application opens this type of file.")]) }
    }
  }
#endif
