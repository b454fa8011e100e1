import DatastoreCore
import Foundation
import SwiftDatastore

extension Effect {
  /// Prepares a property of one object, or of many, for editing.
  static func beginEdit(_ target: EditTarget, _ bulk: BulkTarget?) -> Effect {
    .work { runner in
      runner.answerStaging { runner in
        let object = try await runner.load([target.object])[0]
        guard object.key == target.object.key else {
          throw StagingRefusal("Someone else has moved this row; press the key again.")
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
        let shown = try await runner.shown(objects)
        let loaded = try await runner.load(shown)
        let forecast = try await runner.forecastDeletion(
          of: loaded, limit: DeletionForecast.limit
        ).forecast
        return (shown, forecast)
      } as: {
        EditingEvent.deletionPlanned($0.0, $0.1)
      }
    }
  }
}

extension EffectRunner {
  fileprivate func subject(_ object: DynamicObject, _ target: EditTarget) -> EditSubject {
    let link = object.entity.links[target.slot]
    let isToMany = link?.kind.isToMany ?? false
    // The edit applies to the row that the editor shows.
    let reference = ObjectReference(
      entity: target.object.entity, key: target.object.key, seen: presentRow(of: object))
    let shown = EditTarget(object: reference, slot: target.slot, panel: target.panel)
    return EditSubject(
      target: shown, entity: object.entity.name,
      property: object.entity.properties[target.slot],
      value: isToMany ? .null : object[target.slot],
      allowed: object.entity.properties[target.slot].attribute?.cases?.map(\.value)
        ?? view.allowedValues(of: target.slot, in: object.entity),
      destination: link?.destination, today: Self.today)
  }

  private static var today: String {
    let day = (Date().timeIntervalSinceReferenceDate / 86_400).rounded(.down) * 86_400
    return ISODate.format(day).map { String($0.prefix(10)) } ?? ""
  }
}
