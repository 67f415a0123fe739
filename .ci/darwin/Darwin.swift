// The declarations of Apple's C library and Mach that differ from Linux, as far as this project
// uses them.
//
// Source: the headers of xnu and of the macOS 26 SDK that are named beside each. Nothing here runs:
// `.ci/check-darwin` compiles the sources against it.
import Foundation

// MARK: - mach/*.h

public typealias natural_t = UInt32
public typealias integer_t = Int32
public typealias kern_return_t = Int32
public typealias mach_port_t = UInt32
public typealias task_t = mach_port_t
public typealias thread_t = mach_port_t
public typealias thread_act_array_t = UnsafeMutablePointer<thread_t>
public typealias thread_flavor_t = natural_t
public typealias mach_msg_type_number_t = natural_t
public typealias vm_address_t = UInt
public typealias vm_size_t = UInt

public let KERN_SUCCESS: Int32 = 0
public let THREAD_EXTENDED_INFO: Int32 = 5
public let TH_STATE_WAITING: Int32 = 3
// Safe: it's never read.
nonisolated(unsafe) public var mach_task_self_: mach_port_t = 0

/// thread_info.h
public struct thread_extended_info {
  public var pth_user_time: UInt64 = 0
  public var pth_system_time: UInt64 = 0
  public var pth_cpu_usage: Int32 = 0
  public var pth_policy: Int32 = 0
  public var pth_run_state: Int32 = 0
  public var pth_flags: Int32 = 0
  public init() {}
}

public func task_threads(
  _ target_task: task_t, _ act_list: UnsafeMutablePointer<thread_act_array_t?>!,
  _ act_listCnt: UnsafeMutablePointer<mach_msg_type_number_t>!
) -> kern_return_t { 0 }
public func thread_info(
  _ target_act: thread_t, _ flavor: thread_flavor_t,
  _ thread_info_out: UnsafeMutablePointer<integer_t>!,
  _ thread_info_outCnt: UnsafeMutablePointer<mach_msg_type_number_t>!
) -> kern_return_t { 0 }
@discardableResult
public func mach_port_deallocate(_ task: task_t, _ name: mach_port_t) -> kern_return_t { 0 }
@discardableResult
public func vm_deallocate(
  _ target_task: task_t, _ address: vm_address_t, _ size: vm_size_t
) -> kern_return_t { 0 }

/// exception_types.h, thread_status.h
public typealias exception_mask_t = UInt32
public typealias exception_behavior_t = Int32
public typealias thread_state_flavor_t = Int32
public let EXC_MASK_CORPSE_NOTIFY: Int32 = 1 << 13
public let EXCEPTION_DEFAULT: Int32 = 1
public let THREAD_STATE_NONE: Int32 = 5
public let MACH_PORT_NULL: Int32 = 0
public func task_set_exception_ports(
  _ task: task_t, _ exception_mask: exception_mask_t, _ new_port: mach_port_t,
  _ behavior: exception_behavior_t, _ new_flavor: thread_state_flavor_t
) -> kern_return_t { 0 }

/// mach_time.h
public struct mach_timebase_info_data_t {
  public var numer: UInt32 = 0
  public var denom: UInt32 = 0
  public init() {}
}
public func mach_timebase_info(
  _ info: UnsafeMutablePointer<mach_timebase_info_data_t>!
) -> kern_return_t { 0 }

// MARK: - pthread.h

public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public func pthread_self() -> pthread_t { fatalError("This is only compiled against.") }
public func pthread_mach_thread_np(_ thread: pthread_t) -> mach_port_t { 0 }
@discardableResult
public func pthread_kill(_ thread: pthread_t, _ signal: Int32) -> Int32 { 0 }

// MARK: - libproc.h, sys/proc_info.h, sys/proc.h, sys/sysctl.h

