/// Each order as a word.
public enum ExecutionOrder {
  public static var asyncToOwnQueue: [String] { "ACB".map(String.init) }
  public static var syncToAnotherQueue: [String] { "ACDB".map(String.init) }
  public static var asyncWithinAsync: [String] { "EACDB".map(String.init) }
  public static var suspendedQueue: [String] { "BACD".map(String.init) }
  public static var twoQueuesAndAGroup: [String] { "BADC".map(String.init) }
  public static var asyncAfterToOwnQueue: [String] { "CAB".map(String.init) }
  public static var asyncAfterToAnotherQueue: [String] { "BCA".map(String.init) }
}
