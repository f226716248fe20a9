import Foundation
import Nuke
import NukeCodecs
import NukeTesting

/// A decoder that states the memory it takes, waits at gates, and looks whether it is to stop.
final class ScriptedDecoder: ScalableImageDecoding {
  /// What makes opening an image slow.
  struct Opening: Sendable {
    var byteCount = 0
    var gate = Gate()
    var error: CodecError?
  }

  let gate: Gate
  let log = CallLog()
  private let asked = CallLog()
  private let byteCount: Int
  private let opening: Opening?
  private let onBegin: @Sendable () -> Void

  /// - Parameter opening: `nil` if images are opened at once.
  init(
    byteCount: Int, gate: Gate = Gate(), opening: Opening? = nil, onBegin: @escaping @Sendable () -> Void = {}
  ) {
    self.byteCount = byteCount
    self.gate = gate
    self.opening = opening
    self.onBegin = onBegin
  }

  /// Asked once there is room in the budget, when the way to the queue is chosen.
  var isAsynchronous: Bool {
    asked.append("asked")
    return true
  }

  /// Returns once `count` decodes have their room and are on their way to the queue.
  func queued(count: Int) async { await asked.entries(count: count) }

  func decode(_ data: Data) throws -> ImageContainer {
    try open(data, limits: CodecLimits()).decode(DecodeOptions())
  }

  func openingByteCount(of data: Data) -> Int? { opening?.byteCount }

  func open(_ data: Data, limits: CodecLimits) throws -> any OpenedImage {
    if let opening {
      log.append(WorkerPool.isWorker ? "open" : "open elsewhere")
      opening.gate.waitBlocking()
      if let error = opening.error { throw error }
    }
    return Opened(decoder: self)
  }

  private struct Opened: OpenedImage {
    let decoder: ScriptedDecoder
    var pixelSize: (width: Int, height: Int) { (8, 8) }
    var scaleDenominators: [Int] { [1, 2] }

    func byteCount(scaleDenominator: Int) -> Int { decoder.byteCount }

    func decode(_ options: DecodeOptions) throws -> ImageContainer {
      decoder.onBegin()
      decoder.gate.waitBlocking()
      if options.isCancelled?() == true {
        decoder.log.append("told to stop")
        throw CodecError.cancelled(.png)
      }
      decoder.log.append("done")
      let side = 8 / options.scaleDenominator
      return ImageContainer(image: SampleImage.bitmap(width: side, height: side))
    }
  }
}
