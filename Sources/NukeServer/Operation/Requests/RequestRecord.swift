#if Server
  import NukeImaging
  import NukeServing

  /// Collects what is learned about a request while it is answered, for its log entry, its trace and its response.
  final class RequestRecord: Sendable {
    /// The record of the request that the current task answers.
    @TaskLocal static var current: RequestRecord?

    struct Values: Sendable, Equatable {
      /// The cache that the rendition came from; `nil` if the response is not a rendition.
      var origin: Rendition.Origin?
      var isDegraded = false
      /// The stages in the order of their completion, with their durations in seconds.
      var stages: [(name: String, seconds: Double)] = []
      /// The error description for the operator.
      var error: String?

      static func == (one: Self, other: Self) -> Bool {
        one.origin == other.origin && one.isDegraded == other.isDegraded && one.error == other.error
          && one.stages.elementsEqual(other.stages) { $0 == $1 }
      }
    }

    let id: String
    private let guarded = Lock(Values())

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

    func set(error: String) { guarded.withLock { $0.error = error } }
  }
#endif
