import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("A data loader with a proxy", .timeLimit(.minutes(1)))
struct DataLoaderProxyTests {
  private let origins = Origins()

  private func makeProxiedLoader(
    _ proxy: String, _ configure: (inout DataLoader.Configuration) -> Void = { _ in }
  ) throws -> DataLoader {
    let url = try #require(URL(string: proxy))
    return makeOwnLoader {
      $0.proxy = .url(url)
      configure(&$0)
    }
  }

  @Test("Plain HTTP requests are sent to the proxy, with credentials")
  func plain() async throws {
    let proxy = try origins.start { .data(Data($0.path.utf8)) }
    let loader = try makeProxiedLoader("http://me:secret@127.0.0.1:\(proxy.port)")
    // The name is the proxy's to look up.
    let url = try #require(URL(string: "http://images.invalid/a.jpg"))
    #expect(await loader.outcome(of: url).body == Data("http://images.invalid/a.jpg".utf8))
    let request = try #require(proxy.log.requests.first)
    #expect(request.header("Proxy-Authorization") == "Basic " + Data("me:secret".utf8).base64EncodedString())
    #expect(request.header("Host") == "images.invalid")
    #expect(request.header("Authorization") == nil)
  }

  @Test(
    "HTTPS is tunneled, and proxy and server each receive only their own credentials",
    .enabled(if: TLSServer.isAvailable, "nginx and openssl are needed: apt-get install nginx-light openssl"))
  func tunnel() async throws {
    let server = try TLSServer(
      files: ["a": noise(300_000)],
      directives: """
        location = /seen { add_header X-Seen "[$http_authorization$http_proxy_authorization]"; return 200; }
        """)
    defer { server.stop() }
    let proxy = try TunnelProxy(to: server.port)
    defer { proxy.stop() }
    let loader = try makeProxiedLoader("http://me:secret@127.0.0.1:\(proxy.port)") { $0.caFile = server.authority }
    #expect(await loader.outcome(of: server.url("/a")).body == noise(300_000))
    var request = URLRequest(url: server.url("/seen"))
    request.setValue("Bearer mine", forHTTPHeaderField: "Authorization")
    #expect(await loader.outcome(of: request).head?.value(forField: "X-Seen") == "[Bearer mine]")

    let head = try #require(proxy.requests.first)
    #expect(head.hasPrefix("CONNECT localhost:\(server.port) HTTP/1.1"))
    #expect(head.contains("Proxy-Authorization: Basic " + Data("me:secret".utf8).base64EncodedString()))
    #expect(!head.contains("Bearer"))
  }

