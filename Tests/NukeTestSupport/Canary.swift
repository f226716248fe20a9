import Nuke
package import NukeTesting

/// Tells that it was released, and with it whatever alone refers to it.
package final class Canary: Sendable {
  private let released: @Sendable () -> Void

  package init(_ released: @escaping @Sendable () -> Void) { self.released = released }

  package convenience init(_ name: String, _ log: CallLog) { self.init { log.append(name) } }

  deinit { released() }
}

/// A delegate that tells when it is gone, and with it the pipeline, which alone refers to it.
package final class CanaryDelegate: ImagePipeline.Delegate {
  package let canary: Canary
  package init(_ canary: Canary) { self.canary = canary }
}
