#if Server
  import Foundation
  import Testing

  @testable import NukeS3

  @Suite("The signature of requests to Azure Blob Storage")
  struct SharedKeySignatureTests {
    /// The bytes from 0 to 63.
    private static let key = Data(0..<64).base64EncodedString()

    /// The first and the last signature were computed with the policy `SharedKeyCredentialPolicy` of Microsoft's library
    /// for Python (azure-storage-blob 12.31), and the other one, because that library moves ranges to another field, with
    /// Python's `hmac` alone from the string to sign of the documentation.
    @Test(
      "It is that of other programs",
      arguments: [
        ("https://nuke.blob.core.windows.net/photos/a.jpg", [:], "u+Z4mTGjRG2nGCEoH5eBEkapMOpItt54iHSfKh3jhq4="),
        (
          "https://nuke.blob.core.windows.net/photos/a%20b/%C3%BC%231%25%3F.jpg",
          ["Range": "bytes=10-19", "If-Match": "\"0x8D\""], "6yrbCWDXaCu9drFzFaslbH/1jTGE7OipxzBIy7UeHyY="
        ),
        (
          "http://127.0.0.1:10000/nuke/photos/a.jpg",
          [
            "If-None-Match": "\"0x8D\"", "if-modified-since": "Sun, 06 Nov 1994 08:49:37 GMT",
            "If-Unmodified-Since": "Sun, 06 Nov 1994 08:49:38 GMT", "If-Range": "\"0x8D\"",
          ], "1gcPlmQXJoIhhIP6gfOvaB0KAZ788NRBmAyT1dxlkfY="
        ),
      ] as [(String, [String: String], String)])
    func vectors(url: String, given: [String: String], signature: String) throws {
      let signer = try #require(SharedKeySignature(S3Credentials(accessKey: "nuke", secretKey: Self.key)))
      let fields = signer.fields(
        "GET", url, given.map { (name: $0.key, value: $0.value) }, seconds: 1_700_000_000)
      #expect(fields.map(\.name) == ["x-ms-date", "x-ms-version", "Authorization"])
      #expect(
        fields.map(\.value) == ["Tue, 14 Nov 2023 22:13:20 GMT", "2021-08-06", "SharedKey nuke:\(signature)"])
    }

    @Test("A key that is not Base64 signs nothing", arguments: ["a", "a b", "*"])
    func malformedKey(key: String) {
      #expect(SharedKeySignature(S3Credentials(accessKey: "nuke", secretKey: key)) == nil)
    }
  }
#endif
