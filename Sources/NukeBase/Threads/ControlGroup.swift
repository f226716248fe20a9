import Foundation

/// The limits of the control groups of this process.
package enum ControlGroup {
  package enum Version: Sendable {
    case one
    case two
  }

  /// A control file: the folder of its group, and its trimmed text.
  package struct Found {
    package let folder: String
    package let version: Version
    package let text: String
  }

  /// Returns the control file in this process's group and in each parent group.
  ///
  /// - Parameters:
  ///   - name: the file in version 2, whose line in `/proc/self/cgroup` begins with `0::`.
  ///   - version1: the controller and the file in version 1.
  package static func limits(
    named name: String?, version1: (controller: String, name: String)?, file: (String) -> String?
  ) -> [Found] {
    var found: [Found] = []
    for line in lines(file) {
      if line.isVersion2, let name {
        found += climb(root: "/sys/fs/cgroup", from: line.path, name, .two, file)
      } else if let version1, line.controllers.contains(Substring(version1.controller)) {
        found += climb(root: "/sys/fs/cgroup/\(version1.controller)", from: line.path, version1.name, .one, file)
      }
    }
    return found
  }

  /// Returns the folders that may contain the files of this process's control group in version 2, alone or together
  /// with version 1. The root group represents the machine and is omitted. A container's own group, which looks like
  /// the root, is recognized by its type file.
  package static func folders(file: (String) -> String?) -> [String] {
    guard let line = lines(file).first(where: \.isVersion2) else { return [] }
    return ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].compactMap { root in
      guard line.path == "/" else { return root + line.path }
      return file("\(root)/cgroup.type") == nil ? nil : root
    }
  }

  private struct Line {
    let isVersion2: Bool
    let controllers: [Substring]
    let path: Substring
  }

  private static func lines(_ file: (String) -> String?) -> [Line] {
    (file("/proc/self/cgroup") ?? "").split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return nil }
      return Line(
        isVersion2: parts[0] == "0" && parts[1].isEmpty, controllers: parts[1].split(separator: ","), path: parts[2])
    }
  }

  private static func climb(
    root: String, from path: Substring, _ name: String, _ version: Version, _ file: (String) -> String?
  ) -> [Found] {
    var components = path.split(separator: "/")
    var found: [Found] = []
    while true {
      // In a container, the path of the group is often hidden, and its files are at the root.
      let folder = ([Substring(root)] + components).joined(separator: "/")
      if let text = file("\(folder)/\(name)") {
        found.append(
          Found(folder: folder, version: version, text: text.trimmingCharacters(in: .whitespacesAndNewlines)))
      }
      if components.isEmpty { return found }
      components.removeLast()
    }
  }
}
