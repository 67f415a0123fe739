import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit
@testable import KataTeacher

/// What makes no sense on a command line: it gets one sentence, and nothing is printed.
@Suite struct RefusalTests {
  @Test(arguments: [
    ("runn", "There is no command 'runn'; 'kata help' shows them all."),
    ("run --jsno", "There is no option '--jsno'; 'kata help' shows them all."),
    ("run a b", "'b' is one word too many; name one kata at a time."),
    ("list a", "'a' is one word too many; list takes no name."),
    (
      "handout Barriers Cancellation",
      "'Cancellation' is one word too many; put commas between the katas."
    ),
    ("scoreboard empty foreign", "'foreign' is one word too many; name one folder."),
    ("run --json=1", "JSON (--json) takes no value."),
    ("hint --json", "JSON (--json) goes with run, list, verify, mutate and soak, not with hint."),
    (
      "hint --output=a",
      "OUT (--output) goes with report, judge, export, grade, handout and scoreboard, not with hint."
    ),
    (
      "judge a.swift --as PhotoStore --scenario b.swift",
      "Either a kata's spec judges your code or a scenario of your own; give AS or SCENARIO, not both."
    ),
    ("list --yes", "YES (--yes) goes with solution, not with list."),
    ("run --diagnosis", "--diagnosis goes with verify, not with run."),
    ("run --no-races", "NO_RACES (--no-races) goes with grade, not with run."),
    ("verify --minutes 3", "MINUTES (--minutes) goes with soak, not with verify."),
    ("grade x --minutes 3", "MINUTES (--minutes) goes with soak, not with grade."),
    ("verify --replay", "REPLAY (--replay) goes with 'make diagnosis'."),
    (
      "verify --stress 0",
      "STRESS (--stress) takes a whole number from 1 up: 'make verify STRESS=20'."
    ),
    (
      "soak --minutes 0",
      "MINUTES (--minutes) takes a number of minutes above 0: 'make soak MINUTES=60'."
    ),
    (
      "report --format xml",
      "FORMAT (--format) takes json, junit or exercism: 'make report FORMAT=junit'."
    ),
    ("export --name=", "WHO (--name) takes a name: 'make export WHO=Ada'."),
    (
      "grade submissions --shard 3/2",
      "SHARD (--shard) takes a part of how many: 'make grade FROM=folder SHARD=2/5'."
    ),
  ])
  func `words that make no sense are refused`(line: String, sentence: String) throws {
    try expectRefusal(sentence) { _ in try Arguments(line.split(separator: " ").map(String.init)) }
  }

  @Test func `of an option that counts seconds the sentence says so`() throws {
    let error = try #require(throws: KataError.self) {
      try Arguments(["scoreboard", "empty", "--refresh", "0"])
    }
    #expect(error.exitCode == .usage)
    #expect(
      error.description.hasPrefix("REFRESH (--refresh) takes a whole number of seconds from 1 up"))
  }

  @Test func `an unknown kata is answered with the nearest name`() throws {
    let name = "PhotoStor"
    let refused: [(Commands) throws -> ExitCode] = [
      { try $0.run(name, asJSON: false) }, { try $0.hint(name) },
      { try $0.watch(name, terminal: nil) }, { try $0.solution(name, anyway: false) },
      { try $0.verify(name, stress: 1, asJSON: false) }, { try $0.handout(name, .init()) },
      { try $0.grade(request("handed in") { $0.katas = name }) },
    ]
    for command in refused {
      try expectRefusal(
        "There is no kata or module 'PhotoStor'; did you mean PhotoStore?", by: command)
    }
    try expectRefusal("There is no kata 'PhotoStor'; did you mean PhotoStore?") {
      try $0.reset(name)
    }
    let barriers = Catalogue.katas(of: .barriers)
    try expectRefusal(
      "'Barriers' is \(barriers.count) katas; name one, such as \(barriers[0].name)."
    ) { try $0.reset("Barriers") }
  }

  @Test func `what a command can't do without is asked for`() throws {
    try expectRefusal("Which kata? Name it: 'make reset KATA=PhotoStore'.") { try $0.reset(nil) }
    try expectRefusal("Which katas? Name some: 'KATA=Barriers,SerialLog'.") {
      try $0.handout(",", .init())
    }
    try expectRefusal("Which file? Name it: 'make import IN=progress.json'.") {
      try $0.importProgress(from: nil)
    }
    try expectRefusal("Which folder? Name it: 'make grade FROM=submissions'.") {
      try $0.grade(request())
    }
    try expectRefusal("Which folder? Name it: 'kata grade --merge results-1 results-2'.") {
      try $0.grade(request { $0.isMerge = true })
    }
    try expectRefusal("Which folder? Name it: 'make scoreboard FROM=handed-in'.") {
      try $0.scoreboard(of: nil, to: nil, refresh: nil)
    }
  }

  @Test func `what isn't there is named`() throws {
    try expectRefusal("There is no 'gone.json'; name a file that 'make export' has written.") {
      try $0.importProgress(from: "gone.json")
    }
    try expectRefusal(
      "There is no folder 'gone'; name a folder of answers, or one that holds many."
    ) { try $0.grade(request("gone")) }
    for name in ["gone", "README.md"] {
      try expectRefusal(
        "'\(name)' isn't a readable folder; name the one with the exported files."
      ) { try $0.scoreboard(of: name, to: nil, refresh: nil) }
    }
  }

  @Test func `a report's place must fit it`() throws {
    try expectRefusal(
      "Exercism's results.json is about one kata; name one, or name a folder with --output."
    ) { try $0.report(nil, format: .exercism, output: nil) }
    try expectRefusal("'/tmp' is a folder; name a file.") {
      try $0.report(nil, format: .json, output: "/tmp")
    }
  }

  @Test func `a handout's place must fit it, and a template has no references`() throws {
    var options = Commands.HandoutOptions()
    options.output = "/tmp"
    try expectRefusal("'/tmp' is a folder; name a file.") { try $0.handout("Barriers", options) }
    options.isClassroom = true
    options.hasReferences = true
    try expectRefusal(
      "Every student sees a classroom's template, so it can't include the references; leave out CLASSROOM or REFERENCES."
    ) { try $0.handout(nil, options) }
  }

  @Test func `a folder of something else holds no results`() throws {
    try Fixtures.withEmptyRepository { repository in
      let folder = repository.url("handed in").path
      try repository.write("An essay.", to: "handed in/essay/essay.txt")
      try expectRefusal(
        "'\(folder)' isn't a folder of results; name one that 'make grade' has written."
      ) { try $0.grade(request(folder) { $0.isMerge = true }) }
    }
  }

  private func request(_ folders: String..., change: (inout GradeRequest) -> Void = { _ in })
    -> GradeRequest
  {
    var request = GradeRequest(folders: folders)
    change(&request)
    return request
  }

  /// Expects that a command is refused with a sentence, as one that makes no sense, and prints nothing.
  private func expectRefusal<Result>(
    _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation,
    by command: (Commands) throws -> Result
  ) throws {
    try Fixtures.withEmptyRepository { repository in
      let commands = Commands(
        repository: repository, style: TextStyle(hasColours: false), timeout: nil
      ) { Issue.record("It printed: \($0)", sourceLocation: sourceLocation) }
      let error = try #require(throws: KataError.self, sourceLocation: sourceLocation) {
        try command(commands)
      }
      #expect(error.description == sentence, sourceLocation: sourceLocation)
      #expect(error.exitCode == .usage, sourceLocation: sourceLocation)
    }
  }
}
