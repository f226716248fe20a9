import Foundation
import NukeCodecs
import Testing

@Suite("Naming data that is not an image")
struct UnrecognizedFormatTests {
  @Test(
    "Text is named by its beginning",
    arguments: [
      ("<!DOCTYPE html><html><body>Not found</body></html>", "HTML"),
      ("  \n<HTML lang=en>", "HTML"),
      ("<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"x\"><html/>", "HTML"),
      ("<!-- cache: miss -->\n<head><title>502</title>", "HTML"),
      ("<?xml version=\"1.0\"?><rss/>", "XML"),
      ("{\"error\": \"no such image\"}", "JSON"),
      (" [1, 2]", "JSON"),
      ("{}", "JSON"),
      ("Not Found", "plain text"),
      ("Größe: 5 µm", "plain text"),
      ("{wiki markup}", "plain text"),
      ("<3", "plain text"),
    ])
  func text(_ text: String, name: String) {
    #expect(ImageFormat.name(ofUnrecognized: Data(text.utf8)) == name)
    #expect(ImageFormat.name(ofUnrecognized: Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)) == name)
  }

  @Test("An incomplete character at the end does not prevent the recognition of text")
  func cutCharacter() {
    for shift in 0..<4 {
      let text = String(repeating: "x", count: shift) + String(repeating: "€", count: 2000)
      #expect(ImageFormat.name(ofUnrecognized: Data(text.utf8)) == "plain text")
    }
    #expect(ImageFormat.name(ofUnrecognized: Data("€".utf8).dropLast()) == nil)
  }

  @Test(
    "Binary formats are named by their signatures",
    arguments: [
      ("%PDF-1.7\n", "a PDF document"),
      ("PK\u{3}\u{4}\u{14}\0", "a ZIP archive"),
      ("\0\0\0\u{18}ftypM4A \0\0\u{2}\0isommp42", "an MP4 sound"),
      ("\0\0\0\u{14}ftypwhat\0\0\u{2}\0what", "an MP4 video"),
      ("8BPS\0\u{1}", "a Photoshop document"),
      ("qoif\0\0\0\u{1}", "a QOI image"),
      ("RIFF\u{24}\0\0\0WAVEfmt ", "a WAV sound"),
    ])
  func binary(_ text: String, name: String) {
    #expect(ImageFormat.name(ofUnrecognized: Data(text.utf8)) == name)
  }

  @Test(
    "Signatures with bytes above 127 are recognized",
    arguments: [
      ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], "a JPEG 2000 image"),
      ([0xFF, 0x4F, 0xFF, 0x51], "a JPEG 2000 image"),
      ([0x1F, 0x8B, 8, 0], "gzip-compressed data"),
      ([0x1A, 0x45, 0xDF, 0xA3], "a Matroska video"),
      ([0xFF, 0xFE, 0x48, 0], "plain text"),
    ] as [([UInt8], String)])
  func signatures(_ bytes: [UInt8], name: String) {
    #expect(ImageFormat.name(ofUnrecognized: Data(bytes)) == name)
  }

  @Test("Empty data is named an empty file, and noise has no name")
  func nothing() {
    #expect(ImageFormat.name(ofUnrecognized: Data()) == "an empty file")
    #expect(ImageFormat.name(ofUnrecognized: Data([0x80, 1, 2, 3])) == nil)
    #expect(ImageFormat.name(ofUnrecognized: Data(count: 100)) == nil)
  }

  @Test("The error for an unknown format contains the name")
  func error() {
    #expect(throws: CodecError.unrecognizedFormat(looksLike: "HTML")) {
      try ImageReaders.reader(for: Data("<!doctype html>".utf8))
    }
    #expect(throws: CodecError.unrecognizedFormat(looksLike: "an empty file")) { try ImageReaders.reader(for: Data()) }
    #expect(throws: CodecError.unrecognizedFormat(looksLike: "JSON")) {
      try ImageReaders.header(ofPrefix: Data("{\"status\": \"error\"}".utf8))
    }
  }
}
