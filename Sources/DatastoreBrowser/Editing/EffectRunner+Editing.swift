import DatastoreCore
import Foundation
import SwiftDatastore

extension Effect {
  /// Makes a property ready to be edited, of one object or of many.
  static func beginEdit(_ target: EditTarget, _ bulk: BulkTarget?) -> Effect {
    .work { runner in
      runner.answerStaging { runner in
        guard
          let object = try await runner.load(
            entity: target.object.entity, key: target.object.key)
        else {
          throw StagingRefusal("This object is no longer in the store; press r to read again.")
        }
        if let reason = runner.reasonNotWritable(object, target.slot) {
          throw StagingRefusal(reason)
        }
        var subject = runner.subject(object, target)
        subject.bulk = bulk
        return subject
      } as: {
        EditingEvent.editReady($0)
      }
    }
  }

  static func planDeletion(_ objects: [ObjectReference]) -> Effect {
    .work { runner in
      runner.answerStaging { runner in
        let loaded = try await runner.load(objects)
        return try await DeletionWalk(runner, limit: DeletionPlan.limit).run(loaded).plan
      } as: {
        EditingEvent.deletionPlanned(objects, $0)
      }
    }
  }
}

extension EffectRunner {
  fileprivate func subject(_ object: DynamicObject, _ target: EditTarget) -> EditSubject {
    let link = object.entity.links[target.slot]
    let isToMany = link?.kind.isToMany ?? false
    return EditSubject(
      target: target, entity: object.entity.name,
      property: object.entity.properties[target.slot],
      value: isToMany ? .null : object[target.slot],
      allowed: object.entity.properties[target.slot].attribute?.cases?.map(\.value)
        ?? view.allowedValues(of: target.slot, in: object.entity),
      destination: link?.destination, today: Self.today)
  }

  private static var today: String {
    let day = (Date().timeIntervalSinceReferenceDate / 86_400).rounded(.down) * 86_400
    return PredicateDate.format(day).map { String($0.prefix(10)) } ?? ""
  }
}
