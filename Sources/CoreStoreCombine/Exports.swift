// Code written for CoreStore imports Combine beside it, and no further module.
@_exported public import SwiftDatastoreCombine
