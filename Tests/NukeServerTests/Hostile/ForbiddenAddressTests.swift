#if Server
  import NukeLoaderSuite
  import NukeOrigin
  import Testing

  @testable import NukeServer

  @Suite("Requests for sources in the server's own network", .timeLimit(.minutes(1)))
  struct ForbiddenAddressTests {
    private static let refusal = "The source is not allowed.\n"
    private let origins = Origins()

    private func serve(_ world: World, _ body: (WholeServer) async throws -> Void) async throws {
      try await WholeServer.with(
        {
          $0.allowedPrivateAddresses = []
          $0.dialing = world.makeDialing()
        }, body)
    }

    /// An address of each block that is not public, and of each way to carry one of version 4 in version 6.
    static let addresses = [
      "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1",
      "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.1",
      "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
      "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1",
      "64:ff9b:1::a00:1", "100::1", "2001:0:7f00:1::", "2001:0:808:808:0:0:f5ff:fffe", "2001:db8::1", "2002:7f00:1::",
      "2002:a9fe:a9fe::1", "3fff::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1",
    ]

    @Test("Host names with private addresses are not connected to, and the response reveals neither")
    func names() async throws {
      let names = Self.addresses.enumerated().map { ("inside\($0).test", [$1]) }
      let world = World(Dictionary(uniqueKeysWithValues: names), [:])
      try await serve(world) { server in
        for (name, address) in names {
          for path in ["/unsafe/w:10/plain/http://\(name)/a.png", "/info/unsafe/plain/http://\(name)/a.png"] {
            let answer = try await server.get(path)
            #expect(answer.status == 403 && answer.text == Self.refusal, "\(address)")
          }
        }
        #expect(world.connections == [])
      }
    }

    /// Hosts that stand for an address, in all spellings that some reader of URLs knows.
    static let hosts = [
      "127.0.0.1": 403, "10.0.0.1": 403, "169.254.169.254": 403, "0.0.0.0": 403, "localhost": 403, "LOCALHOST": 403,
      "[::1]": 403, "[::]": 403, "[::ffff:127.0.0.1]": 403, "[::ffff:7f00:1]": 403, "[64:ff9b::127.0.0.1]": 403,
      "[2002:7f00:1::]": 403, "[2001:0:7f00:1::]": 403, "[fe80::1]": 403, "[fd00:ec2::254]": 403,
      "[0:0:0:0:0:0:0:1]": 403,
      // Numbers in disguise, and what no host is.
      "2130706433": 400, "017700000001": 400, "0x7f000001": 400, "0x7f.0.0.1": 400, "0177.0.0.1": 400, "127.1": 400,
      "127.0.1": 400, "0": 400, "127.0.0.01": 400, "127.0.0.1.": 400, "127.0.0.0x1": 400, "256.256.256.256": 400,
      "[::1%25lo]": 400, "[fe80::1%25eth0]": 400, "[v1.fe80]": 400, "[127.0.0.1]": 400, "[::1": 400,
      "a%40127.0.0.1": 400, "127.0.0.1%00.test": 400, "127%2e0%2e0%2e1": 403, "%31%32%37.0.0.1": 403,
      // Wide digits, which some parsers take for plain ones.
      "%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1": 400,
      "127.0.0.1%5c.test": 400, "127。0。0。1": 400, "①②⑦.0.0.1": 400,
      "127.0.0.1:80%40pictures.test": 400, "pictures.test%5c%40127.0.0.1": 400, "pictures.test%23%40127.0.0.1": 403,
    ]

    @Test("Private addresses are not connected to in any spelling")
    func spellings() async throws {
      let world = World(["pictures.test": ["10.0.0.1"]], [:])
      try await serve(world) { server in
        for (host, status) in Self.hosts {
          let answer = try await server.get("/unsafe/w:10/plain/http://\(host)/a.png")
          #expect(answer.status == status, "\(host): \(answer.text)")
          #expect(!answer.text.contains("127.0.0.1"))
        }
        #expect(world.connections == [])
      }
    }

    @Test("Redirects to private addresses are not followed, by name or by number")
    func redirects() async throws {
      let inside = try origins.start { _ in .data(WholeServer.image) }
      let names = Self.addresses.enumerated().map { ("inside\($0).test", [$1]) }
      let locations =
        names.map { "http://\($0.0)/a.png" }
        + Self.addresses.map { "http://\($0.contains(":") ? "[\($0)]" : $0)/a.png" }
        + ["http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "//127.0.0.1/", "http://u:p@127.0.0.1/"]
      let origin = try origins.start { .redirect(to: locations[Int($0.path.dropFirst()) ?? 0]).closing() }
      let world = World(
        Dictionary(uniqueKeysWithValues: names + [("pictures.test", ["93.184.216.34"])]),
        ["93.184.216.34": origin.port, "127.0.0.1": inside.port, "::1": inside.port])
      try await serve(world) { server in
        for (number, location) in locations.enumerated() {
          let answer = try await server.get("/unsafe/w:10/plain/http://pictures.test/\(number)")
          #expect(answer.status == 403 && answer.text == Self.refusal, "\(location): \(answer.status)")
        }
        #expect(Set(world.connections) == ["93.184.216.34"])
        #expect(inside.log.connectionsAccepted == 0)
      }
    }

    @Test("A name whose address changes between two look-ups does not lead to a private address")
    func rebinding() async throws {
      let inside = try origins.start { _ in .data(WholeServer.image) }
      let origin = try origins.start { _ in .data(WholeServer.image).closing() }
      let world = World(
        ["rebind.test": ["93.184.216.34"], "both.test": ["10.0.0.1", "93.184.216.34"]],
        ["93.184.216.34": origin.port, "10.0.0.1": inside.port, "127.0.0.1": inside.port])
      try await serve(world) { server in
        #expect(try await server.get("/unsafe/w:10/plain/http://rebind.test/a.png").status == 200)
        // Of several addresses the public one.
        #expect(try await server.get("/unsafe/w:10/plain/http://both.test/a.png").status == 200)
        for address in ["10.0.0.1", "127.0.0.1", "::ffff:127.0.0.1"] {
          world.move("rebind.test", to: [address])
          let answer = try await server.get("/unsafe/w:10/plain/http://rebind.test/\(address.utf8.count).png")
          #expect(answer.status == 403 && answer.text == Self.refusal, "\(address)")
        }
        #expect(world.connections == ["93.184.216.34", "93.184.216.34"])
        #expect(inside.log.connectionsAccepted == 0)
      }
    }

    @Test("A name whose address changes after a redirect does not lead to a private address")
    func rebindingWithinOneRequest() async throws {
      let inside = try origins.start { _ in .data(WholeServer.image) }
      let world = World(["rebind.test": ["93.184.216.34"]], ["127.0.0.1": inside.port])
      let origin = try origins.start { _ in
        world.move("rebind.test", to: ["127.0.0.1"])
        return .redirect(to: "http://rebind.test/again.png").closing()
      }
      world.lead("93.184.216.34", to: origin.port)
      try await serve(world) { server in
        let answer = try await server.get("/unsafe/w:10/plain/http://rebind.test/a.png")
        // What was looked up once is asked again, or refused: the way inside is closed in either case.
        #expect([403, 502].contains(answer.status))
        #expect(Set(world.connections) == ["93.184.216.34"])
        #expect(inside.log.connectionsAccepted == 0)
      }
    }
  }
#endif
