import Foundation

extension Toolchain {
  /// What an answer calls at its points, and where it's declared, relative to the root.
  private static let hooks = (
    source: "Tools/KataHooks/Hooks.c", headers: "Tools/KataPoints/include"
  )

  /// How an answer gets its points: as the compiler puts them there for Thread Sanitizer, without its runtime.
  ///
  /// With tables of lines, by which a place is told.
  package static let pointOptions = ["-Xfrontend", "-sanitize=thread", "-gline-tables-only"]

  /// Compiles what answers call at their points, and returns the object; nil where there is no compiler for it, and
  /// answers have no points then.
  ///
  /// Blocks until it's there.
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
  /// How far behind a point its line is looked for: the access itself comes right behind the call.
  private static let reach: [UInt] = [4, 8, 12, 16, 24, 32]

  /// Where the points come from that return to these offsets in a library; nil for what isn't known.
  ///
  /// The call before an access may belong to no line, as the start of a function does; then the next line counts that
  /// comes in the same function.
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
