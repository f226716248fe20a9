import Foundation
import FoundationNetworking
import Nuke
import NukeLoaderSuite
import NukeOrigin
import Testing

@Suite("A data loader with an address policy", .timeLimit(.minutes(1)))
struct DataLoaderAddressTests {
  private let origins = Origins()

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test("Public addresses are loaded")
  func publicAddress() async throws {
    let origin = try origins.start { .data(Data("\($0.header("Host") ?? "")".utf8)) }
    let world = World(["pictures.test": ["93.184.216.34"]], ["93.184.216.34": origin.port])
    let state = await world.makeLoader().outcome(of: try url("http://pictures.test/a"))
    #expect(state.body == Data("pictures.test".utf8))
    #expect(world.connections == ["93.184.216.34"])
  }

  @Test(
    "No connection to other addresses is opened, whatever the name",
    arguments: [
      "127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1",
      "255.255.255.255", "::1", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
    ])
  func refused(_ address: String) async throws {
    let world = World(["inside.test": [address]], [:])
    let loader = world.makeLoader()
    let error = await loader.outcome(of: try url("http://inside.test/")).error
    guard case .addressNotAllowed("inside.test", let told) = error else { throw Unexpected(error) }
    #expect(IPAddress(told) == IPAddress(address))
    #expect(world.connections.isEmpty)
  }