  @Test("A proxy that refuses a tunnel is an error", arguments: ["403 Forbidden", "407 Proxy Authentication Required"])
  func refusedTunnel(answer: String) async throws {
    let proxy = try TunnelProxy(to: 9, refusal: answer)
    defer { proxy.stop() }
    let loader = try makeProxiedLoader("http://127.0.0.1:\(proxy.port)")
    let error = await loader.outcome(of: URL(string: "https://images.invalid/")!).error
    #expect(
      error
        == .cannotConnect(host: "images.invalid", reason: "the proxy answered with status \(answer.prefix(3))"))
  }

  @Test("An unreachable proxy is an error")
  func missing() async throws {
    let port = try RefusingPort()
    defer { port.close() }
    let loader = try makeProxiedLoader(port.url("").absoluteString)
    let error = await loader.outcome(of: URL(string: "http://images.invalid/")!).error
    guard case .cannotConnect = error else { throw Unexpected(error) }
  }

  @Test("The proxy variables of the environment apply, including no_proxy")
  func environment() async {
    // A process of its own, whose environment can be changed.
    await #expect(processExitsWith: .success) {
      let proxy = try NukeOrigin { _ in .data(Data("proxied".utf8)) }
      defer { proxy.stop() }
      let origin = try NukeOrigin { _ in .data(Data("direct".utf8)) }
      defer { origin.stop() }
      setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
      setenv("no_proxy", "127.0.0.1", 1)
      let loader = DataLoader(configuration: .init())
      let url = try #require(URL(string: "http://images.invalid/"))
      #expect(await loader.outcome(of: url).body == Data("proxied".utf8))
      #expect(await loader.outcome(of: origin.url("/")).body == Data("direct".utf8))
      #expect(await makeLoader().outcome(of: url).error == .cannotResolveHost("images.invalid"))
    }
  }

  // MARK: Proxies that enforce the address policy

  private func makeGuardedLoader(
    _ proxy: String, _ policy: AddressPolicy = .publicOnly,
    _ configure: (inout DataLoader.Configuration) -> Void = { _ in }
  ) throws -> DataLoader {
    try makeProxiedLoader(proxy) {
      ($0.addressPolicy, $0.proxyEnforcesAddressPolicy) = (policy, true)
      configure(&$0)
    }
  }

  @Test("A proxy that enforces the address policy resolves names, and may have a private address itself")
  func enforcing() async throws {
    let proxy = try origins.start { .data(Data($0.path.utf8)) }
    let loader = try makeGuardedLoader("http://127.0.0.1:\(proxy.port)")
    for text in [
      "http://images.invalid/a.jpg", "http://1.1.1.1/a", "http://[2606:4700::1]/a", "http://internal.test/a",
      "http://not-home.arpa/a",
    ] {
      #expect(await loader.outcome(of: URL(string: text)!).body == Data(text.utf8))
    }
    #expect(proxy.log.requests.count == 5)
  }

  @Test(
    "Refused addresses and names that are never public are not sent to the proxy",
    arguments: [
      "127.0.0.1", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "0", "127.0.0.1.", "2130706433.", "0x7f.1.",
      "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[fd00::1]", "localhost",
      "LOCALHOST", "localhost.", "a.localhost", "redis", "redis.", "printer.local", "metadata.google.internal",
      "router.home.arpa",
    ])
  func neverPublic(host: String) async throws {
    let proxy = try origins.start { _ in .data(Data("secret".utf8)) }
    let loader = try makeGuardedLoader("http://127.0.0.1:\(proxy.port)")
    for scheme in ["http", "https"] {
      let error = await loader.outcome(of: try #require(URL(string: "\(scheme)://\(host)/a"))).error
      guard case .hostNotAllowed = error else { throw Unexpected(error) }
    }
    #expect(proxy.log.connectionsAccepted == 0)
  }

  @Test(
    "A redirect to a refused host is not sent to the proxy",
    arguments: ["http://127.0.0.1/", "http://2130706433/", "//localhost/", "https://[::1]/", "http://redis:6379/"])
  func redirect(location: String) async throws {
    let proxy = try origins.start { _ in .redirect(to: location) }
    let loader = try makeGuardedLoader("http://127.0.0.1:\(proxy.port)")
    let error = await loader.outcome(of: URL(string: "http://images.invalid/")!).error
    guard case .hostNotAllowed = error else { throw Unexpected(error) }
    #expect(proxy.log.requests.count == 1)
  }

  @Test("Addresses that the policy allows are sent to the proxy, and so are names in private networks then")
  func exceptions() async throws {
    let proxy = try origins.start { .data(Data($0.path.utf8)) }
    let policy = AddressPolicy(isPublicOnly: true, allowed: [try #require(AddressBlock("10.0.0.0/8"))])
    let loader = try makeGuardedLoader("http://127.0.0.1:\(proxy.port)", policy)
    for text in ["http://10.1.2.3/a", "http://images.internal/a", "http://store/a"] {
      #expect(await loader.outcome(of: URL(string: text)!).body == Data(text.utf8))
    }
    for host in ["192.168.0.1", "localhost"] {
      let error = await loader.outcome(of: URL(string: "http://\(host)/a")!).error
      #expect(error == .hostNotAllowed(host))
    }
    #expect(proxy.log.requests.count == 3)
  }

  @Test("The environment excepts no host from a proxy of the configuration")
  func exceptionsOfEnvironment() async {
    await #expect(processExitsWith: .success) {
      let proxy = try NukeOrigin { _ in .data(Data("proxied".utf8)) }
      defer { proxy.stop() }
      setenv("no_proxy", "images.invalid,*", 1)
      let url = try #require(URL(string: "http://images.invalid/"))
      for policy in [AddressPolicy.any, .publicOnly] {
        var configuration = DataLoader.Configuration()
        configuration.proxy = .url(proxy.url(""))
        (configuration.addressPolicy, configuration.proxyEnforcesAddressPolicy) = (policy, true)
        #expect(await DataLoader(configuration: configuration).outcome(of: url).body == Data("proxied".utf8))
      }
    }
  }

  @Test("With socks5h, the proxy receives the name")
  func socks() async throws {
    let origin = try origins.start { .data(Data("\($0.header("Host") ?? "") \($0.path)".utf8)) }
    let proxy = try TunnelProxy(to: origin.port, isSOCKS: true)
    defer { proxy.stop() }
    let loader = try makeGuardedLoader("socks5h://127.0.0.1:\(proxy.port)")
    let outcome = await loader.outcome(of: URL(string: "http://images.invalid/a.jpg")!)
    #expect(outcome.body == Data("images.invalid /a.jpg".utf8))
    #expect(proxy.requests == ["images.invalid:80"])
    #expect(await loader.outcome(of: URL(string: "http://127.0.0.1/")!).error == .hostNotAllowed("127.0.0.1"))
    #expect(proxy.requests.count == 1)
  }

  @Test("Errors do not contain the password of the proxy")
  func password() async throws {
    let loader = try makeProxiedLoader("gopher://me:hunter2@127.0.0.1:9")
    let error = await loader.outcome(of: URL(string: "http://images.invalid/")!).error
    #expect(error != nil && !"\(error!)".contains("hunter2"))
  }
}
