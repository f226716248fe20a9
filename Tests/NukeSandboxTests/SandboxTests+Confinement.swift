import CNukeSandbox
import Foundation
import NukeServing
import NukeTesting
import Testing

@testable import NukeSandbox

extension SandboxTests {
  @Suite("The confinement of a worker")
  struct Confinement {
    private let fixture: SandboxFixture

    init() throws { fixture = try SandboxFixture() }

    @Test(
      "A worker is denied files, sockets, limits and memory",
      arguments: [
        ("read /etc/passwd", "EACCES"), ("read /proc/self/environ", "EACCES"), ("read /proc/self/mem", "EACCES"),
        ("list /", "EACCES"), ("list /proc", "EACCES"), ("socket", "EPERM"), ("own 1", "EPERM"), ("limit", "EPERM"),
        ("allocate", "ENOMEM"), ("fill", "ENOMEM"),
      ])
    func refused(attempt: String, outcome: String) async throws {
      #expect(try await fixture.attempt(attempt) == outcome)
      #expect(fixture.sandbox.statistics.crashes == 0)
    }

    @Test("A worker can write no file, even in a world-writable folder")
    func writing() async throws {
      let path = NSTemporaryDirectory() + "sandbox-\(UUID().uuidString)"
      #expect(try await fixture.attempt("write \(path)") == "EACCES")
      #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(
      "A worker is killed for a system call that rendering does not need, and the next image is correct",
      arguments: ["connect", "fork", "execute", "trace", "kill", "code"])
    func ended(attempt: String) async throws {
      let first = try await fixture.worker()
      let error = await #expect(throws: ServingError.self) { try await fixture.attempt("\(attempt) \(getpid())") }
      #expect(error?.status == 422)
      #expect(error?.description.contains("SIGSYS") == true)
      #expect(try await fixture.worker() != first)
      #expect(fixture.sandbox.statistics.crashes == 1)
      #expect(fixture.reports.entries.count == 1)
    }

    @Test("A worker has threads and four descriptors: three for nothing, and the socket to the server")
    func allowed() async throws {
      #expect(try await fixture.attempt("thread") == "done")
      #expect(try await fixture.attempt("descriptors") == "0 1 2 3")
    }

    @Test("A worker gets only the environment variables for libraries and fonts")
    func environment() async throws {
      setenv("NUKE_SANDBOX_TEST_SECRET", "secret", 1)
      let fixture = try SandboxFixture()
      unsetenv("NUKE_SANDBOX_TEST_SECRET")
      let names = Set(try await fixture.attempt("environment").split(separator: " ").map(String.init))
      #expect(
        names.allSatisfy { name in
          ["HOME", "NUKE_RENDER_WORKER"].contains(name) || ["L", "XDG_", "FONT"].contains { name.hasPrefix($0) }
        })
    }

    @Test("A worker can list font folders, and no others, if the kernel supports Landlock")
    func fonts() async throws {
      let folder = NSTemporaryDirectory() + "sandbox-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      #expect(try await fixture.attempt("list \(folder)") == "EACCES")
      let other = try SandboxFixture { $0.fontFolders = [folder] }
      let hasLandlock = nuke_sandbox_landlock_version() > 0
      #expect(try await other.attempt("list \(folder)") == (hasLandlock ? "done" : "EACCES"))
      #expect(try await other.attempt("list /etc/fonts") == "EACCES")
      #expect(other.reports.entries.isEmpty == hasLandlock)
    }
  }
}
