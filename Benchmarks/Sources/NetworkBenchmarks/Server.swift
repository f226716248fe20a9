import Foundation

/// nginx on loopback, which serves the bodies from a temporary folder.
final class Server {
  static let nginx = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  let port: UInt16
  let folder: URL
  private let process = Process()

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  init() throws {
    guard let nginx = Self.nginx else { throw Missing(description: "nginx is needed: apt-get install nginx-light") }
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("nuke-network-\(getpid())", isDirectory: true)
    let root = folder.appendingPathComponent("www", isDirectory: true)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try Self.noise(20_000).write(to: root.appendingPathComponent("small"))
    try Self.noise(2_000_000).write(to: root.appendingPathComponent("large"))
    port = try Self.freePort()
    let path = folder.path
    try """
    daemon off;
    worker_processes 1;
    \(getuid() == 0 ? "user root;" : "")
    pid \(path)/nginx.pid;
    events { worker_connections 1024; }
    http {
      access_log off;
      sendfile on;
      keepalive_requests 100000000;
      keepalive_timeout 600s;
      client_body_temp_path \(path)/body;
      proxy_temp_path \(path)/proxy;
      fastcgi_temp_path \(path)/fastcgi;
      uwsgi_temp_path \(path)/uwsgi;
      scgi_temp_path \(path)/scgi;
      server {
        listen 127.0.0.1:\(port);
        root \(path)/www;
        location /fresh/ { alias \(path)/www/; add_header Cache-Control max-age=86400; }
        location /changing/ { alias \(path)/www/; add_header Cache-Control no-cache; }
      }
    }
    """.write(toFile: "\(path)/nginx.conf", atomically: false, encoding: .utf8)
    process.executableURL = URL(fileURLWithPath: nginx)
    process.arguments = ["-p", path, "-c", "\(path)/nginx.conf", "-e", "\(path)/error.log"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitUntilReady()
  }

  /// The URLs below it end with a number that does not affect the body.
  func base(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)?" }

  func stop() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  private func waitUntilReady() throws {
    for _ in 0..<500 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = Self.loopback(port)
      let isConnected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if isConnected { return }
      usleep(10_000)
    }
    throw Missing(description: "nginx did not start")
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw Missing(description: "there is no port for nginx") }
    return UInt16(bigEndian: address.sin_port)
  }

  /// Bytes that a file system cannot compress.
  private static func noise(_ count: Int) -> Data {
    var value: UInt64 = 0x9E37_79B9_7F4A_7C15
    return Data(
      (0..<count).map { _ in
        value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: value >> 56)
      })
  }
}
