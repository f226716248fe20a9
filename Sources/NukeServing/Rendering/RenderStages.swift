/// Receives the durations of the parts of rendering: ``ServiceStatistics/Stage/decode`` and the like.
///
/// A structure and not the closure alone: as a task-local value that crashes once it is optimized (Swift 6.3, the
/// type's metadata are missing).
package struct RenderStages: Sendable {
  /// The receiver for the current task; `nil` if durations are not needed.
  @TaskLocal package static var current: RenderStages?

  private let observer: StageObserver

  package init(_ observer: @escaping StageObserver) { self.observer = observer }

  /// - Parameter ago: seconds since the stage's end.
  package static func note(_ stage: ServiceStatistics.Stage, seconds: Double, ago: Double = 0) {
    if seconds > 0, let current { current.observer(stage, seconds, ago) }
  }
}
