/// Replaces name resolution and connections in tests. Names resolve to arbitrary addresses, and connections lead to the
/// loopback interface.
package final class Dialing: Sendable {
  /// Returns the addresses of host names for each request, as `host:port:address,address`. The system resolves other
  /// names.
  let names: @Sendable () -> [String]
  /// Called with each allowed address before connecting. Returns the address and port to connect to instead; `nil` to
  /// let the connection fail.
  let connect: @Sendable (IPAddress, UInt16) -> (IPAddress, UInt16)?

  package init(
    names: @escaping @Sendable () -> [String],
    connect: @escaping @Sendable (IPAddress, UInt16) -> (IPAddress, UInt16)?
  ) {
    self.names = names
    self.connect = connect
  }
}

extension Dialing: Hashable {
  package static func == (lhs: Dialing, rhs: Dialing) -> Bool { lhs === rhs }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
