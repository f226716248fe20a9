package import Nuke

/// Names and addresses all over the world, all of which are loopback: each address leads to a port of this machine.
package final class World: Sendable {
  private struct State {
    var names: [String: [String]] = [:]
    var ports: [String: UInt16] = [:]
    var connections: [String] = []
  }

  private let state = Lock(State())

  /// - Parameters:
  ///   - names: addresses by name, in the order they are tried in.
  ///   - ports: where each address leads to; none for an address that refuses connections.
  package init(_ names: [String: [String]], _ ports: [String: UInt16]) {
    state.withLock {
      $0.names = names
      $0.ports = ports
    }
  }

  /// The addresses that connections were made to, in order.
  package var connections: [String] { state.withLock { $0.connections } }

  /// From the next transfer on, a name leads elsewhere.
  package func move(_ name: String, to addresses: [String]) { state.withLock { $0.names[name] = addresses } }

  /// An address leads to a port from now on.
  package func lead(_ address: String, to port: UInt16) { state.withLock { $0.ports[address] = port } }

  /// Finds names and addresses in this world.
  package func makeDialing() -> Dialing {
    Dialing(
      names: { [self] in
        state.withLock { state in
          state.names.map { name, addresses in
            "\(name):80:" + addresses.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
          }
        }
      },
      connect: { [self] address, _ in
        state.withLock { state in
          state.connections.append(address.description)
          return state.ports[address.description].map { (IPAddress(version4: 0x7F00_0001), $0) }
        }
      })
  }

  /// A loader of its own that knows this world alone, and keeps the policy.
  package func makeLoader(
    _ policy: AddressPolicy = .publicOnly, retryPolicy: RetryPolicy? = nil,
    _ configure: (inout DataLoader.Configuration) -> Void = { _ in }
  ) -> DataLoader {
    let configuration = makeConfiguration {
      $0.addressPolicy = policy
      $0.dialing = makeDialing()
      configure(&$0)
    }
    return DataLoader(configuration: configuration, retryPolicy: retryPolicy)
  }
}
