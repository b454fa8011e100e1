package import Foundation

extension UUID {
  /// Creates a UUID from sixteen bytes, in the order of RFC 9562; nil for any other number of bytes.
  package init?(bytes: Data) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Its sixteen bytes, in stored form.
  package var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
