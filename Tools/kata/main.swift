#if canImport(KataKit)
  import KataKit
#endif

// What learners need. Arguments in, text and exit code out; everything else is in KataKit.
CommandLineTool(tool: .kata).main { commands, arguments, terminal in
  let name = arguments.subject
  switch arguments.command {
  case .watch: return try commands.watch(name, terminal: terminal)
  case .run:
    return try commands.run(name, asJSON: arguments.has(.json), showsAll: arguments.has(.all))
  case .list: return try commands.list(asJSON: arguments.has(.json))
  case .page: return try commands.page(name)
  case .hint: return try commands.hint(name)
  case .solution:
    return try commands.solution(
      name, anyway: arguments.has(.yes), showsAll: arguments.has(.all))
  case .reset: return try commands.reset(name)
  case .export: return try commands.export(to: arguments[.output], name: arguments[.name])
  case .import: return try commands.importProgress(from: name)
  case .doctor: return try commands.doctor()
  default:
    preconditionFailure("\(arguments.command) belongs to another program.")
  }
}
