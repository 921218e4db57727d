export { type BriefFile, briefFiles } from '../../work/briefFiles.ts'
export {
  type BriefAudience,
  briefAudiences,
  briefLimits,
  findAudience,
  findBriefExcess,
} from '../../work/briefLimits.ts'
export { computeBundleSize, type Part } from '../../work/descriptor.ts'
export { findCollidingName, findFileNameProblem } from '../../work/fileName.ts'
export { type KeyBackup, keyBackup, minPassphraseLength } from '../../work/keyBackup.ts'
export { type LaterGrant, laterGrant } from '../../work/laterGrant.ts'
export { type ChangedFile, encodeManifest, listChangedFiles } from '../../work/manifest.ts'
export { type OpenOptions, openIdentity } from '../../work/open.ts'
export { checkPosterStatement, StatementRequiredError } from '../../work/posterStatement.ts'
export { createLaterGrant } from '../../work/readingKey.ts'
export {
  findEventBundle,
  listTimelineBundles,
  type ReferenceContext,
  type TimelineBundle,
} from '../../work/references.ts'
export { buildNotifyProof, buildSessionProof } from '../../work/sessionProof.ts'
export { isLiveStatement, listLiveStatements } from '../../work/statement.ts'
export { createByteCounter, hashSha256, iterateStream, toStream } from '../../work/streams.ts'
export { keccakHash, signedStatement } from '../../work/wire.ts'
