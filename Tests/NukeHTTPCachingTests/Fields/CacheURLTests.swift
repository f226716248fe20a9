import NukeHTTPCaching
import Testing

@Suite("Cache URLs") struct CacheURLTests {
  @Test(
    "RFC 9111 §2: The key is the normalized URL without its fragment (RFC 9110 §4.2.3)",
    arguments: [
      ("https://a.test/x?q=1#f", "https://a.test/x?q=1"), ("HTTPS://A.Test:443/X", "https://a.test/X"),
      ("http://a.test:80", "http://a.test/"), ("http://a.test:8080/", "http://a.test:8080/"),
      ("http://a.test:/", "http://a.test/"), ("https://a.test:80/", "https://a.test:80/"),
      ("http://a.test?x", "http://a.test/?x"), ("http://User@A.test/", "http://User@a.test/"),
      ("http://[::1]:80/", "http://[::1]/"), ("data:image/png,x", "data:image/png,x"),
      ("ftp://a.test/x", "ftp://a.test/x"),
      ("/only/a/path?x#y", "/only/a/path?x"), ("", ""),
    ])
  func keys(_ url: String, _ key: String) {
    #expect(CacheURL.key(url) == key)
    #expect(CacheURL.key(key) == key)
  }

  @Test(
    "RFC 3986 §5.4: A relative reference is resolved",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
      ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
      ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("//a/x", "http://a/x"),
      ("http://A:80/x", "http://a/x"), ("http://user@a/x", "http://user@a/x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
  func references(_ reference: String, _ key: String) {
    #expect(CacheURL.key(of: reference, from: "http://a/b/c/d;p?q") == key)
  }

  @Test(
    "RFC 9111 §4.4: A reference to another origin has no key",
    arguments: ["//b/x", "https://a/b", "http://a:81/", "mailto:x", "g:h"])
  func otherOrigins(_ reference: String) {
    #expect(CacheURL.key(of: reference, from: "http://a/b/c/d") == nil)
  }

  @Test("A reference from a URL without a host has no key")
  func withoutOrigin() {
    #expect(CacheURL.key(of: "x", from: "data:a") == nil)
    #expect(CacheURL.key(of: "x", from: "") == nil)
  }
}
