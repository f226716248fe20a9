import Foundation
import Glibc
import Nuke

/// A proxy on loopback that leads every tunnel to one port of loopback. It knows only CONNECT (RFC 9110 §9.3.6), or only
/// names over SOCKS 5 without authentication (RFC 1928).
final class TunnelProxy: Sendable {
  let port: UInt16
  /// The heads of the requests, as they came; for SOCKS, the names and ports.
  var requests: [String] { heads.withLock { $0 } }

  private let listener: PlainListener
  private let heads = Lock<[String]>([])

  /// - Parameter refusal: the answer to every CONNECT, in place of a tunnel.
  init(to target: UInt16, refusal: String? = nil, isSOCKS: Bool = false) throws {
    listener = try PlainListener(answer: nil)
    port = listener.port
    Thread.detachNewThread { [weak self, listener] in
      while true {
        let client = accept(listener.descriptor, nil, nil)
        guard client >= 0 else { return }
        guard let head = isSOCKS ? Self.readName(from: client) : Self.readHead(from: client) else {
          close(client)
          continue
        }
        self?.heads.withLock { $0.append(head) }
        if let refusal {
          Self.send(Array("HTTP/1.1 \(refusal)\r\nContent-Length: 0\r\n\r\n".utf8)[...], to: client)
          close(client)
        } else {
          Self.lead(client, to: target, isSOCKS: isSOCKS)
        }
      }
    }
  }

  /// Takes no more clients. Tunnels end with their clients.
  func stop() { listener.stop() }

  private static func readHead(from client: CInt) -> String? {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while recv(client, &byte, 1, 0) == 1 {
      head.append(byte)
      if head.suffix(4) == [13, 10, 13, 10] { return String(decoding: head, as: UTF8.self) }
    }
    return nil
  }

  /// Returns the name and port of a SOCKS request. Addresses are not served.
  private static func readName(from client: CInt) -> String? {
    guard let greeting = read(2, from: client), greeting[0] == 5, read(Int(greeting[1]), from: client) != nil,
      send([5, 0], to: client), let head = read(4, from: client), head[1] == 1, head[3] == 3,
      let length = read(1, from: client), let name = read(Int(length[0]), from: client),
      let port = read(2, from: client)
    else { return nil }
    return "\(String(decoding: name, as: UTF8.self)):\(UInt16(port[0]) << 8 | UInt16(port[1]))"
  }

  private static func read(_ count: Int, from client: CInt) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return recv(client, &bytes, count, CInt(MSG_WAITALL)) == count ? bytes : nil
  }

  private static func lead(_ client: CInt, to port: UInt16, isSOCKS: Bool) {
    let server = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    send(
      isSOCKS
        ? [5, isConnected ? 0 : 5, 0, 1, 0, 0, 0, 0, 0, 0]
        : Array("HTTP/1.1 \(isConnected ? "200 Connected" : "502 Bad Gateway")\r\n\r\n".utf8)[...], to: client)
    // Each direction has a thread; the one that ends last closes both.
    let ends = CallCounter()
    for (from, to) in [(client, server), (server, client)] {
      Thread.detachNewThread {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
          let count = recv(from, &buffer, buffer.count, 0)
          guard count > 0, send(buffer[..<count], to: to) else { break }
        }
        shutdown(to, CInt(SHUT_RDWR))
        shutdown(from, CInt(SHUT_RDWR))
        guard ends.next() == 2 else { return }
        close(client)
        close(server)
      }
    }
  }

  @discardableResult
  private static func send(_ bytes: ArraySlice<UInt8>, to socket: CInt) -> Bool {
    var bytes = bytes
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }
}
