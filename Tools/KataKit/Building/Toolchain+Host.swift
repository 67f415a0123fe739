import Foundation

extension Toolchain {
  /// The name of the program that runs specs which were built as a library.
  static let hostName = "KataHost"
  /// Its source, relative to the root.
  static let hostSource = "Tools/\(hostName)/main.swift"

  /// Compiles that program from `source` into `folder`, with Thread Sanitizer if the library has
  /// it.
  ///
  /// Blocks until it's built. Throws the compiler's errors.
  func makeHost(from source: URL, sanitized: Bool, in folder: URL) throws {
    let options =
      Self.targetOptions + ["-swift-version", "5", "-O", source.path, "-o"]
      + [folder.appending(path: Self.hostName).path] + Self.hostOptions
      + (sanitized ? ["-sanitize=thread"] : [])
    let (ending, log) = try Command(swift + "c", options).run(in: folder)
    guard ending == .exited(0) else {
      throw KataError.building(
        CompilerMessage.errors(in: log).first?.message ?? log.split(separator: "\n").last.map(
          String.init)
          ?? "\(Self.hostName) can't be compiled.")
    }
  }
}
