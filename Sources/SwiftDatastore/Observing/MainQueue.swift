import Dispatch
import Foundation

/// Whether code runs on the main actor, asked at run time.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether this is the main queue. The main thread alone does not decide it: on Linux a program whose
  /// main thread sits in `dispatchMain()` has its main queue served by other threads.
  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: key) == true || Thread.isMainThread
  }
}
