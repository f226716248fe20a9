#if GTK
  import NukeGTK

  /// A `GListModel` whose items are created when a list asks for them, and are released with the rows that show them.
  ///
  /// A `GtkStringList` would have an object and a copy of the name for each photo.
  @MainActor enum PhotoListModel {
    private struct Instance {
      var parent: GObject
      /// The unretained ``ImageModel``; `nil` when it is gone.
      var source: UnsafeMutableRawPointer?
    }

    /// Returns a new `GListModel`, which the caller owns.
    static func make(_ source: ImageModel) -> OpaquePointer {
      guard let made = g_object_new_with_properties(type, 0, nil, nil) else {
        preconditionFailure("GObject makes an instance of every class that is registered")
      }
      let pointer = OpaquePointer(made)
      UnsafeMutablePointer<Instance>(pointer).pointee.source = Unmanaged.passUnretained(source).toOpaque()
      return pointer
    }

    /// Empties a model whose source is deinitialized. Lists may retain the `GListModel`.
    static func detach(_ model: OpaquePointer) { UnsafeMutablePointer<Instance>(model).pointee.source = nil }

    private static func source(of model: OpaquePointer) -> ImageModel? {
      UnsafeMutablePointer<Instance>(model).pointee.source.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    private static func item(at position: Int, of model: OpaquePointer) -> UnsafeMutableRawPointer? {
      guard let source = source(of: model), position < source.count else { return nil }
      return source.items.item(source.id(at: position))
    }

    private static let type: GType = {
      let type = g_type_register_static_simple(
        nuke_gtk_object_type(), "NukePhotoListModel", guint(MemoryLayout<GObjectClass>.size), nil,
        guint(MemoryLayout<Instance>.size), nil, GTypeFlags(rawValue: 0))
      var list = GInterfaceInfo()
      list.interface_init = { methods, _ in
        guard let methods = methods?.assumingMemoryBound(to: GListModelInterface.self) else { return }
        methods.pointee.get_item_type = { _ in nuke_gtk_object_type() }
        methods.pointee.get_n_items = { model in
          guard let model else { return 0 }
          nonisolated(unsafe) let list = model
          return MainActor.assumeIsolated { guint(source(of: list)?.count ?? 0) }
        }
        methods.pointee.get_item = { model, position in
          guard let model else { return nil }
          nonisolated(unsafe) let list = model
          let address = MainActor.assumeIsolated { UInt(bitPattern: item(at: Int(position), of: list)) }
          return UnsafeMutableRawPointer(bitPattern: address)
        }
      }
      g_type_add_interface_static(type, g_list_model_get_type(), &list)
      return type
    }()
  }
#endif