  @Test(
    "Numeric hosts are checked as addresses",
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0x7f.0.0.1", "127.0.0.1"),
      ("0177.0.0.1", "127.0.0.1"), ("[::1]", "::1"), ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1"), ("0", "0.0.0.0"),
      ("localhost", "127.0.0.1 ::1"),
    ])
  func spellings(host: String, addresses: String) async throws {
    let origin = try origins.start { _ in .data(Data("secret".utf8)) }
    let loader = makeOwnLoader { $0.addressPolicy = .publicOnly }
    let state = await loader.outcome(of: try url("http://\(host):\(origin.port)/"))
    guard case .addressNotAllowed(_, let address)? = state.error else { throw Unexpected(state.error) }
    #expect(addresses.split(separator: " ").contains(address[...]))
    #expect(state.body.isEmpty)
    #expect(origin.log.connectionsAccepted == 0)
  }

  @Test("A redirect to a name with a refused address is not followed")
  func redirect() async throws {
    let inside = try origins.start { _ in .data(Data("secret".utf8)) }
    let origin = try origins.start { _ in .redirect(to: "http://inside.test/secret") }
    let world = World(
      ["pictures.test": ["93.184.216.34"], "inside.test": ["10.0.0.1"]],
      ["93.184.216.34": origin.port, "10.0.0.1": inside.port])
    let state = await world.makeLoader().outcome(of: try url("http://pictures.test/"))
    #expect(state.error == .addressNotAllowed(host: "inside.test", address: "10.0.0.1"))
    #expect(state.body.isEmpty)
    #expect(inside.log.connectionsAccepted == 0)
    #expect(world.connections == ["93.184.216.34"])
  }

  @Test("A redirect to a refused numeric address is not followed", arguments: ["127.0.0.1", "2130706433"])
  func redirectToLiteral(host: String) async throws {
    let inside = try origins.start { _ in .data(Data("secret".utf8)) }
    let location = "http://\(host):\(inside.port)/"
    let origin = try origins.start { _ in .redirect(to: location) }
    let world = World(["pictures.test": ["93.184.216.34"]], ["93.184.216.34": origin.port, "127.0.0.1": inside.port])
    let state = await world.makeLoader().outcome(of: try url("http://pictures.test/"))
    guard case .addressNotAllowed(_, "127.0.0.1") = state.error else { throw Unexpected(state.error) }
    #expect(inside.log.connectionsAccepted == 0)
  }

  @Test("The allowed one of several addresses is used", arguments: [true, false])
  func severalAddresses(isRefusedFirst: Bool) async throws {
    let origin = try origins.start { _ in .data(Data("good".utf8)) }
    let addresses = ["10.0.0.1", "93.184.216.34"]
    let world = World(
      ["mixed.test": isRefusedFirst ? addresses : addresses.reversed()], ["93.184.216.34": origin.port])
    #expect(await world.makeLoader().outcome(of: try url("http://mixed.test/")).body == Data("good".utf8))
    #expect(world.connections == ["93.184.216.34"])
  }

  @Test(
    "The allowed one of two IP versions is used", arguments: [["::1", "93.184.216.34"], ["2606:4700::1", "10.0.0.1"]])
  func happyEyeballs(addresses: [String]) async throws {
    let origin = try origins.start { _ in .data(Data("good".utf8)) }
    let world = World(["mixed.test": addresses], ["93.184.216.34": origin.port, "2606:4700::1": origin.port])
    #expect(await world.makeLoader().outcome(of: try url("http://mixed.test/")).body == Data("good".utf8))
    #expect(world.connections.count == 1)
  }

  @Test("The failure of an allowed address takes precedence over a refused one")
  func allowedButClosed() async throws {
    let world = World(["mixed.test": ["10.0.0.1", "93.184.216.34"]], [:])
    let error = await world.makeLoader().outcome(of: try url("http://mixed.test/")).error
    guard case .cannotConnect("mixed.test", _) = error else { throw Unexpected(error) }
    #expect(world.connections == ["93.184.216.34"])
  }

  @Test("A name whose address changes is checked again")
  func rebinding() async throws {
    let origin = try origins.start { _ in .data(Data("outside".utf8)).closing() }
    let inside = try origins.start { _ in .data(Data("secret".utf8)) }
    let world = World(["rebind.test": ["93.184.216.34"]], ["93.184.216.34": origin.port, "192.168.0.1": inside.port])
    let loader = world.makeLoader()
    #expect(await loader.outcome(of: try url("http://rebind.test/")).body == Data("outside".utf8))
    world.move("rebind.test", to: ["192.168.0.1"])
    let state = await loader.outcome(of: try url("http://rebind.test/"))
    #expect(state.error == .addressNotAllowed(host: "rebind.test", address: "192.168.0.1"))
    #expect(inside.log.connectionsAccepted == 0)
  }

  @Test("Each retry is checked, and the first refused address ends the transfer")
  func retries() async throws {
    let world = World(["rebind.test": ["93.184.216.34"]], [:])
    let origin = try origins.start { _ in
      world.move("rebind.test", to: ["127.0.0.1"])
      return .status(503).closing()
    }
    world.lead("93.184.216.34", to: origin.port)
    let loader = world.makeLoader(retryPolicy: RetryPolicy(maxRetryCount: 5, initialDelay: 0.001))
    let state = await loader.outcome(of: try url("http://rebind.test/"))
    #expect(state.error == .addressNotAllowed(host: "rebind.test", address: "127.0.0.1"))
    #expect(origin.log.requests.count == 1)
    #expect(world.connections == ["93.184.216.34"])
  }

  @Test("Waiting for connectivity does not apply to refused addresses")
  func waiting() async throws {
    let world = World(["inside.test": ["10.0.0.1"]], [:])
    let loader = world.makeLoader { $0.waitsForConnectivity = true }
    let error = await loader.outcome(of: try url("http://inside.test/")).error
    #expect(error == .addressNotAllowed(host: "inside.test", address: "10.0.0.1"))
  }

  @Test("Open connections of a loader without a policy are not used")
  func pools() async throws {
    let origin = try origins.start { _ in .data(Data("secret".utf8)) }
    let agent = UUID().uuidString
    let open = makeLoader { $0.userAgent = agent }
    let guarded = makeLoader {
      $0.userAgent = agent
      $0.addressPolicy = .publicOnly
    }
    #expect(await open.outcome(of: origin.url("/")).error == nil)
    #expect(await open.outcome(of: origin.url("/")).error == nil)
    // It is kept, and would be used again.
    #expect(origin.log.connectionsAccepted == 1)
    let error = await guarded.outcome(of: origin.url("/")).error
    #expect(error == .addressNotAllowed(host: "127.0.0.1", address: "127.0.0.1"))
    #expect(origin.log.requests.count == 2)
  }

  @Test("The loader's own connections are reused")
  func reuse() async throws {
    let origin = try origins.start { _ in .data(Data("x".utf8)) }
    let world = World(["pictures.test": ["93.184.216.34"]], ["93.184.216.34": origin.port])
    let loader = world.makeLoader()
    for _ in 0..<3 { #expect(await loader.outcome(of: try url("http://pictures.test/")).error == nil) }
    #expect(world.connections == ["93.184.216.34"])
  }

  @Test("Exceptions are reachable")
  func exceptions() async throws {
    let origin = try origins.start { _ in .data(Data("x".utf8)) }
    let block = try #require(AddressBlock("127.0.0.1"))
    let loader = makeOwnLoader { $0.addressPolicy = AddressPolicy(isPublicOnly: true, allowed: [block]) }
    #expect(await loader.outcome(of: origin.url("/")).error == nil)
    let other = makeOwnLoader { $0.addressPolicy = AddressPolicy(refused: [block]) }
    let error = await other.outcome(of: origin.url("/")).error
    #expect(error == .addressNotAllowed(host: "127.0.0.1", address: "127.0.0.1"))
  }

  @Test("A configured proxy is not used")
  func proxies() async throws {
    let proxy = try origins.start { _ in .data(Data("proxied".utf8)) }
    let loader = makeOwnLoader {
      $0.addressPolicy = .publicOnly
      $0.proxy = .url(proxy.url(""))
    }
    let error = await loader.outcome(of: try url("http://images.invalid/")).error
    guard case .cannotConnect("images.invalid", _) = error else { throw Unexpected(error) }
    #expect(proxy.log.connectionsAccepted == 0)
  }

  @Test("The environment's proxy is not used")
  func proxyOfEnvironment() async {
    await #expect(processExitsWith: .success) {
      let proxy = try NukeOrigin { _ in .data(Data("proxied".utf8)) }
      defer { proxy.stop() }
      setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
      setenv("all_proxy", "http://127.0.0.1:\(proxy.port)", 1)
      var configuration = DataLoader.Configuration()
      configuration.addressPolicy = .publicOnly
      let url = try #require(URL(string: "http://127.0.0.1:\(proxy.port)/"))
      let error = await DataLoader(configuration: configuration).outcome(of: url).error
      #expect(error == .addressNotAllowed(host: "127.0.0.1", address: "127.0.0.1"))
      #expect(proxy.log.connectionsAccepted == 0)
    }
  }

  @Test("The policy applies to FTP too")
  func ftp() async throws {
    let server = try PlainListener(answer: nil)
    let loader = makeOwnLoader { $0.addressPolicy = .publicOnly }
    let error = await loader.outcome(of: try url("ftp://127.0.0.1:\(server.port)/a")).error
    #expect(error == .addressNotAllowed(host: "127.0.0.1", address: "127.0.0.1"))
  }

  @Test("The error contains the address that could not be connected to")
  func description() {
    let error = DataLoader.TransferError.addressNotAllowed(host: "inside.test", address: "10.0.0.1")
    #expect("\(error)" == "Connections to 10.0.0.1, the address of inside.test, are not allowed.")
    #expect(!RetryPolicy.isTransient(.dataLoadingFailed(error: error)))
  }
}
