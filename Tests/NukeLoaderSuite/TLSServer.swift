package import Foundation
import Glibc

/// nginx on loopback, with TLS and HTTP/2 at one port and plain HTTP/1.1 at another, and a certificate of an authority
/// made for the test.
package final class TLSServer {
  package static let nginx = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  package static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  package static var isAvailable: Bool { nginx != nil && openssl != nil }

  package let port: UInt16
  package let plainPort: UInt16
  private let folder: TemporaryFolder
  private let process: pid_t

  /// The certificate of the authority.
  package var authority: String { folder.url.path + "/ca.pem" }

  package func url(_ path: String) -> URL { URL(string: "https://localhost:\(port)\(path)")! }

  package func plainURL(_ path: String) -> URL { URL(string: "http://localhost:\(plainPort)\(path)")! }

  /// - Parameters:
  ///   - files: what it serves, by name.
  ///   - directives: more of nginx's, of the server.
  package init(files: [String: Data], directives: String = "") throws {
    folder = try TemporaryFolder()
    let path = folder.url.path
    for (name, data) in files { _ = folder.file("www/\(name)", data) }
    try Self.makeCertificates(in: path)

    // nginx inherits the socket, as it does from an older self at an upgrade: the port is known beforehand, and a
    // client that comes before nginx is ready waits in the queue.
    let listener = try PlainListener(answer: nil)
    let plainListener = try PlainListener(answer: nil)
    port = listener.port
    plainPort = plainListener.port
    // Relative to the folder, whose path may have spaces.
    let configuration = """
      daemon off;
      worker_processes 1;
      \(getuid() == 0 ? "user root;" : "")
      pid nginx.pid;
      error_log error.log;
      events { worker_connections 256; }
      http {
        access_log access.log;
        client_body_temp_path body;
        proxy_temp_path proxy;
        fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi;
        scgi_temp_path scgi;
        server {
          listen 127.0.0.1:\(port) ssl http2;
          listen 127.0.0.1:\(plainPort);
          ssl_certificate server.pem;
          ssl_certificate_key server.key;
          root www;
          \(directives)
          location = /log { add_header X-Connection $connection; add_header X-Protocol $server_protocol; return 200; }
        }
      }
      """
    _ = folder.file("nginx.conf", Data(configuration.utf8))
    process = try Self.spawn(
      Self.nginx ?? "nginx", ["-p", path, "-c", "\(path)/nginx.conf", "-e", "\(path)/error.log"],
      environment: ["NGINX=3;4;"], descriptors: [listener.descriptor, plainListener.descriptor])
  }

  /// Has a new worker take over: the old one tells its clients that it will take no more (RFC 9113 §6.8), and goes when
  /// it has answered.
  package func reload() { kill(process, SIGHUP) }

  /// Ends the server. Its folder goes with its last reference.
  package func stop() {
    // Not SIGKILL, which would leave nginx's worker behind.
    kill(process, SIGTERM)
    var status: CInt = 0
    waitpid(process, &status, 0)
  }

  /// Makes an authority (`ca.pem`), and a certificate of its own with its key (`server.pem`, `server.key`).
  ///
  /// - Parameter names: what the certificate is for, as OpenSSL writes it.
  package static func makeCertificates(in path: String, names: String = "DNS:localhost") throws {
    try runOpenSSL([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      "-subj", "/CN=Test authority", "-keyout", "\(path)/ca.key", "-out", "\(path)/ca.pem",
    ])
    try runOpenSSL([
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost",
      "-keyout", "\(path)/server.key", "-out", "\(path)/server.csr",
    ])
    try Data("subjectAltName=\(names)\n".utf8).write(to: URL(fileURLWithPath: "\(path)/names"))
    try runOpenSSL([
      "x509", "-req", "-in", "\(path)/server.csr", "-CA", "\(path)/ca.pem", "-CAkey", "\(path)/ca.key",
      "-CAcreateserial", "-days", "2", "-extfile", "\(path)/names", "-out", "\(path)/server.pem",
    ])
  }

  private struct CommandFailed: Error {
    let command: String
    let status: CInt
  }

  package static func runOpenSSL(_ arguments: [String]) throws {
    let process = try spawn(openssl ?? "openssl", arguments)
    var status: CInt = 0
    waitpid(process, &status, 0)
    guard status == 0 else { throw CommandFailed(command: "openssl \(arguments[0])", status: status) }
  }

  /// Starts a program, its output thrown away, with these descriptors from 3 on and no others: one that lives on would keep
  /// open what other tests wait for the end of, such as a pipe to another program.
  private static func spawn(
    _ path: String, _ arguments: [String], environment: [String] = [], descriptors: [CInt] = []
  ) throws -> pid_t {
    // Out of the way of those that they become.
    let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
    defer { for copy in copies { close(copy) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for number: CInt in [1, 2] { posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0) }
    for (index, copy) in copies.enumerated() { posix_spawn_file_actions_adddup2(&actions, copy, CInt(3 + index)) }
    _ = closeFrom?(&actions, CInt(3 + copies.count))
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var envp = (environment + ["PATH=/usr/bin:/bin", "HOME=/tmp"]).map { strdup($0) } + [nil]
    defer { for string in argv + envp { free(string) } }
    var process = pid_t()
    let result = posix_spawn(&process, path, &actions, nil, &argv, &envp)
    guard result == 0 else { throw CommandFailed(command: path, status: result) }
    return process
  }

  /// glibc has it from 2.34 on, and its headers show it to programs in C alone.
  private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt).self)
  }
}
