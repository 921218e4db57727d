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
export {
  decryptKeyBackup,
  encodeKeyBackup,
  encryptKeyBackup,
  type KeyBackup,
  keyBackup,
  minPassphraseLength,
  parseKeyBackup,
} from '../work/keyBackup.ts'
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
  checkDescriptor,
  type ExpectedBundle,
  type OpenedBundle,
  type OpenOptions,
  openBundle,
  openIdentity,
} from '../work/open.ts'
export { checkPosterStatement, type PosterStatementUse, StatementRequiredError } from '../work/posterStatement.ts'
export {
  createLaterGrant,
  createReadingKey,
  getReadingKey,
  openGrant,
  type Reader,
  type ReadingIdentity,
  sealGrant,
} from '../work/readingKey.ts'
export {
  type BundleReference,
  findEventBundle,
  listBundleReferences,
  listTimelineBundles,
  type ReferenceContext,
  type TaskEvent,
  type TimelineBundle,
} from '../work/references.ts'
export { type BundleSubject, type SealedBundle, type SealOptions, sealBundle, type WorkFile } from '../work/seal.ts'
export { buildNotifyProof, buildSessionProof } from '../work/sessionProof.ts'
export {
  buildStatementMessage,
  type CheckedStatement,
  checkStatement,
  hashStatement,
  isLiveStatement,
  listLiveStatements,
  parseStatementMessage,
  type Statement,
  type StatementUse,
  statementText,
} from '../work/statement.ts'
export { type ByteStream, createByteCounter, hashSha256, iterateStream, toStream } from '../work/streams.ts'
export { keccakHash, readingKey, type SignedStatement, sha256Hex, signedStatement } from '../work/wire.ts'
export { WorkError, type WorkErrorCode } from '../work/workError.ts'
