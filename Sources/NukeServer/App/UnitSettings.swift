#if Server
  package import Foundation

  /// The settings of the server that runs as the systemd unit of the Debian package, for commands that work with it.
  struct UnitSettings {
    /// The file with the settings of the unit.
    let file: String
    /// The files that the settings were read from.
    private(set) var files: [String]
    /// The variables of the file, and those that the unit sets.
    private(set) var environment: [String: String]

    /// - Parameters:
    ///   - folder: the folder of the files.
    ///   - includesKeys: `true` to read the keys, too. Fewer users may read them than the other settings.
    ///   - readFile: returns the contents of a file.
    /// - Returns: `nil` if there is no file with settings.
    /// - Throws: ``ConfigurationError`` for a file that this user may not read, and without keys.
    init?(in folder: String, includesKeys: Bool, readFile: (String) throws -> Data) throws(ConfigurationError) {
      let file = folder + "/nuke.env"
      guard let data = try Self.read("config", file, readFile) else { return nil }
      self.file = file
      files = [file]
      environment = UnitEnvironment(String(decoding: data, as: UTF8.self)).variables
      guard includesKeys else { return }
      // As in deploy/systemd/nuke.service, whose credentials are copies of these files.
      for name in ["keys", "salts"] {
        let variable = "NUKE_" + name.uppercased()
        let path = "\(folder)/\(name)"
        guard environment[variable] == nil, environment[variable + "_FILE"] == nil else { continue }
        guard try Self.read(name, path, readFile) != nil else {
          throw ConfigurationError(
            name, at: path, "there is no such file: create it as /usr/share/doc/nuke/README.Debian describes")
        }
        environment[variable + "_FILE"] = path
        files.append(path)
      }
    }

    /// Returns the contents of a file; `nil` if there is none.
    private static func read(
      _ setting: String, _ path: String, _ readFile: (String) throws -> Data
    ) throws(ConfigurationError) -> Data? {
      do {
        return try readFile(path)
      } catch CocoaError.fileReadNoSuchFile {
        return nil
      } catch CocoaError.fileReadNoPermission {
        throw ConfigurationError(
          setting, at: path,
          "this user may not read the settings of nuke.service: use sudo or join the group that may, or specify the "
            + "settings yourself")
      } catch {
        throw ConfigurationError(setting, at: path, "it cannot be read: use another file with --config")
      }
    }
  }

  extension LoadedConfiguration {
    /// Loads the settings of a server for a command that works with it. They are those of nuke.service if there are
    /// neither arguments nor variables, and the unit has settings.
    ///
    /// - Parameters:
    ///   - arguments: the arguments of the command that are settings.
    ///   - unitFolder: the folder with the files of the unit.
    ///   - needsKeys: `true` if the keys of the unit are needed, too.
    ///   - note: receives a sentence that names the files, if the settings are those of the unit.
    package static func ofServer(
      _ arguments: [String], environment: [String: String], unitFolder: String = "/etc/nuke", needsKeys: Bool,
      note: (String) -> Void, readFile: (String) throws -> Data
    ) throws(ConfigurationError) -> Self {
      let flags = try ServeFlags(arguments)
      guard arguments.isEmpty, !SettingSource.isSet(in: environment),
        let unit = try UnitSettings(in: unitFolder, includesKeys: needsKeys, readFile: readFile)
      else {
        return try LoadedConfiguration(
          flags: flags, environment: environment, samples: { () in "" }, readFile: readFile)
      }
      note("The settings are those of nuke.service: \(unit.files.joined(separator: ", ")).")
      return try LoadedConfiguration(
        flags: flags, environment: unit.environment, environmentFile: unit.file, samples: { () in "" },
        readFile: readFile)
    }
  }
#endif
