import Foundation
import NukeOrigin
import Testing

@Suite("The signature check of the test server")
struct SignatureTests {
  @Test("SHA-256 and HMAC match published examples")
  func hashes() {
    // FIPS 180-4's examples, and RFC 4231's test case 2 and 6.
    #expect(
      Signature.hex(SHA256.hash(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      Signature.hex(SHA256.hash(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    #expect(Signature.hex(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(
      Signature.hex(SHA256.hmac(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      Signature.hex(
        SHA256.hmac(
          Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
          key: [UInt8](repeating: 0xaa, count: 131)))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }

  /// The example "GET Object" of Amazon S3's API reference.
  private static let example = """
    GET /test.txt HTTP/1.1\r
    Host: examplebucket.s3.amazonaws.com\r
    Range: bytes=0-9\r
    x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\r
    x-amz-date: 20130524T000000Z\r
    Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, \
    SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, \
    Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41
    """

  @Test("It accepts Amazon's example, and rejects it after any change")
  func example() throws {
    let signature = Signature(
      credentials: ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), region: "us-east-1")
    let request = try #require(NukeOrigin.Request(head: Data(Self.example.utf8)))
    #expect(signature.objection(to: request) == nil)
    for (old, new) in [("test.txt", "test.png"), ("=0-9", "=0-8"), ("GET", "PUT"), ("000000Z", "000001Z")] {
      let changed = Self.example.replacingOccurrences(of: old, with: new)
      #expect(signature.objection(to: try #require(NukeOrigin.Request(head: Data(changed.utf8)))) != nil)
    }
  }
  /// The same example with temporary credentials. The signature was computed with Python's `hmac` and `hashlib` alone,
  /// by a program that also returns Amazon's signature for the example without the token:
  ///
  ///     canonical = "\n".join(
  ///         ["GET", "/test.txt", ""] + [f"{n}:{fields[n]}" for n in names] + ["", ";".join(names), hash(b"")])
  ///     text = "\n".join(["AWS4-HMAC-SHA256", "20130524T000000Z", scope, hash(canonical.encode())])
  ///     for part in ["20130524", "us-east-1", "s3", "aws4_request"]: key = hmac(key, part)
  ///     print(hmac(key, text).hex())
  private static let temporaryExample = """
    GET /test.txt HTTP/1.1\r
    Host: examplebucket.s3.amazonaws.com\r
    Range: bytes=0-9\r
    x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\r
    x-amz-date: 20130524T000000Z\r
    x-amz-security-token: AQoDYXdzEPT//////////wEXAMPLE/+c764bNrC9SAPBSM22wDOk4x4HIZ8j4==\r
    Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, \
    SignedHeaders=host;range;x-amz-content-sha256;x-amz-date;x-amz-security-token, \
    Signature=9bdbbd8c10f38857e9be67512f1e585d6351ceec73150a41ea15908b05b41165
    """

  @Test("It accepts a signed session token, and rejects another token or an unsigned one")
  func sessionToken() throws {
    let signature = Signature(
      credentials: ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), region: "us-east-1")
    let request = try #require(NukeOrigin.Request(head: Data(Self.temporaryExample.utf8)))
    #expect(signature.objection(to: request) == nil)
    for (old, new) in [("HIZ8j4==", "HIZ8j5=="), (";x-amz-security-token", "")] {
      let changed = Self.temporaryExample.replacingOccurrences(of: old, with: new)
      #expect(signature.objection(to: try #require(NukeOrigin.Request(head: Data(changed.utf8)))) != nil)
    }
  }
}
