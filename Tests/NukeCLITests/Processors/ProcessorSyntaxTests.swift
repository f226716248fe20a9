#if Command
  import Foundation
  import Nuke
  import NukeCLI
  import Testing

  @Suite struct ProcessorSyntaxTests {
    @Test(
      "A specification creates the processor it names",
      arguments: [
        (
          "resize:300x200",
          ImageProcessors.Resize(
            size: CGSize(width: 300, height: 200), unit: .pixels, contentMode: .aspectFit, upscale: true)
        ),
        (
          "resize:size=300x200^",
          ImageProcessors.Resize(
            size: CGSize(width: 300, height: 200), unit: .pixels, contentMode: .aspectFill, upscale: true)
        ),
        (
          "resize:300X200>",
          ImageProcessors.Resize(size: CGSize(width: 300, height: 200), unit: .pixels, contentMode: .aspectFit)
        ),
        ("resize:300x", ImageProcessors.Resize(width: 300, unit: .pixels, upscale: true)),
        ("resize:x300>", ImageProcessors.Resize(height: 300, unit: .pixels)),
        (
          "resize:300x,filter=Bilinear,linear",
          ImageProcessors.Resize(width: 300, unit: .pixels, upscale: true, filter: .bilinear, linearLight: true)
        ),
        (
          "resize:filter=nearest,3x2>",
          ImageProcessors.Resize(
            size: CGSize(width: 3, height: 2), unit: .pixels, contentMode: .aspectFit, filter: .nearest)
        ),
        ("circle", ImageProcessors.Circle()),
        ("circle:border=2", ImageProcessors.Circle(border: .init(color: .black, width: 2, unit: .pixels))),
        (
          "circle:color=#FF800080,border=1.5",
          ImageProcessors.Circle(
            border: .init(
              color: Color(red: 1, green: 128 / 255, blue: 0, alpha: 128 / 255), width: 1.5, unit: .pixels))
        ),
        ("rounded-corners:20", ImageProcessors.RoundedCorners(radius: 20, unit: .pixels)),
        (
          "rounded-corners:radius=20,border=1,color=White",
          ImageProcessors.RoundedCorners(
            radius: 20, unit: .pixels, border: .init(color: .white, width: 1, unit: .pixels))
        ),
        ("core-image-filter:CISepiaTone", ImageProcessors.CoreImageFilter(name: "CISepiaTone")),
        ("gaussian-blur", ImageProcessors.GaussianBlur()), ("gaussian-blur:3", ImageProcessors.GaussianBlur(radius: 3)),
        ("crop:30x20", ImageProcessors.Crop(size: CGSize(width: 30, height: 20), unit: .pixels)),
        (
          "crop:30x20,bottom-left",
          ImageProcessors.Crop(size: CGSize(width: 30, height: 20), unit: .pixels, gravity: .bottomLeft)
        ),
        (
          "crop:attention,30x20",
          ImageProcessors.Crop(size: CGSize(width: 30, height: 20), unit: .pixels, gravity: .attention)
        ),
        (
          "crop:30x20,focus=0.25x1",
          ImageProcessors.Crop(size: CGSize(width: 30, height: 20), unit: .pixels, gravity: .focalPoint(x: 0.25, y: 1))
        ),
        ("crop:30x20,x=4", ImageProcessors.Crop(rect: CGRect(x: 4, y: 0, width: 30, height: 20), unit: .pixels)),
        (
          "pad:30x20,top,color=#01020380",
          ImageProcessors.Pad(
            size: CGSize(width: 30, height: 20), unit: .pixels,
            color: Color(red: 1 / 255, green: 2 / 255, blue: 3 / 255, alpha: 128 / 255), gravity: .top)
        ),
        ("rotate:-90", ImageProcessors.Rotate(degrees: -90)), ("rotate:12.5", ImageProcessors.Rotate(degrees: 12.5)),
        ("flip:horizontal", ImageProcessors.Flip(.horizontal)), ("flip:vertical", ImageProcessors.Flip(.vertical)),
        ("ellipse:border=2", ImageProcessors.Ellipse(border: .init(color: .black, width: 2, unit: .pixels))),
        ("border:3", ImageProcessors.Border(.init(color: .black, width: 3, unit: .pixels))),
        ("border:3,color=red", ImageProcessors.Border(.init(color: .red, width: 3, unit: .pixels))),
        ("flatten", ImageProcessors.Flatten()), ("flatten:red", ImageProcessors.Flatten(color: .red)),
        ("flatten:color=red", ImageProcessors.Flatten(color: .red)), ("sharpen", ImageProcessors.Sharpen()),
        ("sharpen:2,amount=1.5", ImageProcessors.Sharpen(radius: 2, amount: 1.5)),
        ("blend:red,mode=soft-light", ImageProcessors.Blend(color: .red, mode: .softLight)),
      ] as [(String, any ImageProcessing)])
    func made(specification: String, processor: any ImageProcessing) throws {
      #expect(try ProcessorSyntax.processor(specification).identifier == processor.identifier)
    }

    @Test("An overlay is identified by the contents of its file")
    func overlay() throws {
      let place = try Workplace()
      let file = try place.image("mark.png")
      let specification = "overlay:\(file),top,margin=4,opacity=0.5,scale=0.2,mode=screen"
      let first = try ProcessorSyntax.processor(specification)
      #expect(first.identifier.contains("gravity=top,margin=4.0,opacity=0.5,scale=0.2,mode=screen"))
      #expect(try ProcessorSyntax.processor(specification).identifier == first.identifier)
      try place.image("mark.png", number: 1)
      #expect(try ProcessorSyntax.processor(specification).identifier != first.identifier)
    }

    @Test("Keys of filters may omit the prefix input")
    func filterKeys() throws {
      let short = try ProcessorSyntax.processor("core-image-filter:CISepiaTone,intensity=0.5")
      #expect(short.identifier == "org.nuke.core_image?name=CISepiaTone,inputIntensity=0.5")
      #expect(
        try ProcessorSyntax.processor("core-image-filter:CISepiaTone,inputIntensity=0.5").identifier == short.identifier
      )
      let vector = try ProcessorSyntax.processor("core-image-filter:CIColorClamp,maxComponents=1:0.5:1:1")
      #expect(vector.identifier.contains("inputMaxComponents=1:0.5:1:1"))
      let color = try ProcessorSyntax.processor("core-image-filter:CIColorMonochrome,color=red")
      #expect(color.identifier.contains("inputColor=#FF0000"))
    }

    @Test(
      "An invalid specification is an error that states the problem and the syntax",
      arguments: [
        ("resize", "requires a geometry"), ("resize:", "requires a geometry"),
        ("resize:10", "\"10\" is not a geometry: write 10x"), ("resize:0x5", "\"0x5\" is not a geometry"),
        ("resize:10x10,squash", "\"squash\" is unknown"), ("resize:10x10,crop", "\"crop\" is unknown"),
        ("resize:10x10,width=5", "\"width=\" is unknown"), ("resize:10x10,,linear", "contains an empty value"),
        ("resize:size=5x,size=6x", "size is specified twice"), ("resize:10x10,10x10", "\"10x10\" is unknown"),
        ("circle:5", "\"5\" is unknown"), ("circle:color=red", "color needs border"),
        ("circle:border=1,color=mauve", "\"mauve\" is not a color"),
        ("circle:border=1,color=#12345", "\"#12345\" is not a color"), ("circle:border=-1", "border must be a number"),
        ("rounded-corners", "requires a radius"), ("rounded-corners:x", "radius must be a number"),
        ("gaussian-blur:-1", "radius must be a number"), ("gaussian-blur:0.5", "radius must be a whole number"),
        ("resize:3x2,filter=bicubic", "Use one of: lanczos, bilinear, area, nearest"),
        ("resize:3x2,filter=bilinaer", "Did you mean bilinear?"), ("crop", "requires a size"),
        ("crop:3x2,top,focus=0x0", "one of a gravity"), ("crop:3x2,focus=2x0", "\"2x0\" is not a focus"),
        ("crop:3x2,focus=0.5", "is not a focus"), ("crop:3x2,middle", "\"middle\" is unknown"),
        ("crop:3x2,topLeft", "\"topLeft\" is unknown"),
        ("resize:abc", "\"abc\" is not a geometry: it is not a size"), ("crop:3", "\"3\" is not a size"),
        ("crop:70000x1", "\"70000x1\" is not a size: use a width and a height from 1 to 65500 pixels"),
        ("pad:3x2,attention", "\"attention\" is unknown"), ("rotate", "requires an angle"),
        ("rotate:left", "degrees must be a number"), ("flip", "requires horizontal or vertical"),
        ("flip:diagonal", "requires horizontal or vertical"), ("border", "requires a width"),
        ("flatten:mauve", "is not a color"),
        ("sharpen:1,amount=-1", "amount must be a number"), ("blend", "requires a color"),
        ("blend:red,mode=multipy", "Did you mean multiply?"), ("overlay", "requires the path of an image"),
        ("overlay:/nowhere/a.png", "/nowhere/a.png cannot be read"),
        ("overlay:/dev/null", "/dev/null cannot be read"), ("core-image-filter", "requires the name of a filter"),
        ("core-image-filter:CISepia", "there is no filter CISepia. Did you mean CISepiaTone?"),
        ("core-image-filter:CISepiaTone,tone=1", "CISepiaTone has no key tone; it has inputIntensity"),
        ("core-image-filter:CISepiaTone,intensity=strong", "intensity must be a finite number"),
        ("core-image-filter:CIColorClamp,minComponents=1:2", "must be 4 finite numbers, such as 1:1:1:1"),
        ("core-image-filter:CIColorCube", "needs inputCubeData"),
      ])
    func wrong(specification: String, reason: String) {
      let failure = #expect(throws: ProcessorArguments.Failure.self) {
        _ = try ProcessorSyntax.processor(specification)
      }
      #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
      let name = specification.prefix { $0 != ":" }
      #expect(failure?.description.contains("Its syntax is \(name)") == true)
    }

    @Test(
      "An unknown name is an error with the most similar name and all names",
      arguments: [
        ("resiz", true), ("rezise:10x10", true), ("RESIZE", true), ("sepia", false), ("", false),
      ])
    func unknown(specification: String, isNear: Bool) {
      let failure = #expect(throws: ProcessorArguments.Failure.self) {
        _ = try ProcessorSyntax.processor(specification)
      }
      #expect(failure?.description.contains("Did you mean resize?") == isNear)
      for syntax in ProcessorSyntax.all { #expect(failure?.description.contains(syntax.name) == true) }
    }

    @Test(
      "The help of each command lists every processor, within 80 columns", arguments: ["load", "prefetch", "convert"])
    func help(command: String) async throws {
      let help = try await Command.run(command, "--help").output
      for syntax in ProcessorSyntax.all {
        for form in syntax.forms { #expect(help.contains("  \(syntax.name)" + (form.isEmpty ? "" : ":\(form)"))) }
      }
      for line in ProcessorSyntax.help.split(separator: "\n") { #expect(line.count <= 80) }
    }

    @Test("Processors are applied in order, after --size and --crop")
    func order() async throws {
      let outcome = try await Command.succeed(
        "load", Sample.path("lake.jpg"), "--processor", "resize:90x90^", "--processor", "crop:90x90", "--processor",
        "resize:45x", "--size", "400x400", "--json")
      let object = try #require(try outcome.objects().first)
      #expect(object["width"] as? Int == 45 && object["height"] as? Int == 45)
    }

    @Test("An unknown processor is invalid usage")
    func usage() async throws {
      let outcome = try await Command.run("load", Sample.path("lake.jpg"), "--processor", "resizer:10x10")
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("there is no processor \"resizer\". Did you mean resize?"))
    }
  }
#endif
