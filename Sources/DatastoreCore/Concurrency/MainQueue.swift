import Dispatch
import Foundation

/// A check at run time whether code runs on the main actor.
package enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether this is the main queue. The main thread alone does not decide it: on Linux, if a program's main
  /// thread sits in `dispatchMain()`, other threads serve its main queue.
  package static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) == true || Thread.isMainThread
  }
}
