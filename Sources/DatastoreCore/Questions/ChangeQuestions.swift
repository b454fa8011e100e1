package import struct Foundation.Date

/// The rows of a store as they were at one moment, kept by the engine that has read them.
package protocol StoreBaseline: AnyObject, Sendable {
  /// When they were read.
  var date: Date { get }
}

/// Keeps the rows of the store as they are now, as far as there is room for them, so that it can be asked
/// later what has become of them. Reads them once.
package struct BaselineQuestion: StoreQuestion {
  package typealias Answer = any StoreBaseline

  package init() {}

  package var task: String { "Comparing with an earlier state" }
}

/// What differs between the rows of a store and those of a baseline, no matter which program has written it.
/// Reads every row.
package struct DifferencesQuestion: StoreQuestion {
  package typealias Answer = StoreDifferences

  /// Made by the same engine, of the same file; what opened it may have been closed since.
  package let baseline: any StoreBaseline
  /// The most objects that are reported of one entity.
  package let limit: Int

  package init(since baseline: any StoreBaseline, limit: Int) {
    self.baseline = baseline
    self.limit = limit
  }

  package var task: String { "Comparing with an earlier state" }
}

/// What has become of the rows of a store.
package struct StoreDifferences: Sendable {
  /// What has become of the rows of one entity, and of those that inherit from it.
  package struct Part: Sendable {
    package let entity: EntityIndex
    /// The first ones that differ, each as if all of it had been staged and saved at once: of a deleted one,
    /// the changes tell what it held.
    package var objects: [StagedObject]
    /// How many there are, including those that are not reported.
    package var inserted = 0
    package var deleted = 0
    package var updated = 0

    package init(entity: EntityIndex, objects: [StagedObject] = []) {
      self.entity = entity
      self.objects = objects
    }

    /// How many differ.
    package var count: Int { inserted + deleted + updated }
  }

  /// Entities without differences are left out.
  package var parts: [Part] = []
  /// Tables that could not be compared, and why: the end of a sentence.
  package var leftOut: [(table: String, reason: String)] = []

  package init() {}
}
