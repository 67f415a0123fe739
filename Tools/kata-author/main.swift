import KataAuthor
import KataKit

// What authors of katas need beside `kata`; everything is in KataAuthor.
CommandLineTool(tool: .author).main { commands, arguments, _ in
  let name = arguments.subject
  switch arguments.command {
  case .new: return try commands.new(name, in: arguments[.module])
  case .verify where arguments.has(.diagnosis):
    return try commands.verifyDiagnosis(
      name, isReplay: arguments.has(.replay), asJSON: arguments.has(.json))
  case .verify:
    return try commands.verify(
      name, stress: arguments[.stress].flatMap { Int($0) } ?? 1,
      way: arguments.has(.named) ? .named : .whole, asJSON: arguments.has(.json))
  case .mutate: return try commands.mutate(name, asJSON: arguments.has(.json))
  case .soak:
    return try commands.soak(
      name, minutes: arguments[.minutes].flatMap { Double($0) } ?? 10, asJSON: arguments.has(.json))
  case .docs: return try arguments[.check].map(commands.checkDocs) ?? commands.docs()
  default: preconditionFailure("\(arguments.command) belongs to another program.")
  }
}
