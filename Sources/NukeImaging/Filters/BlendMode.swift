import CNukeKernels

/// A blend mode of W3C's *Compositing and Blending*.
public enum BlendMode: String, Sendable, Hashable, CaseIterable {
  case normal, multiply, screen, overlay, darken, lighten
  case colorDodge, colorBurn, hardLight, softLight
  case difference, exclusion
  case hue, saturation, color, luminosity

  var number: nuke_blend_mode {
    switch self {
    case .normal: nuke_blend_normal
    case .multiply: nuke_blend_multiply
    case .screen: nuke_blend_screen
    case .overlay: nuke_blend_overlay
    case .darken: nuke_blend_darken
    case .lighten: nuke_blend_lighten
    case .colorDodge: nuke_blend_color_dodge
    case .colorBurn: nuke_blend_color_burn
    case .hardLight: nuke_blend_hard_light
    case .softLight: nuke_blend_soft_light
    case .difference: nuke_blend_difference
    case .exclusion: nuke_blend_exclusion
    case .hue: nuke_blend_hue
    case .saturation: nuke_blend_saturation
    case .color: nuke_blend_color
    case .luminosity: nuke_blend_luminosity
    }
  }
}

extension Bitmap {
  /// Returns this image composited over another one; `nil` if their sizes differ or memory cannot be allocated.
  package func blended(over below: Bitmap, _ mode: BlendMode, opacity: Double = 1) -> Bitmap? {
    blended(over: below, mode.number, opacity: opacity)
  }
}
