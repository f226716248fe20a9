#if GTK
  import CNukeGTK
  import Foundation

  /// Enlarges the child of a `GtkScrolledWindow`: by calls, by the wheel of a mouse, and with two fingers. A drag moves it.
  ///
  /// The controllers of the scrolled window retain this object, which has no references to widgets.
  @MainActor final class ImageZoom {
    private let area: UnsafeMutablePointer<GtkWidget>
    private let child: UnsafeMutablePointer<GtkWidget>
    private(set) var scale = ZoomScale()
    /// The size of the area for which the size of the child was computed.
    private var areaSize: (width: Int32, height: Int32) = (0, 0)
    /// The scroll position to set when the child has its new size.
    private var target: (x: Double, y: Double)?
    /// The position of the pointer in the area.
    private var pointer: (x: Double, y: Double)?
    private var resizing: Timeout?

    init(_ child: UnsafeMutablePointer<GtkWidget>, in area: UnsafeMutablePointer<GtkWidget>) {
      self.child = child
      self.area = area
      for adjustment in [horizontal, vertical] {
        SignalHandler.connect(UnsafeMutableRawPointer(adjustment), "changed") { [weak self] in self?.didLayOut() }
      }
      addPinch()
      addWheel()
      addDrag()
    }

    private var horizontal: UnsafeMutablePointer<GtkAdjustment> {
      gtk_scrolled_window_get_hadjustment(OpaquePointer(area))
    }
    private var vertical: UnsafeMutablePointer<GtkAdjustment> {
      gtk_scrolled_window_get_vadjustment(OpaquePointer(area))
    }

    /// Enlarges the child to a multiple of the area.
    ///
    /// - Parameter point: the point of the area that stays where it is. The default is the middle.
    func set(_ value: Double, at point: (x: Double, y: Double)? = nil) {
      let ratio = scale.set(value)
      guard ratio != 1 else { return }
      let point = point ?? (Double(gtk_widget_get_width(area)) / 2, Double(gtk_widget_get_height(area)) / 2)
      // Several steps may precede a layout.
      let position = target ?? (gtk_adjustment_get_value(horizontal), gtk_adjustment_get_value(vertical))
      target = (
        ZoomScale.position(keeping: point.x, at: position.x, ratio: ratio),
        ZoomScale.position(keeping: point.y, at: position.y, ratio: ratio)
      )
      resize()
    }

    /// Shows the whole child.
    func reset() {
      set(1)
      target = nil
    }

    private func resize() {
      areaSize = (gtk_widget_get_width(area), gtk_widget_get_height(area))
      let side = { (side: Int32) in self.scale.value == 1 ? -1 : Int32((Double(side) * self.scale.value).rounded()) }
      gtk_widget_set_size_request(child, side(areaSize.width), side(areaSize.height))
    }

    private func didLayOut() {
      if let target {
        gtk_adjustment_set_value(horizontal, target.x)
        gtk_adjustment_set_value(vertical, target.y)
        let isReached = [horizontal, vertical].allSatisfy {
          gtk_adjustment_get_upper($0) >= (gtk_adjustment_get_page_size($0) * scale.value).rounded(.down) - 1
        }
        if isReached { self.target = nil }
      }
      // The window has another size. Its layout must not change before it is complete.
      guard scale.value > 1, areaSize != (gtk_widget_get_width(area), gtk_widget_get_height(area)) else { return }
      resizing = Timeout(after: 0) { [weak self] in self?.resize() }
    }

    // MARK: Events

    private func addPinch() {
      let gesture = Widgets.made(gtk_gesture_zoom_new())
      var start = 1.0
      SignalHandler.connect(UnsafeMutableRawPointer(gesture), "begin") { [self] in start = scale.value }
      SignalHandler.connect(UnsafeMutableRawPointer(gesture), "scale-changed") { [self] in
        var center = (x: 0.0, y: 0.0)
        let isKnown = gtk_gesture_get_bounding_box_center(gesture, &center.x, &center.y) != 0
        set(start * gtk_gesture_zoom_get_scale_delta(gesture), at: isKnown ? center : nil)
      }
      gtk_widget_add_controller(area, gesture)
    }

    private func addWheel() {
      let motion = Widgets.made(gtk_event_controller_motion_new())
      SignalHandler.connect(
        UnsafeMutableRawPointer(motion), "motion",
        withPoint: { [self] x, y in
          pointer = (x, y)
          return false
        })
      gtk_widget_add_controller(area, motion)
      let wheel = Widgets.made(gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL))
      // Before the scrolled window, which would scroll.
      gtk_event_controller_set_propagation_phase(wheel, GTK_PHASE_CAPTURE)
      SignalHandler.connect(
        UnsafeMutableRawPointer(wheel), "scroll",
        withPoint: { [self] _, distance in
          guard isZoom(wheel) else { return false }
          turnWheel(by: distance, at: pointer)
          return true
        })
      gtk_widget_add_controller(area, wheel)
    }

    /// Enlarges the child around a point, by a step for each step of a wheel away from the user, which is negative.
    func turnWheel(by distance: Double, at point: (x: Double, y: Double)?) {
      set(scale.value * pow(ZoomScale.step, -min(max(distance, -4), 4)), at: point)
    }

    /// A wheel zooms. Two fingers on a touchpad scroll, unless the control key is pressed.
    private func isZoom(_ wheel: OpaquePointer) -> Bool {
      let state = gtk_event_controller_get_current_event_state(wheel)
      if state.rawValue & GDK_CONTROL_MASK.rawValue != 0 { return true }
      return gtk_event_controller_get_current_event_device(wheel).map { gdk_device_get_source($0) } == GDK_SOURCE_MOUSE
    }

    private func addDrag() {
      let gesture = Widgets.made(gtk_gesture_drag_new())
      var start: (x: Double, y: Double)?
      SignalHandler.connect(
        UnsafeMutableRawPointer(gesture), "drag-begin",
        withPoint: { [self] _, _ in
          // The scrolled window follows fingers itself.
          let isFinger = gtk_gesture_get_device(gesture).map { gdk_device_get_source($0) } == GDK_SOURCE_TOUCHSCREEN
          start = isFinger ? nil : (gtk_adjustment_get_value(horizontal), gtk_adjustment_get_value(vertical))
          return false
        })
      SignalHandler.connect(
        UnsafeMutableRawPointer(gesture), "drag-update",
        withPoint: { [self] x, y in
          guard let start else { return false }
          gtk_adjustment_set_value(horizontal, start.x - x)
          gtk_adjustment_set_value(vertical, start.y - y)
          return false
        })
      gtk_widget_add_controller(area, gesture)
    }
  }
#endif
