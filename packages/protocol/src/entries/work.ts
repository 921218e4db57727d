export {
  type Blob,
  type BundleKind,
  bundleKinds,
  computeBundleSize,
  type Descriptor,
  type DescriptorJson,
  descriptor,
  encodeDescriptor,
  type Grant,
  getMaxBundleSize,
  hashDescriptor,
  listParts,
  type Part,
  parseDescriptor,
} from '../work/descriptor.ts'
export { findCollidingName, findFileNameProblem } from '../work/fileName.ts'
export { type LaterGrant, type LaterGrantJson, laterGrant } from '../work/laterGrant.ts'
export { workLimits } from '../work/limits.ts'
export {
  type ChangedFile,
  encodeManifest,
  hashManifest,
  listChangedFiles,
  type Manifest,
  type ManifestFile,
  manifest,
  parseManifest,
} from '../work/manifest.ts'
export {
  buildStatementMessage,
  type CheckedStatement,
  checkStatement,
  hashStatement,
  listLiveStatements,
  parseStatementMessage,
  type SignedStatement,
  type Statement,
  type StatementUse,
  signedStatement,
  statementText,
} from '../work/statement.ts'
export { keccakHash, readingKey, sha256Hex } from '../work/wire.ts'
export { WorkError, type WorkErrorCode } from '../work/workError.ts'
