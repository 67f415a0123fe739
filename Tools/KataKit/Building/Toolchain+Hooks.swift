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
  private static let reach: [UInt] = [4, 8, 12, 16, 24, 32]

  /// The source locations of the points that return to these offsets in a library; nil for each
  /// that isn't known.
  ///
  /// The call before an access may belong to no line, as the start of a function does; then the
  /// next line counts that follows in the same function.
  func places(of offsets: [UInt], in library: URL) -> [SourcePlace?] {
    let looks = offsets.flatMap { offset in [offset - 1] + Self.reach.map { offset + $0 } }
    guard !offsets.isEmpty, let found = sources(of: looks, in: library), found.count == looks.count
    else { return offsets.map { _ in nil } }
    let count = Self.reach.count + 1
    return offsets.indices.map { index in
      let looked = found[index * count..<(index + 1) * count]
      return looked.lazy.compactMap { $0 }.first {
        $0.line > 0 && $0.function == looked.first??.function
      }
    }
  }
}

/// Where compiled code comes from.
struct SourcePlace: Equatable, Sendable {
  let function: String
  let file: String
  let line: Int
}
