#if Server
  import NukeImaging
  import NukeServing

  /// Collects what is learned about a request while it is answered, for its log entry, its trace and its response.
  final class RequestRecord: Sendable {
    /// The record of the request that the current task answers.
    @TaskLocal static var current: RequestRecord?

    struct Values: Sendable, Equatable {
      /// The place where the rendition was found; `nil` if the response is not one.
      var origin: Rendition.Origin?
      var isDegraded = false
      /// Seconds by the stage's name, in the order in which they came.
      var stages: [(name: String, seconds: Double)] = []
      /// For whoever runs the server.
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

    /// Adds to what a stage took; what took no time is left out.
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
