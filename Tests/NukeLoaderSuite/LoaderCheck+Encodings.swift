import Foundation
import FoundationNetworking
import Nuke
import NukeOrigin
import Testing

extension LoaderCheck {
  static let encodings: [LoaderCheck] = [
    LoaderCheck("decodes bodies that were encoded without being requested, their length unknown") { loaders in
      let bodies = [
        "gzip": Encoded.gzip, "GZip": Encoded.gzip, "x-gzip": Encoded.gzip, "identity, gzip": Encoded.gzip,
        "deflate": Encoded.zlib, "Deflate": Encoded.deflate,
      ]
      for (coding, body) in bodies {
        // One byte at a time, and all at once.
        for framing in [NukeOrigin.Response.Framing.contentLength, .chunked] {
          let origin = try loaders.origin { _ in
            let response = Encoded.response(body, coding).framed(framing)
            if case .chunked = framing { return response.trickled(1, .bytes(0)) }
            return response
          }
          let state = await loaders.make().outcome(of: origin.url("/"))
          #expect(origin.log.requests.first?.header("Accept-Encoding") == "identity")
          #expect(state.hasError == false, "\(coding)")
          #expect(state.body == Encoded.plain, "\(coding)")
          #expect(state.head?.expectedLength == nil)
          #expect(state.head?.value(forField: "Content-Encoding") == nil)
          #expect(state.head?.value(forField: "Content-Length") == nil)
          #expect(state.head?.value(forField: "Content-Type") == "image/svg+xml")
          #expect(state.head?.value(forField: "Vary") == "Accept-Encoding")
        }
      }
    },
    LoaderCheck("decodes bodies that were requested encoded") { loaders in
      let origin = try loaders.origin { _ in Encoded.response(Encoded.gzip, "gzip") }
      var request = URLRequest(url: origin.url("/"))
      request.setValue("gzip;q=1", forHTTPHeaderField: "Accept-Encoding")
      let state = await loaders.make().outcome(of: request)
      #expect(origin.log.requests.first?.header("Accept-Encoding") == "gzip;q=1")
      #expect(state.hasError == false)
      #expect(state.body == Encoded.plain)
    },
    LoaderCheck("decodes all members of a gzip stream") { loaders in
      let origin = try loaders.origin { _ in Encoded.response(Encoded.gzip + Encoded.gzip, "gzip") }
      let state = await loaders.make().outcome(of: origin.url("/"))
      #expect(state.hasError == false)
      #expect(state.body == Encoded.plain + Encoded.plain)
    },
    LoaderCheck("ignores zeros that pad a gzip stream, between its members and at its end") { loaders in
      let padding = Data(count: 20)
      for isTrickled in [false, true] {
        let origin = try loaders.origin { _ in
          let response = Encoded.response(Encoded.gzip + padding + Encoded.gzip + padding, "gzip")
          return isTrickled ? response.trickled(1, .bytes(0)) : response
        }
        let state = await loaders.make().outcome(of: origin.url("/"))
        #expect(state.hasError == false)
        #expect(state.body == Encoded.plain + Encoded.plain)
      }
    },
    LoaderCheck("does not change bodies whose Content-Encoding names no coding") { loaders in
      for value in ["identity", "none", "base64", "utf-8", "aws-chunked", ""] {
        let origin = try loaders.origin { _ in Encoded.response(noise(500), value) }
        let state = await loaders.make().outcome(of: origin.url("/"))
        #expect(state.hasError == false, "\(value)")
        #expect(state.body == noise(500))
        #expect(state.head?.expectedLength == 500)
      }
    },
    LoaderCheck("reports the coding of a body that it cannot decode, and delivers nothing of it") { loaders in
      for coding in ["zstd2", "br", "gzip, gzip"] {
        let origin = try loaders.origin { _ in Encoded.response(Encoded.gzip, coding) }
        let folder = try TemporaryFolder()
        let cache = try HTTPCache(path: folder.url)
        let loader = loaders.make(retrying: 2) { $0.urlCache = cache }
        for count in 1...2 {
          let state = await loader.outcome(of: origin.url("/"))
          let reason = "its Content-Encoding is \(coding), and only gzip and deflate are supported"
          #expect(state.error == .contentNotDecodable(host: "127.0.0.1", reason: reason))
          #expect(state.body.isEmpty)
          // Nothing was stored.
          #expect(origin.log.requests.count == count)
        }
      }
    },
    LoaderCheck("reports encoded data that is truncated, damaged, or followed by more, and stores nothing") { loaders in
      let bodies: [(Data, String)] = [
        (Data(Encoded.gzip.dropLast(1)), "gzip"), (Data(Encoded.gzip.dropLast(12)), "gzip"),
        (Data(Encoded.gzip.prefix(4)), "gzip"), (Data(Encoded.zlib.dropLast(1)), "deflate"),
        (Data(Encoded.gzip.dropLast(5)) + Data(count: 5), "gzip"), (noise(500), "gzip"),
        (Encoded.gzip + noise(500), "gzip"), (Encoded.gzip + Data(count: 20) + noise(500), "gzip"),
        (Data(count: 20), "gzip"),
        (Data(count: 20) + Encoded.gzip, "gzip"), (Encoded.zlib + Data(count: 1), "deflate"),
      ]
      for (number, (body, coding)) in bodies.enumerated() {
        let origin = try loaders.origin { _ in
          Encoded.response(body, coding, ["Cache-Control": "max-age=3600", "ETag": "\"v1\""])
        }
        let folder = try TemporaryFolder()
        let cache = try HTTPCache(path: folder.url)
        let loader = loaders.make(retrying: 2) { $0.urlCache = cache }
        for count in 1...2 {
          let state = await loader.outcome(of: origin.url("/"))
          guard case .contentNotDecodable("127.0.0.1", _) = state.error else { throw Unexpected((number, state.ends)) }
          #expect(state.ends.count == 1)
          #expect(origin.log.requests.count == count)
          #expect(origin.log.requests.last?.header("Range") == nil)
        }
      }
    },
    LoaderCheck("accepts encoded responses without a body") { loaders in
      let origin = try loaders.origin { request in
        var response = Encoded.response(request.method == "HEAD" ? Encoded.gzip : Data(), "gzip")
        response.status = Int(request.path.dropFirst()) ?? 200
        return response
      }
      let loader = loaders.make()
      for (method, path) in [("HEAD", "/200"), ("GET", "/200"), ("GET", "/204")] {
        var request = URLRequest(url: origin.url(path))
        request.httpMethod = method
        let state = await loader.outcome(of: request)
        #expect(state.hasError == false)
        #expect(state.body.isEmpty)
        #expect(state.head?.expectedLength == nil)
      }
    },
    LoaderCheck("counts decoded bytes for the limit of a body") { loaders in
      let origin = try loaders.origin { _ in Encoded.response(Encoded.zeros, "gzip") }
      let loader = loaders.make { $0.maximumBodySize = 299_999 }
      let state = await loader.outcome(of: origin.url("/"))
      #expect(state.error == .bodyTooLarge(limit: 299_999))
      #expect(state.body.count <= 299_999)
      #expect(await loaders.make { $0.maximumBodySize = 300_000 }.outcome(of: origin.url("/")).body.count == 300_000)
    },
    LoaderCheck("holds back the rest of a decoded chunk while it is paused") { loaders in
      let gate = ScriptGate()
      let origin = try loaders.origin { request in
        request.path == "/" ? Encoded.response(Encoded.zeros, "gzip").held(by: gate) : .data(Data("x".utf8))
      }
      let loader = loaders.make()
      let stored = Lock<(any Transfer)?>(nil)
      let pauses = Lock(true)
      let recorder = Recorder(onChunk: { if pauses.withLock({ $0 }) { stored.withLock { $0 }?.pause() } })
      let transfer = loader.stream(URLRequest(url: origin.url("/")), limit: nil, observer: recorder)
      stored.withLock { $0 = transfer }
      gate.open()
      let size = await recorder.waitUntil { !$0.chunkSizes.isEmpty }.body.count
      #expect(size <= 16 << 10)
      // The loader's thread has had time for more.
      #expect(await loader.outcome(of: origin.url("/next")).hasError == false)
      #expect(recorder.state.body.count == size)
      transfer.resume()
      await recorder.waitUntil { $0.chunkSizes.count == 2 }
      pauses.withLock { $0 = false }
      transfer.resume()
      let state = await recorder.finished()
      #expect(state.hasError == false)
      #expect(state.body == Data(count: 300_000))
    },
    LoaderCheck("can be canceled from within the call for a decoded piece") { loaders in
      let gate = ScriptGate()
      let origin = try loaders.origin { _ in Encoded.response(Encoded.zeros, "gzip").held(by: gate) }
      let stored = Lock<(any Transfer)?>(nil)
      let recorder = Recorder(onChunk: { stored.withLock { $0 }?.cancel() })
      let transfer = loaders.make().stream(URLRequest(url: origin.url("/")), limit: nil, observer: recorder)
      stored.withLock { $0 = transfer }
      gate.open()
      let state = await recorder.finished()
      #expect(state.error == .cancelled)
      #expect(state.chunkSizes.count == 1)
    },
    LoaderCheck("does not resume an encoded body that was interrupted") { loaders in
      for fields in [
        ["ETag": "\"v1\""],
        ["Last-Modified": "Mon, 02 Nov 2026 10:00:00 GMT", "Date": "Sun, 22 Nov 2026 10:00:00 GMT"],
      ] {
        let origin = try loaders.origin { _ in
          Encoded.response(Encoded.gzip, "gzip", ["Accept-Ranges": "bytes"].merging(fields) { $1 })
            // All but the checksum.
            .scripted(.head, .bytes(Encoded.gzip.count - 8), .close)
        }
        let request = URLRequest(url: origin.url("/"))
        let state = await loaders.make(retrying: 2).outcome(of: request)
        guard case .connectionLost = state.error else { throw Unexpected(state.ends) }
        #expect(origin.log.requests.allSatisfy { $0.header("Range") == nil })
        let head = try #require(state.head)
        #expect(!state.body.isEmpty)
        #expect(ResumePoint(head, to: request, count: state.body.count) == nil)
      }
    },
    LoaderCheck("does not append an encoded part to a body") { loaders in
      let body = noise(1000)
      let origin = try loaders.origin { request in
        var response = NukeOrigin.Response.ranged(body, etag: "\"v1\"", for: request)
        guard request.header("Range") != nil else { return response.scripted(.head, .bytes(100), .close) }
        response.headers.append(("Content-Encoding", "gzip"))
        return response
      }
      let state = await loaders.make(retrying: 1).outcome(of: origin.url("/"))
      #expect(state.hasError)
      #expect(state.body == body.prefix(100))
      // As the server describes it.
      var request = URLRequest(url: origin.url("/"))
      request.setValue("bytes=500-", forHTTPHeaderField: "Range")
      let part = await loaders.make().outcome(of: request)
      #expect(part.head?.status == 206)
      #expect(part.head?.value(forField: "Content-Encoding") == "gzip")
      #expect(part.head?.value(forField: "Content-Range") == "bytes 500-999/1000")
      #expect(part.body == body.dropFirst(500))
    },
    LoaderCheck("stores decoded bodies in the HTTP cache, and validates them with one request") { loaders in
      for validator in [["ETag": "\"v1\""], ["Last-Modified": "Mon, 02 Nov 2026 10:00:00 GMT"]] {
        let origin = try loaders.origin { request in
          let isFresh = request.path == "/fresh"
          let fields = ["Cache-Control": isFresh ? "max-age=3600" : "no-cache"].merging(validator) { $1 }
          guard request.header("If-None-Match") == nil, request.header("If-Modified-Since") == nil else {
            var response = Encoded.response(Data(), "gzip", fields)
            response.status = 304
            return response
          }
          return Encoded.response(Encoded.gzip, "gzip", fields)
        }
        let folder = try TemporaryFolder()
        let cache = try HTTPCache(path: folder.url)
        let loader = loaders.make { $0.urlCache = cache }
        for path in ["/fresh", "/changing"] {
          for _ in 0..<3 {
            let state = await loader.outcome(of: origin.url(path))
            #expect(state.hasError == false)
            #expect(state.body == Encoded.plain)
            #expect(state.head?.status == 200)
            #expect(state.head?.value(forField: "Content-Encoding") == nil)
            #expect(state.head?.value(forField: "ETag") == validator["ETag"].map { "W/" + $0 })
            #expect([nil, Encoded.plain.count].contains(state.head?.expectedLength))
          }
        }
        #expect(origin.log.requests(to: "/fresh").count == 1)
        let conditions = origin.log.requests(to: "/changing").map {
          $0.header("If-None-Match") ?? $0.header("If-Modified-Since")
        }
        let condition = validator["ETag"].map { "W/" + $0 } ?? validator["Last-Modified"]
        #expect(conditions == [nil, condition, condition])
      }
    },
    LoaderCheck("reports the status of an encoded error page") { loaders in
      for coding in ["gzip", "br"] {
        let origin = try loaders.origin { request in
          guard request.path == "/" else { return .data(Data("x".utf8)) }
          var response = Encoded.response(Encoded.gzip, coding)
          response.status = 404
          return response
        }
        let loader = loaders.make { $0.maximumConnectionsPerHost = 1 }
        #expect(await loader.outcome(of: origin.url("/")).unacceptableStatus == 404)
        #expect(await loader.outcome(of: origin.url("/next")).body == Data("x".utf8))
        #expect(origin.log.connectionsAccepted == 1)
      }
    },
  ]
}

/// A text and its encoded forms, and a long run of zeros.
enum Encoded {
  static let plain = Data(String(repeating: "<svg/>", count: 20).utf8)
  static let gzip = Data(base64Encoded: "H4sIAAAAAAAC/7MpLkvXt7OhOwkAvmd4YXgAAAA=")!
  static let zlib = Data(base64Encoded: "eNqzKS5L17ezoTsJAFwTJ3U=")!
  static let deflate = Data(base64Encoded: "sykuS9e3s6E7CQA=")!

  /// 300,000 zeros by gzip.
  static let zeros = Data(
    base64Encoded: """
      H4sIAAAAAAACA+3BAQ0AAADCoPdPbQ8HFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/Bj74rL24JMEAA==
      """)!

  static func response(
    _ body: Data, _ coding: String, _ fields: [String: String] = [:]
  ) -> NukeOrigin.Response {
    var response = NukeOrigin.Response.data(body, type: "image/svg+xml")
    response.headers += [("Content-Encoding", coding), ("Vary", "Accept-Encoding")]
    response.headers += fields.map { ($0, $1) }
    return response
  }
}
