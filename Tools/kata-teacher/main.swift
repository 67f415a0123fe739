import KataKit
import KataTeacher

// What instructors need beside `kata`; everything is in KataTeacher.
CommandLineTool(tool: .teacher).main { commands, arguments, _ in
  let name = arguments.subject
  switch arguments.command {
  case .report:
    return try commands.report(
      name, format: arguments[.format].flatMap { ReportFormat(rawValue: $0) } ?? .json,
      output: arguments[.output])
  case .judge:
    let test: JudgeRequest.Test =
      arguments[.scenario].map { .scenario($0) } ?? .kata(arguments[.as] ?? "")
    var request = JudgeRequest(arguments.subjects, by: test)
    request.adapter = arguments[.adapter]
    request.format = arguments[.format].flatMap { ReportFormat(rawValue: $0) }
    request.output = arguments[.output]
    return try commands.judge(request)
  case .grade:
    var request = GradeRequest(folders: arguments.subjects)
    request.katas = arguments[.kata]
    request.shard = arguments[.shard].flatMap { Shard($0) }
    request.looksForRaces = !arguments.has(.noRaces)
    request.isIsolated = arguments.has(.isolate)
    request.isMerge = arguments.has(.merge)
    request.output = arguments[.output]
    return try commands.grade(request)
  case .handout:
    var options = Commands.HandoutOptions()
    options.hasReferences = arguments.has(.references)
    options.hasDocs = arguments.has(.docs)
    options.isClassroom = arguments.has(.classroom)
    options.output = arguments[.output]
    return try commands.handout(name, options)
  case .scoreboard:
    return try commands.scoreboard(
      of: name, to: arguments[.output], refresh: arguments[.refresh].flatMap { Int($0) })
  default: preconditionFailure("\(arguments.command) belongs to another program.")
  }
}
