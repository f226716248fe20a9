/// Where whoever makes a file tells what the parts of the work took: ``ServiceStatistics/Stage/decode`` and the like.
package enum RenderStages {
  /// That of the service for which the current task works; nil where nobody wants to know.
  @TaskLocal package static var observer: StageObserver?

  package static func note(_ stage: ServiceStatistics.Stage, seconds: Double) {
    if seconds > 0 { observer?(stage, seconds) }
  }
}
