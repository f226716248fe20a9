/// Replaces name resolution and connections in tests: names resolve to addresses all over the world, and connections
/// lead to loopback.
package final class Dialing: Sendable {
  /// Returns the addresses of names for each request, as `host:port:address,address`. Other names are resolved by the
  /// system.
  let names: @Sendable () -> [String]
  /// Called with each address that a connection is about to be made to, once that was allowed: the address and port to
  /// connect to instead; `nil` if the connection is to fail.
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
