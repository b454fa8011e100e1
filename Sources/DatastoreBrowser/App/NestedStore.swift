import SwiftDatastore

/// Another store that the browser shows above the present one, with everything that can be done in a store.
/// Leaving it comes back to where one was.
protocol NestedStore: AnyObject, Sendable {
  var datastore: SwiftDatastore { get }
  /// What it is a copy of, as part of a sentence. Nothing of it is kept for the next time.
  var subject: String { get }
  /// Sets up what is shown of it, before anything is read.
  ///
  /// - Parameter below: what is left meanwhile.
  func prepare(_ state: inout BrowserState, above below: BrowserState)
  /// Sets what the table shows first, and requests what has to be done for it.
  func arrange(_ state: inout BrowserState)
  /// Asks for what it shows once more, to be shown in its place.
  ///
  /// - Parameter below: what is known there now.
  func askAgain(below: BrowserState) -> Effect
  /// What it needs as long as it is shown, once the table is being read.
  func work() -> [Effect]
  /// Closes and removes it. Waits for the file system.
  func close()
}
