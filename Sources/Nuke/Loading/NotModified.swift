/// A server's word that what a request's own conditions are about has not changed (RFC 9110 §15.4.5): there are no bytes.
///
/// It comes as `ImagePipeline.Error.dataLoadingFailed(error:)` to those who ask a pipeline for data.
package struct NotModified: Error, CustomStringConvertible {
  package let head: ResponseHead

  package var description: String { "the server says that it has not changed" }
}
