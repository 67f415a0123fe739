import Foundation

extension Toolchain {
  /// What an answer calls at its points, and the headers for it, relative to the root.
  private static let hooks = (
    source: "Tools/KataHooks/Hooks.c", headers: "Tools/KataPoints/include"
  )

  /// Options that give an answer its points: the compiler inserts them for Thread Sanitizer,
  /// without its runtime.
  ///
  /// With line tables, which give the line of a place.
  package static let pointOptions = ["-Xfrontend", "-sanitize=thread", "-gline-tables-only"]

  /// Compiles what answers call at their points, and returns the object; nil if there is no
  /// compiler for it, and then answers have no points.
  ///
  /// Blocks until it's built.
  func makeHooks(for repository: Repository, in folder: URL) -> URL? {
    guard let clang = Self.located("clang") else { return nil }
    let object = folder.appending(path: "hooks.o")
    var options =
      Self.targetOptions + ["-O2", "-fPIC", "-fvisibility=hidden", "-fno-omit-frame-pointer"]
    #if arch(x86_64)
      options.append("-mcx16")
    #endif
    options += [
      "-I", repository.url(Self.hooks.headers).path, "-c", repository.url(Self.hooks.source).path,
      "-o", object.path,
    ]
    let result = try? Command(clang, options).run(in: folder)
    return result?.ending == .exited(0) ? object : nil
  }
}

extension Toolchain {
  /// How many bytes after a point its line is searched for: the access itself follows right after
  /// the call.
  private static let ahead: [UInt] = [4, 8, 12, 16, 24, 32]
  /// How many bytes before it, if nothing is found: in the middle of a line, or where a function
  /// ends, code may belong to no line.
  private static let behind: [UInt] = Array(stride(from: 8, through: 512, by: 8))

  /// The source locations of the points that return to these offsets in a library; nil for each
  /// that isn't known, or is in no file with one of these names.
  ///
  /// The call before an access may belong to no line, as the start of a function does; then the
  /// next line counts that follows in the same function, or else the line before.
  func places(of offsets: [UInt], in library: URL, files: Set<String>) -> [SourcePlace?] {
    Self.places(of: offsets, files: files) { sources(of: $0, in: library) }
  }

  /// The same, with a function that finds the source of each address.
  static func places(
    of offsets: [UInt], files: Set<String>, sources: ([UInt]) -> [SourcePlace?]?
  ) -> [SourcePlace?] {
    let looks = offsets.flatMap { offset in
      [offset - 1] + ahead.map { offset + $0 } + behind.map { offset - min(offset, $0) }
    }
    guard !offsets.isEmpty, let found = sources(looks), found.count == looks.count else {
      return offsets.map { _ in nil }
    }
    let (near, all) = (ahead.count + 1, ahead.count + 1 + behind.count)
    return offsets.indices.map { index in
      let looked = Array(found[index * all..<(index + 1) * all])
      let isWanted: (SourcePlace) -> Bool = { place in
        place.line > 0 && place.function == looked[0]?.function
          && files.contains(URL(filePath: place.file).lastPathComponent)
      }
      if let place = looked[..<near].lazy.compactMap(\.self).first(where: isWanted) {
        return place
      }
      var before = looked[near...].lazy.compactMap(\.self).first(where: isWanted)
      before?.isBefore = true
      return before
    }
  }
}

/// Where compiled code comes from.
struct SourcePlace: Equatable, Sendable {
  let function: String
  let file: String
  let line: Int
  /// Whether the code itself has no line, and this is the line before.
  var isBefore = false
}
