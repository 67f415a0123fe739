import Foundation
import QuiescenceTesting

// Katas are about operations, and a failed expectation would read what other threads may be writing.
extension Operation: @retroactive CustomReflectable {}
extension Operation: OpaqueMirror {}
extension OperationQueue: @retroactive CustomReflectable {}
extension OperationQueue: OpaqueMirror {}
