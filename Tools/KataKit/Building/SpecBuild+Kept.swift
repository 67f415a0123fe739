import Foundation

// MARK: - What is kept

extension SpecBuild {
  private func record(_ module: Module, _ sanitized: Bool) -> String {
    "\(Self.folder)/\(module.rawValue)\(sanitized ? "-tsan" : "").json"
  }

  /// The program that was built before, if it is as it was then, and built from what there is now.
  ///
  /// Answers have points where they are wanted and there is a compiler for what they call, and nowhere else.
  func kept(
    _ module: Module, _ sanitized: Bool, hasPoints: Bool, _ inputs: [String: FileStamp]
  ) -> SpecProgram? {
    guard let data = try? Data(contentsOf: repository.url(record(module, sanitized))),
      let kept = try? JSONDecoder().decode(SpecProgram.self, from: data),
      kept.toolchain == toolchain.identity, kept.inputs == inputs,
      kept.hooks != nil || !hasPoints || Toolchain.located("clang") == nil,
      kept.hooks == nil || hasPoints,
      FileStamp(repository.url("\(kept.folder)/\(kept.program)").path) == kept.mark
    else { return nil }
    return kept
  }

  func keep(_ program: SpecProgram) throws {
    let path = record(program.module, program.sanitized)
    let before = (try? Data(contentsOf: repository.url(path)))
      .flatMap { try? JSONDecoder().decode(SpecProgram.self, from: $0) }
    let text = String(decoding: try JSONEncoder().encode(program), as: UTF8.self)
    try repository.write(text, to: path)
    guard let before else { return }
    try? FileManager.default.removeItem(at: repository.url(before.folder))
    guard before.interface != program.interface else { return }
    try? FileManager.default.removeItem(at: repository.url(before.interface))
  }
}
