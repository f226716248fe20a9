/// The addresses that a data loader may connect to.
///
/// A server that loads URLs from untrusted clients must not connect to machines that those clients cannot reach
/// themselves. The policy checks the address of every connection, after the host name was resolved: for a request, for
/// each redirect, and for each retry. Nothing is sent to a refused address, and no socket is opened. If a host has
/// several addresses, the refused ones are skipped. Through a proxy, only the hosts of URLs are checked, and only with
/// ``DataLoader/Configuration/proxyEnforcesAddressPolicy``.
///
/// ```swift
/// var configuration = DataLoader.Configuration()
/// configuration.addressPolicy = .publicOnly
/// // But this internal server may be used.
/// configuration.addressPolicy.allowed = [AddressBlock("10.1.2.3")!]
/// ```
public struct AddressPolicy: Sendable, Hashable {
  /// A Boolean value that indicates whether only addresses of the public internet are allowed. See ``publicOnly``.
  public var isPublicOnly: Bool
  /// The address blocks that are allowed although they are not public.
  public var allowed: [AddressBlock]
  /// The address blocks that are always refused, such as your own public addresses.
  public var refused: [AddressBlock]

  public init(isPublicOnly: Bool = false, allowed: [AddressBlock] = [], refused: [AddressBlock] = []) {
    self.isPublicOnly = isPublicOnly
    self.allowed = allowed
    self.refused = refused
  }

  /// Allows all addresses.
  public static let any = AddressPolicy()

  /// Allows only addresses that are reachable from the public internet.
  ///
  /// The policy refuses the addresses in IANA's registries of special-purpose addresses (RFC 6890): unspecified,
  /// loopback, link-local, private and unique local addresses, addresses that providers share among customers
  /// (100.64.0.0/10), multicast, broadcast, documentation, benchmarking and reserved addresses, and site-local
  /// addresses.
  ///
  /// It also refuses IPv6 addresses that embed an IPv4 address: mapped, compatible, translated (NAT64), 6to4 and Teredo
  /// addresses. IPv6 addresses outside 2000::/3 are not public. A NAT64 translator with an operator-specific prefix
  /// cannot be detected; add that prefix to ``refused``.
  public static let publicOnly = AddressPolicy(isPublicOnly: true)

  /// Returns `true` if a connection to the address is allowed. Returns `false` for a text that is not an address.
  ///
  /// An IPv6 address that embeds an IPv4 address is allowed only if both are.
  public func allows(_ address: String) -> Bool { IPAddress(address).map(allows) ?? false }

  package func allows(_ address: IPAddress) -> Bool {
    guard !refused.contains(where: { $0.contains(address) }) else { return false }
    guard !isPublicOnly || allowed.contains(where: { $0.contains(address) }) || Self.isPublic(address) else {
      return false
    }
    return address.embedded.allSatisfy(allows)
  }

  /// Returns `true` if a host may be sent to a proxy, which resolves it. Unlike addresses, names can only be refused if
  /// they are never public.
  ///
  /// - Parameter host: the host of a URL, as libcurl parses it.
  func allows(host: String) -> Bool {
    if host.hasPrefix("[") { return allows(String(host.dropFirst().dropLast())) }
    // Conversion to ASCII could result in an address.
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    var name = host.lowercased()
    while name.hasSuffix(".") { name.removeLast() }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = labels.last, !last.isEmpty else { return false }
    // A host that ends in a number is an IPv4 address (WHATWG URL §3.5).
    if last.utf8.allSatisfy({ $0 &- 48 < 10 }) || last.hasPrefix("0x") { return allows(name) }
    if last == "localhost" { return allows("127.0.0.1") && allows("::1") }
    guard isPublicOnly, allowed.isEmpty else { return true }
    return labels.count > 1 && last != "local" && last != "internal" && labels.suffix(2) != ["home", "arpa"]
  }

  /// `true` if every address is allowed.
  var allowsAll: Bool { !isPublicOnly && refused.isEmpty }

  private static func isPublic(_ address: IPAddress) -> Bool {
    if address.isVersion4 { return !special4.contains { $0.contains(address) } }
    return global6.contains(address) && !special6.contains { $0.contains(address) }
  }

  private static let special4: [AddressBlock] = [
    // This network (RFC 791), private (RFC 1918), shared (RFC 6598), loopback (RFC 1122), link-local (RFC 3927).
    .known("0.0.0.0/8"), .known("10.0.0.0/8"), .known("100.64.0.0/10"), .known("127.0.0.0/8"),
    .known("169.254.0.0/16"), .known("172.16.0.0/12"), .known("192.168.0.0/16"),
    // Protocol assignments (RFC 6890), documentation (RFC 5737), relays of 6to4 (RFC 7526), measurements (RFC 2544).
    .known("192.0.0.0/24"), .known("192.0.2.0/24"), .known("198.51.100.0/24"), .known("203.0.113.0/24"),
    .known("192.88.99.0/24"), .known("198.18.0.0/15"),
    // Multicast (RFC 5771), reserved and broadcast (RFC 1112, RFC 919).
    .known("224.0.0.0/4"), .known("240.0.0.0/4"),
  ]

  /// The IPv6 addresses assigned to the public internet (RFC 4291 §2.4, IANA's registry of the address space).
  private static let global6 = AddressBlock.known("2000::/3")

  private static let special6: [AddressBlock] = [
    // Protocol assignments (RFC 2928), which include Teredo, benchmarking and ORCHID; documentation (RFC 3849, RFC
    // 9637); 6to4 (RFC 3056); and the former 6bone (RFC 3701).
    .known("2001::/23"), .known("2001:db8::/32"), .known("3fff::/20"), .known("2002::/16"), .known("3ffe::/16"),
  ]
}
