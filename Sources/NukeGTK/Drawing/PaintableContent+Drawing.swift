#if GTK
  import CNukeGTK
  import Foundation

  extension PaintableContent {
    /// Draws the content into a snapshot, in bounds of `size` points.
    func draw(on snapshot: OpaquePointer, size: CGSize) {
      guard progress < 1 else {
        if let current { draw(current, on: snapshot, size: size) }
        return
      }
      gtk_snapshot_push_cross_fade(snapshot, progress)
      if let previous { draw(previous, on: snapshot, size: size) }
      gtk_snapshot_pop(snapshot)
      if let current { draw(current, on: snapshot, size: size) }
      gtk_snapshot_pop(snapshot)
    }

    private func draw(_ layer: Layer, on snapshot: OpaquePointer, size: CGSize) {
      let bounds = CGRect(origin: .zero, size: size)
      let frame = frame(of: layer, in: size)
      let sticksOut = !bounds.contains(frame)
      if sticksOut {
        var clip = graphene_rect_t(bounds)
        gtk_snapshot_push_clip(snapshot, &clip)
      }
      if let tint = layer.tintColor {
        nuke_gtk_snapshot_push_tint(snapshot, Float(tint.red), Float(tint.green), Float(tint.blue), Float(tint.alpha))
      }
      var area = graphene_rect_t(frame)
      gtk_snapshot_append_texture(snapshot, layer.texture.pointer, &area)
      if layer.tintColor != nil { gtk_snapshot_pop(snapshot) }
      if sticksOut { gtk_snapshot_pop(snapshot) }
    }
  }

  extension graphene_rect_t {
    fileprivate init(_ rect: CGRect) {
      self.init(
        origin: graphene_point_t(x: Float(rect.minX), y: Float(rect.minY)),
        size: graphene_size_t(width: Float(rect.width), height: Float(rect.height)))
    }
  }
#endif
