/// The head of a response as it came from the origin.
package struct ReceivedResponse: Sendable {
  package let status: Int
  package let fields: HTTPFields
  /// When its request was sent.
  package let requestTime: Timestamp
  /// When the head came.
  package let responseTime: Timestamp

  package init(status: Int, fields: HTTPFields, requestTime: Timestamp, responseTime: Timestamp) {
    self.status = status
    self.fields = fields
    self.requestTime = requestTime
    self.responseTime = responseTime
  }
}
