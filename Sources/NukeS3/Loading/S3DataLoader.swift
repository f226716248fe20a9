package import Foundation
package import FoundationNetworking
public import Nuke

/// Loads `s3://bucket/key` URLs from an S3-compatible store. `?VERSION` or `?versionId=VERSION` selects a version.
///
/// ```swift
/// let loader = S3DataLoader(endpoint: S3Endpoint(environment: ProcessInfo.processInfo.environment))
/// let pipeline = ImagePipeline { $0.dataLoader = loader }
/// ```
///
/// libcurl signs the requests (Signature Version 4). Bodies are streamed. Conditional requests, byte ranges, limits,
/// the HTTP cache and errors work as with `DataLoader`. A missing object fails with status 404, or with 403 if the
/// credentials do not allow listing the bucket. Without valid credentials, it fails with
/// ``S3CredentialProvider/Error``. Keys with a `.` or `..` path component are not supported. Redirects,
/// which Amazon S3 uses to name another region, are not followed.
public final class S3DataLoader: DataLoading {
  private let service: S3Endpoint.Service
  private let requests: S3Requests
  private let loader: SigningLoader

  /// - Parameters:
  ///   - endpoint: the store's address and credentials.
  ///   - configuration: limits and other settings. The configuration's `additionalHeaders` are not sent. A store
  ///     in a private network needs an `AddressPolicy` that allows its address.
  ///   - retryPolicy: decides which failed transfers are retried.
  public init(
    endpoint: S3Endpoint, configuration: DataLoader.Configuration = DataLoader.defaultConfiguration,
    retryPolicy: RetryPolicy? = nil
  ) {
    service = endpoint.service
    requests = S3Requests(endpoint)
    loader = SigningLoader(endpoint, configuration: configuration, retryPolicy: retryPolicy)
  }
}

extension S3DataLoader: StreamingDataLoading {
  package func stream(_ request: URLRequest, limit: Int?, observer: any StreamObserver) -> any Transfer {
    do throws(DataLoader.TransferError) {
      return loader.stream(try translated(request), limit: limit, observer: observer)
    } catch {
      return FailedTransfer.start(error, observer: observer)
    }
  }

  package func configuration(for url: URL) -> DataLoader.Configuration? { loader.configuration(for: url) }

  /// The fields that are sent to the store: those for byte ranges and preconditions, and the trace context.
  private static let keptFields = [
    "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "traceparent",
    "tracestate",
  ]

  /// Converts a request for the store.
  private func translated(_ request: URLRequest) throws(DataLoader.TransferError) -> URLRequest {
    guard let url = request.url else { throw .malformedURL("") }
    let method = request.httpMethod ?? "GET"
    guard method == "GET" || method == "HEAD", request.httpBody == nil, request.httpBodyStream == nil else {
      throw .malformedRequest(reason: "objects in a store can only be read")
    }
    let location = try S3Location(url, of: service)
    var query: [String: String] = [:]
    if let item = service.versionItem { query[item] = location.version }
    var translated = try requests.request(method, bucket: location.bucket, key: location.key, query: query)
    translated.cachePolicy = request.cachePolicy
    translated.timeoutInterval = request.timeoutInterval
    for field in Self.keptFields {
      if let value = request.value(forHTTPHeaderField: field) { translated.setValue(value, forHTTPHeaderField: field) }
    }
    return translated
  }
}

/// The bucket and key of a URL such as `s3://bucket/key`, and the version in its query.
struct S3Location: Equatable {
  let bucket: String
  /// The key, percent-decoded.
  let key: String
  let version: String?

  init(_ url: URL, of service: S3Endpoint.Service = .amazonS3) throws(DataLoader.TransferError) {
    let text = url.absoluteString
    let start = "\(service.scheme)://"
    guard text.prefix(start.count).lowercased() == start else { throw .unsupportedScheme(url.scheme ?? "") }
    let rest = text.utf8.dropFirst(start.utf8.count).prefix { $0 != UInt8(ascii: "#") }
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    let bucket = path.prefix { $0 != UInt8(ascii: "/") }
    guard let key = Self.text(path.dropFirst(bucket.count + 1)), !key.isEmpty,
      let version = Self.version(rest.dropFirst(path.count), named: service.versionItem)
    else { throw .malformedURL(text) }
    self.bucket = String(decoding: bucket, as: UTF8.self)
    self.key = key
    self.version = version.isEmpty ? nil : version
  }

  /// Returns the version in a query that begins with a question mark: empty if there is none, `nil` for any other
  /// query. Like imgproxy, it accepts the version alone.
  private static func version(_ query: some Collection<UInt8>, named item: String?) -> String? {
    guard !query.isEmpty else { return "" }
    guard let item else { return nil }
    let name = "?\(item)="
    let isNamed = query.starts(with: name.utf8)
    guard isNamed || !query.contains(UInt8(ascii: "=")) else { return nil }
    return text(query.dropFirst(isNamed ? name.utf8.count : 1)).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Decodes a key, which must be valid UTF-8.
  private static func text(_ bytes: some Collection<UInt8>) -> String? {
    String(validating: LocalResource.percentDecoded(bytes), as: UTF8.self)
  }
}
