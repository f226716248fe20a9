import Nuke
import Testing

@Suite("The address policy")
struct AddressPolicyTests {
  /// A block, and whether the addresses beside it are public.
  struct Special: Sendable, CustomTestStringConvertible {
    var first: String
    var last: String
    /// The address before the first, and after the last, of those that are.
    var before: (String, isPublic: Bool)?
    var after: (String, isPublic: Bool)?

    var testDescription: String { "\(first)–\(last)" }
  }

  static let blocks: [Special] = [
    .init(first: "0.0.0.0", last: "0.255.255.255", before: nil, after: ("1.0.0.0", true)),
    .init(first: "10.0.0.0", last: "10.255.255.255", before: ("9.255.255.255", true), after: ("11.0.0.0", true)),
    .init(first: "100.64.0.0", last: "100.127.255.255", before: ("100.63.255.255", true), after: ("100.128.0.0", true)),
    .init(first: "127.0.0.0", last: "127.255.255.255", before: ("126.255.255.255", true), after: ("128.0.0.0", true)),
    .init(
      first: "169.254.0.0", last: "169.254.255.255", before: ("169.253.255.255", true), after: ("169.255.0.0", true)),
    .init(first: "172.16.0.0", last: "172.31.255.255", before: ("172.15.255.255", true), after: ("172.32.0.0", true)),
    .init(first: "192.0.0.0", last: "192.0.0.255", before: ("191.255.255.255", true), after: ("192.0.1.0", true)),
    .init(first: "192.0.2.0", last: "192.0.2.255", before: ("192.0.1.255", true), after: ("192.0.3.0", true)),
    .init(first: "192.88.99.0", last: "192.88.99.255", before: ("192.88.98.255", true), after: ("192.88.100.0", true)),
    .init(
      first: "192.168.0.0", last: "192.168.255.255", before: ("192.167.255.255", true), after: ("192.169.0.0", true)),
    .init(first: "198.18.0.0", last: "198.19.255.255", before: ("198.17.255.255", true), after: ("198.20.0.0", true)),
    .init(
      first: "198.51.100.0", last: "198.51.100.255", before: ("198.51.99.255", true), after: ("198.51.101.0", true)),
    .init(first: "203.0.113.0", last: "203.0.113.255", before: ("203.0.112.255", true), after: ("203.0.114.0", true)),
    .init(first: "224.0.0.0", last: "239.255.255.255", before: ("223.255.255.255", true), after: ("240.0.0.0", false)),
    .init(first: "240.0.0.0", last: "255.255.255.255", before: ("239.255.255.255", false), after: nil),
    // Unspecified, loopback, and compatible addresses.
    .init(first: "::", last: "::ffff:ffff", before: nil, after: ("::1:0:0", false)),
    // Mapped.
    .init(
      first: "::ffff:0:0", last: "::ffff:ffff:ffff", before: ("::fffe:ffff:ffff", false), after: ("::1:0:0:0", false)),
    // Translated: by RFC 2765, NAT64, and the local NAT64.
    .init(
      first: "::ffff:0:0:0", last: "::ffff:0:ffff:ffff", before: ("::fffe:ffff:ffff:ffff", false),
      after: ("::ffff:1:0:0", false)),
    .init(
      first: "64:ff9b::", last: "64:ff9b::ffff:ffff", before: ("64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", false),
      after: ("64:ff9b::1:0:0", false)),
    .init(
      first: "64:ff9b:1::", last: "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
      before: ("64:ff9b:0:ffff:ffff:ffff:ffff:ffff", false), after: ("64:ff9b:2::", false)),
    // Discarded.
    .init(
      first: "100::", last: "100::ffff:ffff:ffff:ffff", before: ("ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
      after: ("100:0:0:1::", false)),
    // All before the public ones, and protocol assignments with Teredo, measurements, hashes.
    .init(
      first: "1fff::", last: "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("1ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false), after: ("2000::", true)),
    .init(
      first: "2001::", last: "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true), after: ("2001:200::", true)),
    .init(
      first: "2001::", last: "2001:0:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true), after: ("2001:1::", false)),
    .init(
      first: "2001:db8::", last: "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", true), after: ("2001:db9::", true)),
    // 6to4.
    .init(
      first: "2002::", last: "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true), after: ("2003::", true)),
    .init(
      first: "3ffe::", last: "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("3ffd:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true), after: ("3fff::", false)),
    .init(
      first: "3fff::", last: "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false), after: ("3fff:1000::", true)),
    // All after the public ones.
    .init(
      first: "4000::", last: "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true), after: ("fc00::", false)),
    // Unique local, link-local, site-local, multicast.
    .init(
      first: "fc00::", last: "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false), after: ("fe00::", false)),
    .init(
      first: "fe80::", last: "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false), after: ("fec0::", false)),
    .init(
      first: "fec0::", last: "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false), after: ("ff00::", false)),
    .init(
      first: "ff00::", last: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: ("feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false), after: nil),
  ]

  @Test("Each special block ends where its registry ends it", arguments: blocks)
  func edges(_ block: Special) {
    let policy = AddressPolicy.publicOnly
    #expect(!policy.allows(block.first))
    #expect(!policy.allows(block.last))
    if let (address, isPublic) = block.before { #expect(policy.allows(address) == isPublic, "\(address)") }
    if let (address, isPublic) = block.after { #expect(policy.allows(address) == isPublic, "\(address)") }
  }

  @Test(
    "Public addresses are allowed",
    arguments: ["1.1.1.1", "8.8.8.8", "93.184.216.34", "151.101.1.69", "2606:4700::1111", "2a00:1450:4001:80b::200e"])
  func wellKnown(_ address: String) { #expect(AddressPolicy.publicOnly.allows(address)) }

  @Test(
    "Well-known targets of request forgery are refused in all spellings",
    arguments: [
      "127.0.0.1", "::1", "0.0.0.0", "::", "169.254.169.254", "fd00:ec2::254", "255.255.255.255", "::ffff:127.0.0.1",
      "::ffff:169.254.169.254", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b:1::10.0.0.1",
      "2002:7f00:1::", "2001:0:7f00:1::", "fe80::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1",
    ])
  func targets(_ address: String) { #expect(!AddressPolicy.publicOnly.allows(address)) }

  @Test(
    "Other texts are not addresses",
    arguments: [
      "", "localhost", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "1.2.3.4.5", "::1%lo", "[::1]", "1.1.1.1 ",
    ])
  func notAddresses(_ text: String) {
    #expect(!AddressPolicy.any.allows(text))
    #expect(!AddressPolicy.publicOnly.allows(text))
  }

  @Test("Exceptions are allowed, and nothing else")
  func exceptions() throws {
    var policy = AddressPolicy.publicOnly
    policy.allowed = [try #require(AddressBlock("10.1.2.0/24")), try #require(AddressBlock("::1"))]
    #expect(policy.allows("10.1.2.0"))
    #expect(policy.allows("10.1.2.255"))
    #expect(!policy.allows("10.1.1.255"))
    #expect(!policy.allows("10.1.3.0"))
    #expect(policy.allows("::1"))
    #expect(!policy.allows("::2"))
    #expect(policy.allows("8.8.8.8"))
  }

  @Test("An allowed IPv6 address also depends on the IPv4 address in it")
  func embedded() throws {
    let forms = [
      "64:ff9b::/96", "::ffff:0:0/96", "2002::/16", "2001::/32", "::/96", "::ffff:0:0:0/96", "64:ff9b:1::/48",
    ]
    let policy = AddressPolicy(isPublicOnly: true, allowed: try forms.map { try #require(AddressBlock($0)) })
    #expect(policy.allows("64:ff9b::8.8.8.8"))
    #expect(policy.allows("::ffff:8.8.8.8"))
    #expect(policy.allows("2002:808:808::1"))
    #expect(policy.allows("::8.8.8.8"))
    #expect(policy.allows("64:ff9b:1::8.8.8.8"))
    #expect(!policy.allows("64:ff9b:1::10.0.0.1"))
    #expect(!policy.allows("64:ff9b::10.0.0.1"))
    #expect(!policy.allows("::ffff:127.0.0.1"))
    #expect(!policy.allows("::ffff:0:127.0.0.1"))
    #expect(!policy.allows("2002:a00:1::1"))
    #expect(!policy.allows("::10.0.0.1"))
    // Teredo: the server 8.8.8.8 with the client 10.0.0.1, and the other way around.
    #expect(!policy.allows("2001:0:808:808:0:0:f5ff:fffe"))
    #expect(!policy.allows("2001:0:a00:1:0:0:f7f7:f7f7"))
    #expect(policy.allows("2001:0:808:808:0:0:f7f7:f7f7"))
  }

  @Test("Refused addresses take precedence over allowed ones")
  func refused() throws {
    let own = try #require(AddressBlock("198.41.0.0/24"))
    var policy = AddressPolicy(refused: [own])
    #expect(!policy.allows("198.41.0.4"))
    #expect(!policy.allows("::ffff:198.41.0.4"))
    #expect(policy.allows("198.41.1.4"))
    #expect(policy.allows("127.0.0.1"))
    policy.allowed = [own]
    #expect(!policy.allows("198.41.0.4"))
  }

  @Test("Blocks are parsed", arguments: [("10.0.0.0/8", "10.0.0.0/8"), ("1.2.3.4", "1.2.3.4/32"), ("::/0", "::/0")])
  func blockText(_ text: String, description: String) throws {
    #expect(try #require(AddressBlock(text)).description == description)
  }

  @Test("A block without prefix bits contains all addresses of its version")
  func wholeVersions() throws {
    let policy = AddressPolicy(isPublicOnly: true, allowed: [try #require(AddressBlock("0.0.0.0/0"))])
    #expect(policy.allows("127.0.0.1"))
    #expect(policy.allows("255.255.255.255"))
    #expect(!policy.allows("::1"))
    #expect(AddressPolicy(isPublicOnly: true, allowed: [try #require(AddressBlock("::/0"))]).allows("fe80::1"))
  }

  @Test(
    "Blocks with bits after the prefix, and other texts, are invalid",
    arguments: [
      "10.0.0.1/8", "10.0.0.0/33", "::1/64", "::/129", "10.0.0.0/", "10.0.0.0/+8", "10.0.0.0/8/8", "/8", "", "10.0/8",
      "10.0.0.0/-1", "10.0.0.0/99999999999999999999",
    ])
  func malformedBlocks(_ text: String) { #expect(AddressBlock(text) == nil) }
}
