#if Server
  import Foundation
  import Testing

  @testable import NukeServer

  @Suite("The settings of nuke.service") struct UnitSettingsTests {
    private static let unit = ["/u/nuke.env": "NUKE_PORT=9000\n", "/u/keys": "01\n", "/u/salts": "02\n"]

    /// Loads the configuration for a command, and returns it and the notes.
    ///
    /// - Parameter secret: the files that this user may not read.
    private func load(
      _ files: [String: String], _ arguments: [String] = [], _ environment: [String: String] = [:],
      secret: Set<String> = [], needsKeys: Bool = true
    ) throws(ConfigurationError) -> (loaded: LoadedConfiguration, notes: [String]) {
      var notes: [String] = []
      let loaded = try LoadedConfiguration.ofServer(
        arguments, environment: environment, unitFolder: "/u", needsKeys: needsKeys, note: { notes.append($0) }
      ) { path in
        guard let text = files[path] else { throw CocoaError(.fileReadNoSuchFile) }
        guard !secret.contains(path) else { throw CocoaError(.fileReadNoPermission) }
        return Data(text.utf8)
      }
      return (loaded, notes)
    }

    private func error(
      _ files: [String: String], secret: Set<String> = [], needsKeys: Bool = true
    ) -> String? {
      #expect(throws: ConfigurationError.self) { try load(files, secret: secret, needsKeys: needsKeys) }?.description
    }

    @Test("They are used if nothing else is said, and the files are named")
    func used() throws {
      let (loaded, notes) = try load(Self.unit)
      #expect(loaded.configuration.port == 9000)
      #expect(loaded.configuration.keys == [Data([1])] && loaded.configuration.salts == [Data([2])])
      #expect(loaded.origins["port"] == "NUKE_PORT in /u/nuke.env")
      #expect(notes == ["The settings are those of nuke.service: /u/nuke.env, /u/keys, /u/salts."])
    }

    @Test("The environment of the command has no effect on them, except for variables of Kubernetes' services")
    func environment() throws {
      let environment = ["NUKE_SERVICE_HOST": "10.0.0.1", "NUKE_PORT": "tcp://10.0.0.1:80", "IMGPROXY_BIND": ":1"]
      #expect(try load(Self.unit, [], environment).loaded.configuration.port == 9000)
    }

    @Test("A flag, a variable and a configuration file are used in their place", arguments: [0, 1, 2])
    func unused(way: Int) throws {
      let (arguments, environment) = [
        (["--quality", "50"], [:]), ([], ["NUKE_QUALITY": "50"]), (["--config", "/f"], [:]),
      ][way]
      let files = Self.unit.merging(["/f": #"{"quality": 50}"#]) { $1 }
      let (loaded, notes) = try load(files, arguments, environment, secret: ["/u/nuke.env"])
      #expect(loaded.configuration.port == 8080 && loaded.configuration.quality == 50 && notes.isEmpty)
    }

    @Test("Without the unit, the settings are the defaults")
    func noUnit() throws {
      let (loaded, notes) = try load([:])
      #expect(loaded.configuration == ImageServer.Configuration() && notes.isEmpty)
    }

    @Test("A file that this user may not read is an error that says who may")
    func permission() {
      let advice =
        "this user may not read the settings of nuke.service: use sudo or join the group that may, or specify "
        + "the settings yourself"
      #expect(error(Self.unit, secret: ["/u/nuke.env"], needsKeys: false) == "config (/u/nuke.env): \(advice)")
      #expect(error(Self.unit, secret: ["/u/keys"]) == "keys (/u/keys): \(advice)")
      #expect(error(Self.unit, secret: ["/u/salts"]) == "salts (/u/salts): \(advice)")
    }

    @Test("Keys are read only by a command that needs them, and must be there then")
    func keys() throws {
      let (loaded, notes) = try load(Self.unit, secret: ["/u/keys", "/u/salts"], needsKeys: false)
      #expect(loaded.configuration.keys.isEmpty && loaded.configuration.port == 9000)
      #expect(notes == ["The settings are those of nuke.service: /u/nuke.env."])
      #expect(
        error(["/u/nuke.env": ""])
          == "keys (/u/keys): there is no such file: create it as /usr/share/doc/nuke/README.Debian describes")
    }

    @Test("Keys that the file names or contains are used in place of the unit's")
    func ownKeys() throws {
      let files = ["/u/nuke.env": "NUKE_KEYS_FILE=/k\nNUKE_SALTS=04", "/k": "03"]
      let (loaded, notes) = try load(files)
      #expect(loaded.configuration.keys == [Data([3])] && loaded.configuration.salts == [Data([4])])
      #expect(notes == ["The settings are those of nuke.service: /u/nuke.env."])
    }

    @Test("An error in the file names the variable and the file")
    func invalid() {
      #expect(
        error(["/u/nuke.env": "NUKE_PORT=x"], needsKeys: false)
          == "port (NUKE_PORT in /u/nuke.env): \"x\" is not an integer from 0 to 65535")
      #expect(
        error(["/u/nuke.env": "NUKE_PROT=1"], needsKeys: false)
          == "NUKE_PROT (/u/nuke.env): unknown setting; did you mean NUKE_PORT?")
      #expect(
        error(["/u/nuke.env": "", "/u/keys": "x", "/u/salts": "01"])
          == "keys (NUKE_KEYS_FILE in /u/nuke.env): it is not hexadecimal: use two digits per byte")
    }
  }
#endif
