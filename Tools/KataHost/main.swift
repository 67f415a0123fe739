// Runs specs that were built as a library: loads the library named after '--test-bundle-path' and
// calls its 'main', which receives this program's arguments.
//
// SwiftPM's own helper does the same, but macOS loads no sanitizer into it, since it's signed by
// Apple. This one is compiled by `kata`, with Thread Sanitizer if the specs are.

#if canImport(Darwin)
  import Darwin

  let flags = RTLD_LAZY | RTLD_FIRST
  // A crash here is a verdict; no crash report should be written into the user's home folder.
  _ = task_set_exception_ports(
    mach_task_self_, exception_mask_t(EXC_MASK_CORPSE_NOTIFY), mach_port_t(MACH_PORT_NULL),
    EXCEPTION_DEFAULT, THREAD_STATE_NONE)
#elseif canImport(Glibc)
  import Glibc

  let flags = RTLD_LAZY
#else
  import Musl

  let flags = RTLD_LAZY
#endif

func refuse(_ sentence: String) -> Never {
  fputs("KataHost: \(sentence)\n", stderr)
  exit(70)
}

guard CommandLine.arguments.count > 2, CommandLine.arguments[1] == "--test-bundle-path" else {
  refuse("name a library after '--test-bundle-path'.")
}
let path = CommandLine.arguments[2]
guard let library = dlopen(path, flags) else {
  refuse(dlerror().map { String(cString: $0) } ?? "'\(path)' can't be loaded.")
}
guard let symbol = dlsym(library, "main") else { refuse("'\(path)' has no 'main'.") }
typealias Main = @convention(c) (Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
exit(unsafeBitCast(symbol, to: Main.self)(CommandLine.argc, CommandLine.unsafeArgv))
