#if Server
  import Foundation
  import NukeBase
  import NukeServing

  /// Collects what is learned about a request while it is answered, for its log entry, its trace and its response.
  final class RequestRecord: Sendable {
    /// The record of the request that the current task answers.
    @TaskLocal static var current: RequestRecord?

    struct Values: Sendable {
      /// The cache that the rendition came from; `nil` if the response is not a rendition.
      var origin: Rendition.Origin?
      var isDegraded = false
      /// The stages in the order of their completion, with their durations in seconds.
      var stages: [(name: String, seconds: Double)] = []
      /// The error description for the operator.
      var error: String?
      /// The host, bucket or folder of the source.
      var sourceHost: String?
    }

    let id: String
    private let lockedValues = Lock(Values())
    private let sending = Lock(Sending())

    private struct Sending {
      var isPending = false
      var action: (@Sendable () -> Void)?
    }

    init(id: String) { self.id = id }

    var values: Values { lockedValues.withLock { $0 } }

    /// Adds a duration to a stage. Durations of zero are ignored.
    func add(_ stage: String, _ seconds: Double) {
      guard seconds > 0 else { return }
      lockedValues.withLock { values in
        if let index = values.stages.firstIndex(where: { $0.name == stage }) {
          values.stages[index].seconds += seconds
        } else {
          values.stages.append((stage, seconds))
        }
      }
    }

    func set(_ rendition: Rendition) {
      lockedValues.withLock {
        $0.origin = rendition.origin
        $0.isDegraded = rendition.isDegraded
      }
    }

    func set(source: URL) { lockedValues.withLock { $0.sourceHost = source.loggedHost } }

    /// Records that the body of the response is written after the response has been returned.
    func beginSending() { sending.withLock { $0.isPending = true } }

    /// Records that the whole body was written, and runs the action of ``whenSent(_:)``.
    func endSending() {
      let action = sending.withLock { sending in
        sending.isPending = false
        return sending.action.take()
      }
      action?()
    }

    /// Calls `action` when all of the response was written, or at once if its body is short. It is not called if the
    /// client disconnects before.
    func whenSent(_ action: @escaping @Sendable () -> Void) {
      let isPending = sending.withLock { sending in
        if sending.isPending { sending.action = action }
        return sending.isPending
      }
      if !isPending { action() }
    }

    func set(error: String) { lockedValues.withLock { $0.error = error } }
  }

  extension URL {
    /// The host of a source on the web; otherwise the scheme and the bucket or the folder.
    var loggedHost: String {
      let host = host ?? ""
      return scheme == "http" || scheme == "https" ? host : "\(scheme ?? "")://\(host)"
    }
  }
#endif
