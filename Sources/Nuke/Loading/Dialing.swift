/// What takes the place of the system's look-up of names and of its connections, for tests: names lead to addresses
/// all over the world, and connections to loopback.
package final class Dialing: Sendable {
  /// What names lead to, for each request that is sent: each as `host:port:address,address`. Names that are not listed
  /// are looked up by the system.
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
