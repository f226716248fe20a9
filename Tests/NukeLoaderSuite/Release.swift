package import Foundation
import FoundationNetworking
package import Nuke

extension StreamingDataLoading {
  /// Returns once a transfer that is kept after its end has let go of whoever it has told. A program's object may keep the
  /// transfer and be told by it: both would stay for ever, and this would not return.
  ///
  /// - Parameter cancels: whether it is canceled at once.
  package func letGoOfObserver(of url: URL, cancels: Bool = false) async {
    var transfer: (any Transfer)?
    await withCheckedContinuation { continuation in
      transfer = stream(URLRequest(url: url), limit: nil, observer: Leaving { continuation.resume() })
      if cancels { transfer?.cancel() }
    }
    withExtendedLifetime(transfer) {}
  }
}

/// Hears of nothing, and tells when nobody has it any more.
private final class Leaving: StreamObserver {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  deinit { body() }

  func didReceive(_ head: ResponseHead) {}
  func didReceive(_ bytes: UnsafeRawBufferPointer) {}
  func didFinish(_ error: (any Error)?) {}
}
