package import Foundation
import FoundationNetworking
package import Nuke

extension StreamingDataLoading {
  /// Whether a transfer that is kept after its end lets go of whoever it has told. A program's object may keep the transfer
  /// and be told by it: both would stay for ever.
  ///
  /// - Parameter cancels: whether it is cancelled at once.
  package func letsGoOfObserver(of url: URL, cancels: Bool = false) async -> Bool {
    let (observer, transfer) = await ended(url, cancels: cancels)
    // The thread that tells the end has it a moment longer.
    for _ in 0..<5000 where observer.value != nil { try? await Task.sleep(for: .milliseconds(1)) }
    return withExtendedLifetime(transfer) { observer.value == nil }
  }

  private func ended(_ url: URL, cancels: Bool) async -> (WeakRecorder, any Transfer) {
    let (recorder, transfer) = record(URLRequest(url: url))
    if cancels { transfer.cancel() }
    await recorder.finished()
    return (WeakRecorder(recorder), transfer)
  }
}

private final class WeakRecorder: @unchecked Sendable {
  weak var value: Recorder?

  init(_ value: Recorder) { self.value = value }
}
