import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

@Suite("A data loader with a proxy", .timeLimit(.minutes(1)))
struct DataLoaderProxyTests {
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
    let proxy = try NukeOrigin { .data(Data($0.path.utf8)) }
    defer { proxy.stop() }
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
    guard case .cannotConnect = await loader.outcome(of: URL(string: "http://images.invalid/")!).error else {
      Issue.record("no error")
      return
    }
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
}
