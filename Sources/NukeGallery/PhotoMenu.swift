#if GTK
  import Foundation
  import NukeGTK

  /// A button that opens a list of the commands on the photo. Those that are impossible say why in their tooltips.
  @MainActor final class PhotoMenu {
    let widget = Make.menuButton(icon: "view-more-symbolic", "Commands")
    var onCommand: (@MainActor (PhotoCommand) -> Void)?
    private var buttons: [PhotoCommand: Widget] = [:]
    private var url: URL?

    init() {
      let list = Make.box(GTK_ORIENTATION_VERTICAL)
      for command in PhotoCommand.allCases {
        let button = Make.menuItem(command.title) { [weak self] in
          guard let self else { return }
          gtk_menu_button_popdown(OpaquePointer(widget))
          onCommand?(command)
        }
        SignalHandler.connectTooltip(button) { [weak self] in self?.url.flatMap { command.obstacle(for: $0) } }
        buttons[command] = button
        list.append([button])
      }
      Make.setPopover(list, of: widget)
    }

    func show(_ url: URL?) {
      self.url = url
      for (command, button) in buttons { button.setSensitive(url.map { command.obstacle(for: $0) == nil } ?? false) }
    }
  }
#endif
