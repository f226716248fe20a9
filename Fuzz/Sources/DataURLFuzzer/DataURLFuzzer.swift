import Foundation
import Fuzzing
import Nuke

/// The input is used as the text of a `data:` URL, and then as the bytes of one, which must be returned unchanged.
@c(LLVMFuzzerTestOneInput)
public func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  withInput(bytes, count) { data in
    if let url = URL(string: "data:" + String(decoding: data, as: UTF8.self)) { _ = load(url) }

    // An empty image is rejected.
    guard !data.isEmpty else { return }
    let encoded = data.base64EncodedString()
    let text = data.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    for text in ["data:;base64,\(encoded)", "data:image/png;a=b;BASE64,\(encoded)", "data:,\(text)"] {
      guard let url = URL(string: text) else { continue }
      expect(load(url) == data, "\(text) gives other bytes")
    }
  }
}

private let pipeline = ImagePipeline {
  $0.dataLoader = NoLoader()
  $0.imageCache = nil
  $0.maximumResponseDataSize = 1 << 20
}

/// Returns the data from the pipeline; `nil` if it fails because the URL cannot be read.
private func load(_ url: URL) -> Data? {
  let outcome = Outcome()
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    outcome.result = await Result { try await pipeline.data(for: url).0 }
    isDone.signal()
  }
  isDone.wait()
  switch outcome.result {
  case .success(let data)?: return data
  case .failure(let error)?:
    expect(error is ImagePipeline.Error, "an error that is no error of the pipeline: \(error)")
    return nil
  case nil: fatalError("no outcome")
  }
}

/// Written before the semaphore is signaled, and read after the wait.
private final class Outcome: @unchecked Sendable {
  var result: Result<Data, any Error>?
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

/// The loader for URLs that are not local. It sends no requests.
private struct NoLoader: DataLoading {
  private final class Nothing: Cancellable { func cancel() {} }

  func loadData(
    with request: URLRequest, didReceiveData: @escaping @Sendable (Data, URLResponse) -> Void,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) -> any Cancellable {
    completion(URLError(.unsupportedURL))
    return Nothing()
  }
}
