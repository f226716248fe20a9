/// The head of a response as it came from the origin.
package struct ReceivedResponse: Sendable {
  package let status: Int
  package let fields: HTTPFields
  /// The time at which the request was sent.
  package let requestTime: Timestamp
  /// The time at which the head arrived.
  package let responseTime: Timestamp

  package init(status: Int, fields: HTTPFields, requestTime: Timestamp, responseTime: Timestamp) {
    self.status = status
    self.fields = fields
    self.requestTime = requestTime
    self.responseTime = responseTime
  }
}
