import Foundation
import Nuke
import NukeCLI
import Testing

@Suite struct ProcessorSyntaxTests {
  @Test(
    "A specification makes the processor it names",
    arguments: [
      (
        "resize:300x200",
        ImageProcessors.Resize(size: CGSize(width: 300, height: 200), unit: .pixels, contentMode: .aspectFit)
      ),
      (
        "resize:size=300x200,fill,upscale",
        ImageProcessors.Resize(
          size: CGSize(width: 300, height: 200), unit: .pixels, contentMode: .aspectFill, upscale: true)
      ),
      (
        "resize:crop,300X200",
        ImageProcessors.Resize(size: CGSize(width: 300, height: 200), unit: .pixels, crop: true)
      ),
      ("resize:width=300", ImageProcessors.Resize(width: 300, unit: .pixels)),
      ("circle", ImageProcessors.Circle()),
      ("circle:border=2", ImageProcessors.Circle(border: .init(color: .black, width: 2, unit: .pixels))),
      (
        "circle:color=#FF800080,border=1.5",
        ImageProcessors.Circle(
          border: .init(
            color: Color(red: 1, green: 128 / 255, blue: 0, alpha: 128 / 255), width: 1.5, unit: .pixels))
      ),
      ("roundedCorners:20", ImageProcessors.RoundedCorners(radius: 20, unit: .pixels)),
      (
        "roundedCorners:radius=20,border=1,color=White",
        ImageProcessors.RoundedCorners(
          radius: 20, unit: .pixels, border: .init(color: .white, width: 1, unit: .pixels))
      ),
      ("coreImageFilter:CISepiaTone", ImageProcessors.CoreImageFilter(name: "CISepiaTone")),
      ("gaussianBlur", ImageProcessors.GaussianBlur()), ("gaussianBlur:3", ImageProcessors.GaussianBlur(radius: 3)),
      ("resize:height=300,upscale", ImageProcessors.Resize(height: 300, unit: .pixels, upscale: true)),
    ] as [(String, any ImageProcessing)])
  func made(specification: String, processor: any ImageProcessing) throws {
    #expect(try ProcessorSyntax.processor(specification).identifier == processor.identifier)
  }

  @Test(
    "What is wrong with a specification is said, and how it is written",
    arguments: [
      ("resize", "one of a size, a width and a height"), ("resize:", "one of a size"),
      ("resize:10", "\"10\" is no size"), ("resize:0x5", "\"0x5\" is no size"),
      ("resize:10x10,width=5", "one of a size"), ("resize:width=5,crop", "need both sides"),
      ("resize:width=x", "width must be a number from 1 to 65500"), ("resize:width=nan", "width must be a number"),
      ("resize:width=1e9", "width must be a number"), ("resize:10x10,squash", "does not know \"squash\""),
      ("resize:10x10,width2=3", "does not know \"width2=\""), ("resize:10x10,,crop", "nothing between two commas"),
      ("resize:width=5,width=6", "width is given twice"), ("resize:10x10,10x10", "does not know \"10x10\""),
      ("circle:5", "does not know \"5\""), ("circle:color=red", "color needs border"),
      ("circle:border=1,color=mauve", "\"mauve\" is no colour"),
      ("circle:border=1,color=#12345", "\"#12345\" is no colour"), ("circle:border=-1", "border must be a number"),
      ("roundedCorners", "takes a radius"), ("roundedCorners:x", "radius must be a number"),
      ("gaussianBlur:-1", "radius must be a number"),
    ])
  func wrong(specification: String, reason: String) {
    let failure = #expect(throws: ProcessorArguments.Failure.self) {
      _ = try ProcessorSyntax.processor(specification)
    }
    #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
    let name = specification.prefix { $0 != ":" }
    #expect(failure?.description.contains("It is written \(name)") == true)
  }

  @Test(
    "An unknown name brings the one that is near, and all there are",
    arguments: [
      ("resiz", true), ("rezise:10x10", true), ("RESIZE", true), ("sharpen", false), ("", false),
    ])
  func unknown(specification: String, isNear: Bool) {
    let failure = #expect(throws: ProcessorArguments.Failure.self) {
      _ = try ProcessorSyntax.processor(specification)
    }
    #expect(failure?.description.contains("Did you mean resize?") == isNear)
    for syntax in ProcessorSyntax.all { #expect(failure?.description.contains(syntax.name) == true) }
  }

  @Test("The help of both commands lists every processor, in lines of 80", arguments: ["load", "prefetch"])
  func help(command: String) async throws {
    let help = try await Command.run(command, "--help").output
    for syntax in ProcessorSyntax.all {
      for form in syntax.forms { #expect(help.contains("  \(syntax.name)" + (form.isEmpty ? "" : ":\(form)"))) }
    }
    for line in ProcessorSyntax.help.split(separator: "\n") { #expect(line.count <= 80) }
  }

  @Test("Processors are applied in their order, after --resize")
  func order() async throws {
    let outcome = try await Command.run(
      "load", Sample.path("lake.jpg"), "--processor", "resize:90x90,crop", "--processor", "resize:width=45", "--resize",
      "400x400", "--json")
    #expect(outcome.status == 0)
    let object = try #require(try outcome.objects().first)
    #expect(object["width"] as? Int == 45 && object["height"] as? Int == 45)
  }

  @Test("An unknown processor is wrong usage")
  func usage() async throws {
    let outcome = try await Command.run("load", Sample.path("lake.jpg"), "--processor", "resizer:10x10")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("there is no processor \"resizer\". Did you mean resize?"))
  }
}
