export {
  type BundleKind,
  bundleKinds,
  type Descriptor,
  encodeDescriptor,
  hashDescriptor,
  listParts,
  parseDescriptor,
} from '../work/descriptor.ts'
export { decryptKeyBackup, encryptKeyBackup } from '../work/keyBackup.ts'
export { workLimits } from '../work/limits.ts'
export { hashManifest, type Manifest, type ManifestFile, parseManifest } from '../work/manifest.ts'
export { checkDescriptor, type ExpectedBundle, type OpenedBundle, openBundle } from '../work/open.ts'
export { createReadingKey, getReadingKey, type Reader } from '../work/readingKey.ts'
export { type BundleReference, listBundleReferences } from '../work/references.ts'
export { type BundleSubject, type SealedBundle, type SealOptions, sealBundle, type WorkFile } from '../work/seal.ts'
export {
  buildStatementMessage,
  type CheckedStatement,
  checkStatement,
  hashStatement,
  parseStatementMessage,
} from '../work/statement.ts'
export type { SignedStatement } from '../work/wire.ts'
export { WorkError } from '../work/workError.ts'
