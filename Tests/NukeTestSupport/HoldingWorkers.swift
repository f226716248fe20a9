import Testing

/// Tests that hold worker threads. The pool is shared and small, so they come one after the other.
@Suite(.serialized, .timeLimit(.minutes(1)))
package enum HoldingWorkers {}
