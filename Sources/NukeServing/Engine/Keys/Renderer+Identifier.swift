import Foundation
import NukeCodecs

extension Renderer {
  /// What decides about files besides requests: renderers with the same make the same files. What is merely refused is not
  /// part of it.
  package var identifier: String {
    let qualities = settings.qualities.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.key.rawValue)=\($0.value)" }.joined(separator: ",")
    let switches = [
      settings.writesProgressiveJPEG, settings.stripsMetadata, settings.keepsCopyright, settings.keepsLocation,
      settings.sendsSVG,
    ].map { $0 ? "1" : "0" }.joined()
    let animation = "\(limits.maximumAnimationFrames)x\(limits.maximumAnimationPixels)"
    let overlay = watermark.map { "\($0.opacity):\($0.id)" } ?? "-"
    return [qualities, switches, animation, overlay].joined(separator: " ")
  }
}
