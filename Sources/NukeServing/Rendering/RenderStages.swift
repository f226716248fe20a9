/// Where whoever makes a file tells what the parts of the work took: ``ServiceStatistics/Stage/decode`` and the like.
///
/// A structure and not the closure alone: as a task-local value that crashes once it is optimised (Swift 6.3, the type's
/// metadata are missing).
package struct RenderStages: Sendable {
  /// Those of the service for which the current task works; nil where nobody wants to know.
  @TaskLocal static var current: RenderStages?

  let observer: StageObserver

  package static func note(_ stage: ServiceStatistics.Stage, seconds: Double) {
    if seconds > 0, let current { current.observer(stage, seconds) }
  }
}
