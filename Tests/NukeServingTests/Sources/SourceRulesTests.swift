import Foundation
import NukeLoaderSuite
import Testing

@testable import NukeServing

@Suite("Rules for sources")
struct SourceRulesTests {
  private func rules(_ allowed: String..., base: String? = nil) throws -> SourceRules {
    var rules = SourceRules()
    rules.allowed = try allowed.map { try #require(SourcePattern($0)) }
    rules.base = base
    rules.schemes = ["http", "https", "local", "s3", "gs", "abs"]
    return rules
  }

  private func refusal(_ text: String, _ rules: SourceRules) -> ServingError? {
    do throws(ServingError) {
      _ = try rules.source(text)
      return nil
    } catch {
      return error
    }
  }

  private func isNotAllowed(_ text: String, _ rules: SourceRules) -> Bool {
    if case .sourceNotAllowed = refusal(text, rules) { true } else { false }
  }

  @Test(
    "URLs are normalized",
    arguments: [
      ("http://example.com", "http://example.com/"), ("HTTP://EXAMPLE.com:80/A", "http://example.com/A"),
      ("https://example.com:443/", "https://example.com/"), ("https://example.com:8443/", "https://example.com:8443/"),
      ("http://example.com/a b/ü.jpg?q=ü x#top", "http://example.com/a%20b/%C3%BC.jpg?q=%C3%BC%20x"),
      ("http://example.com/a%20b c.jpg?q=%26 [%5B]", "http://example.com/a%20b%20c.jpg?q=%26%20%5B%5B%5D"),
      ("http://example.com?a", "http://example.com/?a"), ("http://example.com/a%2Fb", "http://example.com/a%2Fb"),
      ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/a"), ("http://[::1]:8080/a", "http://[::1]:8080/a"),
      ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
      ("http://a_b.example/", "http://a_b.example/"),
      ("http://example.com/a[1].jpg?b={2}|\"", "http://example.com/a%5B1%5D.jpg?b=%7B2%7D%7C%22"),
      ("http://example.com/a...b/..c/c../.d", "http://example.com/a...b/..c/c../.d"),
      ("local:///a/b.jpg", "local:///a/b.jpg"), ("local://photos/a.jpg", "local://photos/a.jpg"),
    ])
  func form(text: String, form: String) throws {
    let rules = try rules()
    #expect(try rules.source(text).absoluteString == form)
    #expect(try rules.source(form).absoluteString == form)
  }

  @Test(
    "After local:// and the schemes of object stores, a source is a name, and escaped as a whole",
    arguments: [
      ("s3://my.Bucket/a/b c", "s3://my.Bucket/a/b%20c"), ("s3://my.Bucket/a/b%20c", "s3://my.Bucket/a/b%2520c"),
      ("S3://b/a#b%", "s3://b/a%23b%25"), ("s3://b/a?b", "s3://b/a%3Fb"), ("s3://b//a//", "s3://b//a//"),
      ("s3://b/ü\\[1]", "s3://b/%C3%BC%5C%5B1%5D"), ("s3://b", "s3://b/"), ("s3://b/%2e%2e/c", "s3://b/%252e%252e/c"),
      ("s3://b/a?versionId=x", "s3://b/a?versionId=x"),
      ("s3://b/a?versionId=x/y?#%20", "s3://b/a?versionId=x/y%3F%23%2520"),
      ("s3://b/a?versionId=", "s3://b/a"), ("local:///a?versionId=x", "local:///a"),
      ("gs://b/a#%20", "gs://b/a%23%2520"), ("gs://b/a?versionId=17", "gs://b/a?generation=17"),
      ("gs://b/a?versionId=generation=17", "gs://b/a?generation=17"), ("ABS://c//a#?b%", "abs://c//a%23%3Fb%25"),
      ("abs://c/a?versionId=17", "abs://c/a"),
      ("LOCAL:////a//b.jpg/", "local:///a/b.jpg"), ("local:///100%25", "local:///100%2525"),
    ])
  func names(text: String, url: String) throws {
    let rules = try rules()
    #expect(try rules.source(text).absoluteString == url)
    // The loader receives the URL, in which the name is escaped already.
    #expect(try rules.checked(url).absoluteString == url)
  }

  @Test("The pattern of a name is not escaped either")
  func namePatterns() throws {
    for (pattern, text) in [
      ("s3://b/a b%20/", "s3://b/a b%20/c"), ("local:///a#1?/*/", "local:///a#1?/x/c"),
      ("s3://b/ü*.png", "s3://b/üa?.png"),
    ] {
      #expect(refusal(text, try rules(pattern)) == nil, "\(pattern)")
    }
    for (pattern, text) in [("s3://b/a%20/", "s3://b/a /c"), ("s3://b/a b/", "s3://b/a%20b/c")] {
      #expect(isNotAllowed(text, try rules(pattern)), "\(pattern)")
    }
    #expect(try rules(base: "local:///a b%").source("c#d").absoluteString == "local:///a%20b%25/c%23d")
  }

  @Test(
    "URLs that parsers interpret differently are rejected",
    arguments: [
      "", "/a.jpg", "example.com/a", "http:/example.com/", "http:example.com", "//example.com/", "http://", "http:///a",
      "http://user@example.com/", "http://user:password@example.com/", "http://example.com@evil.org/",
      "http://example.com:80@evil.org/", "http://evil.org\\@example.com/", "http://example.com\\evil.org/",
      "http://example.com/a\\b", "http://example.com:/", "http://example.com:0/", "http://example.com:65536/",
      "http://example.com:+80/", "http://example.com:080/", "http://example.com:80:80/", "http://example.com: 80/",
      "http://exa mple.com/", "http://exam\tple.com/", "http://example.com\n/", "http://example.com/\r\nHost: x",
      "http://example.com/%0d%0a", "http://example.com/a%00.jpg", "http://example.com/a%", "http://example.com/a%2",
      "http://example.com/a%zz", "http://example.com/?a%zz", "http://ex%61mple.com/", "http://bücher.example/",
      "http://example。com/", "http://ｅxample.com/", "http://example.com./", "http://.example.com/", "http://a..b/",
      "http://-a.example/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://127.1/",
      "http://0177.0.0.1/", "http://1.2.3.4.5/", "http://127.0.0.1./", "http://[::1/", "http://[::1%25lo]/",
      "http://[1]/",
      "http://[::1]a/", "http://example.com/../a", "http://example.com/a/..", "http://example.com/a/./b",
      "http://example.com/%2e%2e/a", "http://example.com/a/%2E./b", "http://example.com/a%2f..%2fb",
      "http://example.com/..%5cb", "http://example.com/..;/b", "http://example.com/a/..;x=1/b",
      "local:///../etc/passwd",
      "local:///a/../b", "local:///a/..\\b", "local:///a/..;x", "s3://b/./c", "s3://b/c/..", "local:///a\u{7}",
      "local://../a", "s3://b?c/d", "s3://b#c/d", "s3://a b/c", "s3://a:80/b", "s3://user@bucket/b",
    ])
  func malformed(text: String) throws {
    let error = refusal(text, try rules())
    guard case .malformedURL = error else { throw Unexpected(error) }
  }

  @Test("Only the configured schemes are allowed")
  func schemes() throws {
    var rules = try rules()
    for text in [
      "file:///etc/passwd", "ftp://example.com/a", "gopher://example.com/", "data://x/,a", "javascript://a/",
    ] {
      #expect(isNotAllowed(text, rules))
    }
    rules.schemes = ["https"]
    #expect(isNotAllowed("http://example.com/", rules))
    #expect(refusal("https://example.com/", rules) == nil)
    #expect(SourceRules().schemes == ["http", "https"])
  }

  @Test(
    "Allowed and denied buckets restrict the sources of their store",
    arguments: [
      ([], [], "s3://a/x", true), (["a"], [], "s3://a/x", true), (["a"], [], "s3://b/x", false),
      (["a"], [], "s3://ab/x", false), (["a"], [], "s3://A/x", false), ([], ["a"], "s3://a/x", false),
      ([], ["a"], "s3://b/x", true), (["a", "b"], ["a"], "s3://a/x", false), (["a", "b"], ["a"], "s3://b/x", true),
      (["a"], [], "https://b/x", true), (["a"], ["local"], "local:///x", true),
    ])
  func buckets(allowed: [String], denied: [String], source: String, isAllowed: Bool) throws {
    var rules = try rules()
    rules.buckets["s3"] = SourceRules.Buckets(allowed: allowed, denied: denied)
    #expect(isNotAllowed(source, rules) == !isAllowed)
    // They allow nothing by themselves.
    rules.allowed = [try #require(SourcePattern("ftp://a/"))]
    #expect(isNotAllowed(source, rules))
  }

  @Test("The configured ports and the schemes' default ports are allowed")
  func ports() throws {
    var rules = try rules()
    rules.ports = [8080]
    #expect(refusal("http://example.com:8080/", rules) == nil)
    #expect(refusal("http://example.com:80/", rules) == nil)
    #expect(isNotAllowed("http://example.com:22/", rules))
    #expect(isNotAllowed("https://example.com:80/", rules))
    rules.ports = []
    #expect(refusal("https://example.com/", rules) == nil)
  }

  @Test("The length of a URL is limited")
  func length() throws {
    var rules = try rules()
    rules.maximumLength = 30
    #expect(refusal("http://example.com/" + String(repeating: "a", count: 11), rules) == nil)
    #expect(refusal("http://example.com/" + String(repeating: "a", count: 12), rules) != nil)
    rules.base = "http://example.com"
    #expect(refusal(String(repeating: "a", count: 11), rules) == nil)
    #expect(refusal(String(repeating: "a", count: 12), rules) != nil)
  }

  @Test(
    "URLs with an allowed prefix are allowed",
    arguments: [
      ("https://example.com/", "https://example.com/a"), ("https://example.com", "https://example.com/a"),
      ("https://EXAMPLE.com:443/", "https://example.com/a"), ("https://*.example.com/", "https://a.b.example.com/c"),
      ("https://example.com/photos/", "https://example.com/photos/a/b"),
      ("https://*/photos/", "https://x.org/photos/a"),
      ("https://example.com/*/thumbs/", "https://example.com/u1/thumbs/a"), ("s3://", "s3://bucket/a"),
      ("s3://bucket", "s3://bucket/a"), ("local://", "local:///a"), ("local:///photos/", "local:///photos/a"),
      ("http://example.com:8080/", "http://example.com:8080/a"), ("https://", "https://anything.org/"),
      ("https://a*b*c.org/", "https://axxbyybc.org/"), ("https://example.com/a*/c", "https://example.com/ab/cd"),
    ])
  func allowed(pattern: String, text: String) throws { #expect(refusal(text, try rules("ftp://x/", pattern)) == nil) }

  @Test(
    "URLs with another prefix are rejected",
    arguments: [
      ("https://example.com", "https://example.com.evil.org/"), ("https://example.com", "https://example.comevil.org/"),
      ("https://example.com/", "http://example.com/"), ("https://example.com/", "https://www.example.com/"),
      ("https://*.example.com/", "https://example.com/"), ("https://*.example.com/", "https://evil.org/.example.com/"),
      ("https://*.example.com/", "https://evil.org/?.example.com/"),
      ("https://*.example.com/", "https://evilexample.com/"),
      ("https://example.com/photos/", "https://example.com/photosecrets/a"),
      ("https://example.com/photos/", "https://example.com/"), ("https://example.com/", "https://example.com:8443/"),
      ("https://example.com/*/thumbs/", "https://example.com/a/b/thumbs/"), ("s3://bucket", "s3://bucket2/a"),
      ("local://photos", "local:///photos/a"), ("https://example.com/photos/", "https://example.com/%70hotos/a"),
      ("https://example.com/photos/", "https://example.com/Photos/a"),
    ])
  func notAllowed(pattern: String, text: String) throws { #expect(isNotAllowed(text, try rules(pattern))) }

  @Test(
    "Ambiguous patterns are invalid",
    arguments: [
      "", "example.com", "*", "https//example.com", "https://user@example.com/", "https://a b/", "https://a/?b",
    ])
  func malformedPatterns(text: String) { #expect(SourcePattern(text) == nil) }

  @Test("A pattern with many asterisks is matched quickly")
  func manyAsterisks() throws {
    var rules = try rules("https://" + String(repeating: "a*", count: 60) + "b/")
    rules.maximumLength = 100_000
    // No name of 63 letters has as many; and a path as long goes on without a slash.
    #expect(isNotAllowed("https://" + String(repeating: "a", count: 63) + ".org/", rules))
    var long = try self.rules("https://x.org/" + String(repeating: "a*", count: 60) + "b")
    long.maximumLength = 100_000
    #expect(isNotAllowed("https://x.org/" + String(repeating: "a", count: 90_000), long))
  }

  @Test(
    "A source without a scheme is appended to the base",
    arguments: [
      ("a.jpg", "https://cdn.example.com/photos/a.jpg"), ("/a.jpg", "https://cdn.example.com/photos/a.jpg"),
      ("@evil.org/a", "https://cdn.example.com/photos/@evil.org/a"),
      ("//evil.org/a", "https://cdn.example.com/photos//evil.org/a"),
      (".evil.org/a", "https://cdn.example.com/photos/.evil.org/a"),
      ("https://cdn.example.com/photos/a", "https://cdn.example.com/photos/a"),
    ])
  func base(text: String, url: String) throws {
    #expect(try rules(base: "https://cdn.example.com/photos").source(text).absoluteString == url)
  }

  @Test(
    "The beginning of a source is replaced, also by what asterisks match",
    arguments: [
      ("a://=b://", "a://x", "b://x"), ("a://=b://", "c://a://x", "c://a://x"), ("a=", "abc", "bc"),
      ("mys3://*/=s3://bucket/${1}/", "mys3://photos/2.jpg", "s3://bucket/photos/2.jpg"),
      ("x://*-*/=https://${2}.example/${1}/", "x://a-b-c/d", "https://c.example/a-b/d"),
      ("x://*/=y://${1}${1}/", "x://a", "x://a"), ("x*y=z", "x/y", "x/y"), ("*=<${1}>", "ab/c", "<ab>/c"),
      ("a=b=c", "ax", "b=cx"),
    ])
  func replacements(text: String, source: String, result: String) throws {
    #expect(try #require(SourceReplacement(text)).applied(to: source) == result)
    #expect(try #require(SourceReplacement(text)).description == text)
  }

  @Test("Replacements apply one after the other, and before the base")
  func replacementOrder() throws {
    var rules = try rules(base: "https://cdn.example.com")
    rules.replacements = try ["a/=b/", "b/=photos/"].map { try #require(SourceReplacement($0)) }
    #expect(try rules.source("a/x.jpg").absoluteString == "https://cdn.example.com/photos/x.jpg")
  }

  @Test(
    "A replacement without a pattern, or with what no asterisk matches, is invalid",
    arguments: ["", "a", "=b", "a=${1}", "*=${2}", "*=${x}", String(repeating: "*", count: 10) + "=a"])
  func malformedReplacements(text: String) { #expect(SourceReplacement(text) == nil) }

  @Test("A replacement with many asterisks is matched quickly")
  func manyAsterisksInReplacement() throws {
    let replacement = try #require(SourceReplacement(String(repeating: "*a", count: 9) + "b=x"))
    let text = String(repeating: "a", count: 4000)
    #expect(replacement.applied(to: text) == text)
  }

  @Test("A prefix is compared with the URL that is requested, whatever is escaped in it")
  func escapes() throws {
    let rules = try rules("https://example.com/a%20b/")
    for text in ["https://example.com/a b/%20 c", "https://example.com/a%20b/ %20c"] {
      #expect(try rules.source(text).absoluteString == "https://example.com/a%20b/%20%20c")
    }
    // An escaped percent sign is another character.
    #expect(isNotAllowed("https://example.com/a%2520b/ c", rules))
  }

  @Test("Only the base is allowed, unless other prefixes are")
  func outsideOfBase() throws {
    let rules = try rules(base: "https://cdn.example.com/photos")
    #expect(isNotAllowed("https://evil.org/a", rules))
    #expect(isNotAllowed("https://cdn.example.com/a", rules))
    #expect(isNotAllowed("https://cdn.example.com/photosecrets", rules))
    #expect(refusal("../a", rules) != nil)
    #expect(refusal("https://other.org/a", try self.rules("https://other.org/", base: "https://x.org")) == nil)
    #expect(isNotAllowed("a", try self.rules("https://other.org/", base: "https://x.org")))
  }
}
