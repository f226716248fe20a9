import Foundation
import NukeCodecs
import NukeServing

/// The settings of a worker, sent to it once.
struct WorkerSettings: Sendable {
  var limits = RenderLimits()
  var settings = RenderSettings()
  /// Bytes of memory that it may take for itself.
  var memoryLimit = 0
  /// The folders it may read, for text in drawings.
  var folders: [String] = []
  var watermark: Mark?

  /// A watermark without its pixels.
  struct Mark: Sendable {
    var id = ""
    var opacity = 0.0
    var width = 0
    var height = 0
    var isOpaque = false
  }
}

extension FieldCoder {
  mutating func code(_ settings: inout WorkerSettings) throws(MalformedFrame) {
    try code(&settings.limits)
    try code(&settings.settings)
    try code(&settings.memoryLimit)
    try code(&settings.folders, blank: "") { (coder, folder) throws(MalformedFrame) in try coder.code(&folder) }
    try code(&settings.watermark, blank: .init()) { (coder, mark) throws(MalformedFrame) in
      try coder.code(&mark.id)
      try coder.code(&mark.opacity)
      try coder.code(&mark.width)
      try coder.code(&mark.height)
      try coder.code(&mark.isOpaque)
    }
  }

  private mutating func code(_ limits: inout RenderLimits) throws(MalformedFrame) {
    try code(&limits.maximumSourceBytes)
    try code(&limits.source.maximumPixelCount)
    try code(&limits.source.maximumSide)
    try code(&limits.source.maximumFrameCount)
    try code(&limits.maximumResultPixels)
    try code(&limits.maximumResultSide)
    try code(&limits.maximumResultBytes)
    try code(&limits.maximumAnimationFrames)
    try code(&limits.maximumAnimationPixels)
    try code(&limits.maximumTrimmingBytes)
  }

  private mutating func code(_ settings: inout RenderSettings) throws(MalformedFrame) {
    try code(&settings.qualities)
    try code(&settings.writesProgressiveJPEG)
    try code(&settings.stripsMetadata)
    try code(&settings.keepsCopyright)
    try code(&settings.keepsLocation)
    try code(&settings.sendsSVG)
  }
}
