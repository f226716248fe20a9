#if Server
  import Foundation
  import NIOCore
  import NIOPosix
  import Testing

  @testable import NukeServer

  @Suite("The program of a server") struct ServeProgramTests {
    /// Returns why a server cannot listen.
    private func reason(_ bind: (ServerBootstrap) async throws -> any Channel) async throws -> String {
      do {
        let channel = try await bind(ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup))
        try await channel.close()
        Issue.record("it listens")
        return ""
      } catch {
        return ServeProgram.reason(error)
      }
    }

    @Test("The error of an address that cannot be used says why, and which settings to change")
    func addresses() async throws {
      let missing = try await reason { try await $0.bind(unixDomainSocketPath: "/nowhere/at/all/s.sock").get() }
      #expect(
        missing
          == "cannot listen: no such file or directory: set another host, port, operation-port or socket")
      let foreign = try await reason { try await $0.bind(host: "192.0.2.1", port: 0).get() }
      #expect(foreign.hasPrefix("cannot listen: cannot assign requested address: set another host"))
      let first = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .bind(host: "127.0.0.1", port: 0).get()
      let port = try #require(first.localAddress?.port)
      let used = try await reason { try await $0.bind(host: "127.0.0.1", port: port).get() }
      #expect(used.hasPrefix("the address is in use: set another port"))
      try await first.close()
    }
  }
#endif
