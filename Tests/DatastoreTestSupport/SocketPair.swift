import Foundation

/// Two ends of a connection, to talk with a program that is started by one of them. Unlike those of a pipe,
/// they are never handed on to other programs that are started at the same moment, which would keep the end
/// from being seen.
///
/// - Throws: `POSIXError`.
func makeSocketPair() throws -> [Int32] {
  var ends: [Int32] = [-1, -1]
  let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
  return ends
}
