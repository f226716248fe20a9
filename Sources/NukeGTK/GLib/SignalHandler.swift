#if GTK
  package import CNukeGTK

  /// Calls closures when an object emits signals. The object releases them when it is disposed of.
  @MainActor package enum SignalHandler {
    /// Connects to a signal without arguments, or whose arguments are not needed.
    package static func connect(
      _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping @MainActor () -> Void
    ) {
      // With swapped arguments, the closure comes first, whatever else the signal has.
      let call: @convention(c) (UnsafeMutableRawPointer?) -> Void = { closure in
        guard let closure else { return }
        let body = RetainedClosure<@MainActor () -> Void>.body(of: closure)
        MainActor.assumeIsolated { Calls.observe { body() } }
      }
      connect(object, name, unsafeBitCast(call, to: GCallback.self), RetainedClosure(body), G_CONNECT_SWAPPED)
    }

    /// Connects to a signal with one argument that is an object. Returns the number of the connection.
    @discardableResult
    static func connect(
      _ object: UnsafeMutableRawPointer, _ name: String, _ body: @escaping @MainActor (OpaquePointer) -> Void
    ) -> gulong {
      typealias Call = @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void
      let call: Call = { _, argument, closure in
        guard let closure, let argument else { return }
        nonisolated(unsafe) let object = argument
        let body = RetainedClosure<@MainActor (OpaquePointer) -> Void>.body(of: closure)
        MainActor.assumeIsolated { Calls.observe { body(object) } }
      }
      return connect(object, name, unsafeBitCast(call, to: GCallback.self), RetainedClosure(body))
    }

    /// Connects to a signal with one argument that is a number.
    package static func connect(
      _ object: UnsafeMutableRawPointer, _ name: String, withNumber body: @escaping @MainActor (Int) -> Void
    ) {
      typealias Call = @convention(c) (UnsafeMutableRawPointer?, guint, UnsafeMutableRawPointer?) -> Void
      let call: Call = { _, number, closure in
        guard let closure else { return }
        let body = RetainedClosure<@MainActor (Int) -> Void>.body(of: closure)
        MainActor.assumeIsolated { Calls.observe { body(Int(number)) } }
      }
      connect(object, name, unsafeBitCast(call, to: GCallback.self), RetainedClosure(body))
    }

    /// Connects to a signal with two numbers, such as a position or a distance. The closure returns `true` if it handled
    /// the event, which signals without a result ignore.
    package static func connect(
      _ object: UnsafeMutableRawPointer, _ name: String, withPoint body: @escaping @MainActor (Double, Double) -> Bool
    ) {
      typealias Call = @convention(c) (UnsafeMutableRawPointer?, Double, Double, UnsafeMutableRawPointer?) -> gboolean
      let call: Call = { _, x, y, closure in
        guard let closure else { return 0 }
        let body = RetainedClosure<@MainActor (Double, Double) -> Bool>.body(of: closure)
        return MainActor.assumeIsolated { Calls.observe { body(x, y) } } ? 1 : 0
      }
      connect(object, name, unsafeBitCast(call, to: GCallback.self), RetainedClosure(body))
    }

    /// Connects to the signal `key-pressed`. The closure receives the number of the key, and returns `true` if it handled
    /// the key.
    package static func connect(
      _ object: UnsafeMutableRawPointer, _ name: String, withKey body: @escaping @MainActor (UInt32) -> Bool
    ) {
      typealias Call =
        @convention(c) (
          UnsafeMutableRawPointer?, guint, guint, GdkModifierType, UnsafeMutableRawPointer?
        ) -> gboolean
      let call: Call = { _, key, _, _, closure in
        guard let closure else { return 0 }
        let body = RetainedClosure<@MainActor (UInt32) -> Bool>.body(of: closure)
        return MainActor.assumeIsolated { Calls.observe { body(key) } } ? 1 : 0
      }
      connect(object, name, unsafeBitCast(call, to: GCallback.self), RetainedClosure(body))
    }

    /// Calls a closure for the text of a tooltip when it is shown. Setting a tooltip instead queries the pointer position
    /// of the display, which takes far longer than the rest of binding a row.
    package static func connectTooltip(
      _ widget: UnsafeMutablePointer<GtkWidget>, _ body: @escaping @MainActor () -> String?
    ) {
      typealias Call =
        @convention(c) (
          UnsafeMutableRawPointer?, gint, gint, gboolean, OpaquePointer?, UnsafeMutableRawPointer?
        ) -> gboolean
      let call: Call = { _, _, _, _, tooltip, closure in
        guard let closure, let tooltip else { return 0 }
        let body = RetainedClosure<@MainActor () -> String?>.body(of: closure)
        guard let text = MainActor.assumeIsolated({ Calls.observe { body() } }) else { return 0 }
        gtk_tooltip_set_text(tooltip, text)
        return 1
      }
      connect(widget, "query-tooltip", unsafeBitCast(call, to: GCallback.self), RetainedClosure(body))
      gtk_widget_set_has_tooltip(widget, 1)
    }

    @discardableResult
    private static func connect<Body>(
      _ object: UnsafeMutableRawPointer, _ name: String, _ call: GCallback, _ closure: RetainedClosure<Body>,
      _ flags: GConnectFlags = GConnectFlags(rawValue: 0)
    ) -> gulong {
      g_signal_connect_data(
        object, name, call, Unmanaged.passRetained(closure).toOpaque(), { closure, _ in releaseRetained(closure) },
        flags)
    }
  }
#endif
