#if GTK
  import CNukeGTK
  import Foundation
  import Nuke

  /// A row of a list: its widget, and the image in it. The `GtkListItem` retains it.
  @MainActor final class ListRow {
    let number: ListSchedule.Row
    let widget: UnsafeMutablePointer<GtkWidget>
    let binding: PictureBinding
    private let view: LazyImageView
    private let listItem: OpaquePointer

    private static let key = g_quark_from_static_string("nuke-gtk-list-row")

    init(_ number: ListSchedule.Row, in list: ListImages, _ listItem: OpaquePointer) {
      guard let picture = gtk_picture_new() else {
        preconditionFailure("call gtk_init before creating lists")
      }
      self.number = number
      self.listItem = listItem
      let size = list.pictureSize
      gtk_widget_set_size_request(picture, Int32(points: size.width), Int32(points: size.height))
      view = LazyImageView(picture: picture)
      binding = view.binding
      widget = list.makeRow?(view) ?? picture
      SignalHandler.connect(picture, "map") { [weak self, weak list] in
        if let self { list?.rowDidMap(self) }
      }
      SignalHandler.connect(picture, "unmap") { [weak self, weak list] in
        if let self { list?.rowDidUnmap(self) }
      }
    }

    static func of(_ listItem: OpaquePointer) -> ListRow? {
      g_object_get_qdata(UnsafeMutablePointer<GObject>(listItem), key)
        .map { Unmanaged<ListRow>.fromOpaque($0).takeUnretainedValue() }
    }

    func attach(to listItem: OpaquePointer) {
      g_object_set_qdata_full(
        UnsafeMutablePointer<GObject>(listItem), Self.key, Unmanaged.passRetained(self).toOpaque()
      ) { releaseRetained($0) }
      gtk_list_item_set_child(listItem, widget)
    }

    func detach(from listItem: OpaquePointer) {
      gtk_list_item_set_child(listItem, nil)
      g_object_set_qdata(UnsafeMutablePointer<GObject>(listItem), Self.key, nil)
    }

    /// The item of the row; `nil` if the row is not bound.
    var item: ListImageFactory.Item? {
      gtk_list_item_get_item(listItem).map {
        ListImageFactory.Item(object: UnsafeMutableRawPointer($0), position: Int(gtk_list_item_get_position(listItem)))
      }
    }

    /// Cancels the load, and shows the placeholder.
    func clear(_ options: ImageLoadingOptions) {
      guard binding.loadRequest != nil else { return }
      binding.forgetLoading()
      binding.showPlaceholder(options)
    }
  }
#endif
