#if GTK
  package import CNukeGTK

  /// Calls closures when an object emits signals. An object lets go of them when it is disposed of.
  @MainActor package enum Signal {
    /// - Parameter name: of a signal without arguments.
    package static func connect(
      _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping @MainActor () -> Void
    ) {
      let call: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = { _, box in
        guard let box else { return }
        let body = Unmanaged<Box<@MainActor () -> Void>>.fromOpaque(box).takeUnretainedValue().body
        MainActor.assumeIsolated { MainThreadWork.count { body() } }
      }
      connect(object, name, unsafeBitCast(call, to: GCallback.self), Box(body))
    }

    /// - Parameters:
    ///   - name: of a signal with one argument that is an object.
    ///   - body: gets that object.
    static func connect(
      _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping @MainActor (OpaquePointer) -> Void
    ) {
      typealias Call = @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void
      let call: Call = { _, argument, box in
        guard let box, let argument else { return }
        nonisolated(unsafe) let object = argument
        let body = Unmanaged<Box<@MainActor (OpaquePointer) -> Void>>.fromOpaque(box).takeUnretainedValue().body
        MainActor.assumeIsolated { MainThreadWork.count { body(object) } }
      }
      connect(object, name, unsafeBitCast(call, to: GCallback.self), Box(body))
    }

    /// - Parameters:
    ///   - name: of a signal with one argument that is a number.
    ///   - body: gets that number.
    package static func connect(
      _ object: UnsafeMutableRawPointer, _ name: String, withNumber body: @escaping @MainActor (Int) -> Void
    ) {
      let call: @convention(c) (UnsafeMutableRawPointer?, guint, UnsafeMutableRawPointer?) -> Void = { _, number, box in
        guard let box else { return }
        let body = Unmanaged<Box<@MainActor (Int) -> Void>>.fromOpaque(box).takeUnretainedValue().body
        MainActor.assumeIsolated { MainThreadWork.count { body(Int(number)) } }
      }
      connect(object, name, unsafeBitCast(call, to: GCallback.self), Box(body))
    }

    /// Asks what a widget's tooltip says when it is to be shown. To set one asks the display where the pointer is, which
    /// takes far longer than all else that is done for a row of a list.
    package static func connectTooltip(
      _ widget: UnsafeMutablePointer<GtkWidget>, _ body: @escaping @MainActor () -> String?
    ) {
      typealias Call =
        @convention(c) (
          UnsafeMutableRawPointer?, gint, gint, gboolean, OpaquePointer?, UnsafeMutableRawPointer?
        ) -> gboolean
      let call: Call = { _, _, _, _, tooltip, box in
        guard let box, let tooltip else { return 0 }
        let body = Unmanaged<Box<@MainActor () -> String?>>.fromOpaque(box).takeUnretainedValue().body
        guard let text = MainActor.assumeIsolated({ MainThreadWork.count { body() } }) else { return 0 }
        gtk_tooltip_set_text(tooltip, text)
        return 1
      }
      connect(widget, "query-tooltip", unsafeBitCast(call, to: GCallback.self), Box(body))
      gtk_widget_set_has_tooltip(widget, 1)
    }

    private static func connect<Body>(
      _ object: UnsafeMutableRawPointer, _ name: String, _ call: GCallback, _ box: Box<Body>
    ) {
      g_signal_connect_data(
        object, name, call, Unmanaged.passRetained(box).toOpaque(),
        { box, _ in
          if let box { Unmanaged<AnyObject>.fromOpaque(box).release() }
        }, GConnectFlags(rawValue: 0))
    }
  }

  /// A closure that C keeps.
  final class Box<Body> {
    let body: Body
    init(_ body: Body) { self.body = body }
  }
#endif
