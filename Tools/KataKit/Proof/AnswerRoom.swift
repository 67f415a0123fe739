import Foundation

/// A folder in place of `Katas/`, in which answers to several katas are built together.
///
/// The reference stands in for every kata without an answer, and for an answer that doesn't compile,
/// so that none keeps the others from being judged.
struct AnswerRoom: Sendable {
  /// Where it's built.
  let house: House
  /// What is built; its room is this folder.
  let request: SwiftBuild.Request
  /// Where the references are.
  let references: House

  /// Answers that are built together.
  struct Answers: Sendable {
    /// The texts, by the name of the kata.
    var texts: [String: String] = [:]
    /// Files beside them that belong to no kata: texts by path, such as "Barriers/Clock.swift".
    var companions: [String: String] = [:]
  }

  /// The compiler's messages about answers that it refuses, by the name of the kata.
  typealias Refusals = [String: [CompilerMessage]]

  /// Puts the answers in place and builds, leaving out those that don't compile.
  ///
  /// Blocks until it's done or `stop` asks for the end. Throws what can't be laid to one answer.
  ///
  /// - Returns: What is said of the answers that were left out.
  func build(_ answers: Answers, stop: StopSignal = StopSignal()) throws -> Refusals {
    var answers = answers
    var refused: Refusals = [:]
    var attempts = 0
    while true {
      try putInPlace(answers)
      switch try SwiftBuild(house: house).run(request, stop: stop) {
      case .built:
        let stale = katas.filter { answers.texts[$0.name] != nil && isStale($0) }
        if stale.isEmpty { return refused }
        attempts += 1
        guard attempts < 4 else {
          throw KataError(
            "SwiftPM keeps linking an old build of \(stale[0].name); try 'make clean'.",
            .environment)
        }
        for kata in stale { try house.write(answers.texts[kata.name] ?? "", to: path(of: kata)) }
      case .stopped: throw KataError("The build was stopped.", .notDone)
      case .refused(let messages):
        let guilty = katas.filter {
          answers.texts[$0.name] != nil && !self.messages(messages, about: $0).isEmpty
        }
        guard !guilty.isEmpty else {
          let first = messages[0]
          throw KataError(
            "\(house.short(first.file)):\(first.line): \(first.message)", .notDone)
        }
        for kata in guilty {
          refused[kata.name] = self.messages(messages, about: kata)
          answers.texts[kata.name] = nil
        }
      }
    }
  }

  /// The katas that have a place here.
  private var katas: [Kata] { request.module.map { Catalogue.katas(of: $0) } ?? Catalogue.katas }

  /// Those of the compiler's messages that are about a kata's answer, or about how its spec uses it.
  private func messages(_ messages: [CompilerMessage], about kata: Kata) -> [CompilerMessage] {
    messages.filter {
      $0.file.hasSuffix("/\(request.room)/\(kata.file)") || $0.file.contains("Tests/\(kata.name)")
    }
  }

  private func path(of kata: Kata) -> String { "\(request.room)/\(kata.file)" }

  /// Whether an answer was last compiled before it got its text.
  ///
  /// Files that follow each other quickly can look unchanged to a build system; an answer judged by
  /// another one's object would prove nothing. The compiler leaves an object alone that would come
  /// out the same, so its list of dependencies tells when it ran.
  private func isStale(_ kata: Kata) -> Bool {
    let folder = "\(request.scratch)/debug/\(kata.module.rawValue)Katas.build"
    func date(_ path: String) -> Date? {
      let attributes = try? FileManager.default.attributesOfItem(atPath: house.url(path).path)
      return attributes?[.modificationDate] as? Date
    }
    guard let built = date("\(folder)/\(kata.name).d"), let written = date(path(of: kata)) else {
      return false
    }
    return built < written
  }

  /// Lays the folder out: the answers, and the references of all other katas.
  private func putInPlace(_ answers: Answers) throws {
    var texts: [String: String] = [:]
    for kata in katas {
      texts[kata.file] =
        try answers.texts[kata.name] ?? Candidate.referenceAsAnswer(to: kata, in: references)
    }
    texts.merge(answers.companions) { kata, _ in kata }
    for module in Set(katas.map(\.module)) {
      let folder = "\(request.room)/\(module.rawValue)"
      do {
        try FileManager.default.createDirectory(
          at: house.url(folder), withIntermediateDirectories: true)
      } catch {
        throw KataError.cannotWrite(folder, error)
      }
      let found =
        FileManager.default.enumerator(atPath: house.url(folder).path)?
        .compactMap { $0 as? String } ?? []
      for name in found where name.hasSuffix(".swift") && texts["\(module.rawValue)/\(name)"] == nil
      {
        try? FileManager.default.removeItem(at: house.url("\(folder)/\(name)"))
      }
    }
    for (file, text) in texts {
      let path = "\(request.room)/\(file)"
      // An untouched file isn't compiled again.
      if (try? house.text(path)) != text { try house.write(text, to: path) }
    }
  }
}
