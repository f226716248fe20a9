/// Is told of a stage that has just come to its end, and of its seconds, in the task of the request that it was done for:
/// of several that wait for the same, the first.
package typealias StageObserver = @Sendable (_ stage: ServiceStatistics.Stage, _ seconds: Double) -> Void
