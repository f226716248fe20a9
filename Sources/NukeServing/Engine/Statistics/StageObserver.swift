/// Is told of a stage that has come to its end, of its seconds, and how many seconds ago that was, in the task of the request
/// that it was done for: of several that wait for the same, the first.
package typealias StageObserver = @Sendable (_ stage: ServiceStatistics.Stage, _ seconds: Double, _ ago: Double) -> Void
