import NukeBase

#if Server
  import Foundation
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
    private let guarded = Lock(Values())
    private let sending = Lock(Sending())

    private struct Sending {
      var isPending = false
      var action: (@Sendable () -> Void)?
    }

    init(id: String) { self.id = id }

    var values: Values { guarded.withLock { $0 } }

    /// Adds a duration to a stage. Durations of zero are ignored.
    func add(_ stage: String, _ seconds: Double) {
      guard seconds > 0 else { return }
      guarded.withLock { values in
        if let place = values.stages.firstIndex(where: { $0.name == stage }) {
          values.stages[place].seconds += seconds
        } else {
          values.stages.append((stage, seconds))
        }
      }
    }

    func set(_ rendition: Rendition) {
      guarded.withLock {
        $0.origin = rendition.origin
        $0.isDegraded = rendition.isDegraded
      }
    }

    func set(source: URL) { guarded.withLock { $0.sourceHost = source.loggedHost } }

    /// Says that the body of the response is written after the response has been returned.
    func beginSending() { sending.withLock { $0.isPending = true } }

    /// Says that all of the body was written.
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

    func set(error: String) { guarded.withLock { $0.error = error } }
  }

  extension URL {
    /// The host of a source on the web; otherwise the scheme and the bucket or the folder.
    var loggedHost: String {
      let host = host ?? ""
      return scheme == "http" || scheme == "https" ? host : "\(scheme ?? "")://\(host)"
    }
  }
#endif
