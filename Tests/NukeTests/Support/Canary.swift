import Nuke
import NukeTesting

/// Tells that it was released, and with it whatever alone refers to it.
final class Canary: Sendable {
  private let released: @Sendable () -> Void

  init(_ released: @escaping @Sendable () -> Void) { self.released = released }

  convenience init(_ name: String, _ log: CallLog) { self.init { log.append(name) } }

  deinit { released() }
}

/// A delegate that tells when it is gone, and with it the pipeline, which alone refers to it.
final class CanaryDelegate: ImagePipeline.Delegate {
  let canary: Canary
  init(_ canary: Canary) { self.canary = canary }
}
