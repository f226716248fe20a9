#if GTK
  import CNukeGTK
  import Foundation

  /// The GObject class of the paintable.
  extension ImagePaintable {
    private struct Instance {
      var parent: GObject
      /// A retained ``Storage``.
      var storage: UnsafeMutableRawPointer?
    }

    nonisolated static func makeInstance() -> OpaquePointer {
      guard let made = g_object_new_with_properties(type, 0, nil, nil) else {
        preconditionFailure("GObject makes an instance of every class that is registered")
      }
      return OpaquePointer(made)
    }

    nonisolated static func storage(of paintable: OpaquePointer) -> Storage {
      guard let storage = UnsafeMutablePointer<Instance>(paintable).pointee.storage else {
        preconditionFailure("a finalized paintable is drawn")
      }
      return Unmanaged.fromOpaque(storage).takeUnretainedValue()
    }

    private nonisolated(unsafe) static var finalizeParent: (@convention(c) (UnsafeMutablePointer<GObject>?) -> Void)?

    private nonisolated static let type: GType = {
      let type = g_type_register_static_simple(
        nuke_gtk_object_type(), "NukeImagePaintable", guint(MemoryLayout<GObjectClass>.size),
        { made, _ in
          guard let made = made?.assumingMemoryBound(to: GObjectClass.self) else { return }
          finalizeParent = made.pointee.finalize
          made.pointee.finalize = { object in
            if let instance = UnsafeMutableRawPointer(object)?.assumingMemoryBound(to: Instance.self),
              let storage = instance.pointee.storage
            {
              instance.pointee.storage = nil
              Unmanaged<Storage>.fromOpaque(storage).release()
            }
            finalizeParent?(object)
          }
        },
        guint(MemoryLayout<Instance>.size),
        { made, _ in
          made?.withMemoryRebound(to: Instance.self, capacity: 1) {
            $0.pointee.storage = Unmanaged.passRetained(Storage()).toOpaque()
          }
        }, GTypeFlags(rawValue: 0))
      var paintable = GInterfaceInfo()
      paintable.interface_init = { methods, _ in
        guard let methods = methods?.assumingMemoryBound(to: GdkPaintableInterface.self) else { return }
        methods.pointee.snapshot = { paintable, snapshot, width, height in
          guard let paintable, let snapshot else { return }
          let storage = storage(of: paintable)
          let size = CGSize(width: width, height: height)
          Calls.observe { storage.content.draw(on: snapshot, size: size) }
          if let onDraw = storage.onDraw { MainActor.assumeIsolated { Calls.observe { onDraw(size) } } }
        }
        methods.pointee.get_intrinsic_width = { paintable in
          paintable.map { Int32(points: storage(of: $0).content.naturalSize.width) } ?? 0
        }
        methods.pointee.get_intrinsic_height = { paintable in
          paintable.map { Int32(points: storage(of: $0).content.naturalSize.height) } ?? 0
        }
        // The copy does not change anymore.
        methods.pointee.get_current_image = { paintable in
          guard let paintable else { return nil }
          let copy = makeInstance()
          storage(of: copy).content = storage(of: paintable).content
          return copy
        }
      }
      g_type_add_interface_static(type, gdk_paintable_get_type(), &paintable)
      return type
    }()
  }
#endif
