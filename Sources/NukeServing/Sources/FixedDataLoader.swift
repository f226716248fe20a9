package import Foundation
package import FoundationNetworking
package import Nuke

/// Returns the same data for every URL.
package struct FixedDataLoader: DataLoading {
  private let data: Data

  package init(_ data: Data) { self.data = data }

  package func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    let url = request.url ?? URL(fileURLWithPath: "/")
    didReceiveData(
      data, URLResponse(url: url, mimeType: nil, expectedContentLength: data.count, textEncodingName: nil))
    completion(nil)
    return NotCancellable()
  }

  private struct NotCancellable: Cancellable {
    func cancel() {}
  }
}
