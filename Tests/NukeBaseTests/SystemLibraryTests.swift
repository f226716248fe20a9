import Testing

@testable import NukeBase

@Suite("Libraries that are opened at their first use")
struct SystemLibraryTests {
  @Test("A library that is not installed is named, with the package that contains it")
  func missing() {
    let library = SystemLibrary(.avif, files: "libnuke-missing.so.7")
    #expect(
      library.failure
        == "libnuke-missing.so.7 is not installed; on Debian and Ubuntu, it is in the package libnuke-missing7")
  }

  @Test("The package can have another name than the file")
  func otherPackage() {
    let library = SystemLibrary(.svg, files: "libnuke-2.so.2", package: "libnuke2-2")
    #expect(library.failure?.hasSuffix("the package libnuke2-2") == true)
  }

  @Test("A library of several files needs all of them")
  func several() {
    let library = SystemLibrary(.video, files: "libz.so.1 libnuke-missing.so.7")
    #expect(library.failure?.hasPrefix("libnuke-missing.so.7 is not installed") == true)
  }

  @Test("A library without a required function is rejected, with the name of the function")
  func otherLibrary() {
    #expect(SystemLibrary(.redis, files: "libz.so.1").failure == "libz.so.1 has no function freeReplyObject")
  }
}
