import Foundation

/// Prints warnings about problems for which no error can be thrown, once for each topic.
package final class Warnings: Sendable {
  package enum Topic: Hashable, Sendable {
    case noDataCache
    case droppedData
    case noHTTPCache
  }

  /// The warnings of the process, written to standard error.
  package static let standardError = Warnings {
    try? FileHandle.standardError.write(contentsOf: Data("nuke: \($0)\n".utf8))
  }

  private let given = Lock(Set<Topic>())
  private let sink: @Sendable (String) -> Void

  /// - Parameter sink: receives each warning, one or two sentences.
  package init(sink: @escaping @Sendable (String) -> Void) { self.sink = sink }

  /// Prints `text`, unless a warning of this topic has been printed.
  package func giveOnce(_ topic: Topic, _ text: @autoclosure () -> String) {
    if given.withLock({ $0.insert(topic).inserted }) { sink(text()) }
  }
}
