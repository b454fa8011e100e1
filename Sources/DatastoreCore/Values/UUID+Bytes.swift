package import Foundation

extension UUID {
  /// The UUID that sixteen bytes are, in the order of RFC 9562; nil for any other number of them.
  package init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Its sixteen bytes, as they are stored.
  package var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
