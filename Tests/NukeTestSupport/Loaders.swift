import Foundation
package import Nuke
import NukeLoaderSuite

/// A loader that takes no proxy from the environment of the test.
package func makeLoader(_ configure: (inout DataLoader.Configuration) -> Void = { _ in }) -> DataLoader {
  DataLoader(configuration: makeConfiguration(configure))
}

/// A loader that shares its transport with no other test, whose connections could take the place of its own.
package func makeOwnLoader(_ configure: (inout DataLoader.Configuration) -> Void = { _ in }) -> DataLoader {
  makeLoader {
    $0.userAgent = UUID().uuidString
    configure(&$0)
  }
}