public struct proc_bsdinfo {
  public var pbi_status: UInt32 = 0
  public var pbi_ppid: UInt32 = 0
  public var pbi_pgid: UInt32 = 0
}
public struct proc_taskinfo {
  public var pti_resident_size: UInt64 = 0
  public var pti_total_user: UInt64 = 0
  public var pti_total_system: UInt64 = 0
  public var pti_threadnum: Int32 = 0
  public var pti_numrunning: Int32 = 0
  public init() {}
}
public struct proc_taskallinfo {
  public var pbsd = proc_bsdinfo()
  public var ptinfo = proc_taskinfo()
  public init() {}
}
public let PROC_PIDTASKALLINFO: Int32 = 2
public let PROC_PIDTASKINFO: Int32 = 4
public let SSTOP: Int32 = 4
public let CTL_KERN: Int32 = 1
public let KERN_PROCARGS2: Int32 = 49
public func proc_pidinfo(
  _ pid: Int32, _ flavor: Int32, _ arg: UInt64, _ buffer: UnsafeMutableRawPointer!,
  _ buffersize: Int32
) -> Int32 { 0 }
public typealias rusage_info_t = UnsafeMutableRawPointer
public struct rusage_info_v0 {
  public var ri_phys_footprint: UInt64 = 0
  public init() {}
}
public let RUSAGE_INFO_V0: Int32 = 0
public func proc_pid_rusage(
  _ pid: Int32, _ flavor: Int32, _ buffer: UnsafeMutablePointer<rusage_info_t?>!
) -> Int32 { 0 }
public func proc_listallpids(_ buffer: UnsafeMutableRawPointer!, _ buffersize: Int32) -> Int32 { 0 }
public func sysctl(
  _ name: UnsafeMutablePointer<Int32>!, _ namelen: UInt32, _ oldp: UnsafeMutableRawPointer!,
  _ oldlenp: UnsafeMutablePointer<Int>!, _ newp: UnsafeMutableRawPointer!, _ newlen: Int
) -> Int32 { 0 }

// MARK: - sys/socket.h

public let SOCK_STREAM: Int32 = 1
public let SHUT_RDWR: Int32 = 2
public let MSG_PEEK: Int32 = 2
public let SO_NOSIGPIPE: Int32 = 0x1022

// MARK: - spawn.h: both are pointers to opaque objects of the system

public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public let POSIX_SPAWN_SETSID: Int32 = 0x0400
@discardableResult
public func posix_spawn_file_actions_init(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_destroy(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_addopen(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ file: Int32,
  _ path: UnsafePointer<CChar>!, _ flags: Int32, _ mode: UInt16
) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_adddup2(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ file: Int32, _ new: Int32
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_init(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 {
  0
}
@discardableResult
public func posix_spawnattr_destroy(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setflags(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ flags: Int16
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setsigmask(
  _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ mask: UnsafePointer<sigset_t>!
) -> Int32 { 0 }
public func posix_spawn(
  _ process: UnsafeMutablePointer<pid_t>!, _ path: UnsafePointer<CChar>!,
  _ actions: UnsafePointer<posix_spawn_file_actions_t?>!,
  _ attributes: UnsafePointer<posix_spawnattr_t?>!,
  _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }

// MARK: - stdlib.h

public func posix_openpt(_ flags: Int32) -> Int32 { 0 }
public func grantpt(_ file: Int32) -> Int32 { 0 }
public func unlockpt(_ file: Int32) -> Int32 { 0 }
public func ptsname(_ file: Int32) -> UnsafeMutablePointer<CChar>! { nil }

// MARK: - sys/ttycom.h, sys/termios.h

public let TIOCGWINSZ: UInt = 0x4008_7468
public let TIOCSWINSZ: UInt = 0x8008_7467
public typealias tcflag_t = UInt
public struct termios {
  public var c_iflag: tcflag_t = 0
  public var c_oflag: tcflag_t = 0
  public var c_cflag: tcflag_t = 0
  public var c_lflag: tcflag_t = 0
  public init() {}
}
@discardableResult
public func tcgetattr(_ file: Int32, _ settings: UnsafeMutablePointer<termios>!) -> Int32 { 0 }
@discardableResult
public func tcsetattr(
  _ file: Int32, _ when: Int32, _ settings: UnsafePointer<termios>!
) -> Int32 { 0 }

// MARK: - time.h

public let CLOCK_UPTIME_RAW: clockid_t = 8

// MARK: - dlfcn.h

public let RTLD_FIRST: Int32 = 0x100

public struct Dl_info {
  public var dli_fname: UnsafePointer<CChar>!
  public init() {}
}
public func dladdr(_ address: UnsafeRawPointer!, _ info: UnsafeMutablePointer<Dl_info>!) -> Int32 {
  0
}

// MARK: - sys/stat.h

extension stat {
  public var st_mtimespec: timespec { st_mtim }
}
