export {
  appendBatch,
  type Batch,
  type BlockHeader,
  CursorMovedError,
  UnreadableLogError,
  writeGathered,
} from './append.ts'
export {
  createBuild,
  dropBuild,
  getSchemaName,
  getServingBuild,
  getWriterLockKey,
  hasWriter,
  serveBuild,
} from './builds.ts'
export { createRowCache, type RowCache } from './cache.ts'
export {
  type Comparison,
  loadComparison,
  loadServedComparisons,
  type RowDifference,
  saveComparison,
} from './comparison.ts'
export { createConnector } from './connect.ts'
export {
  type Cursor,
  type DigestedHeader,
  emptyDigest,
  extendDigest,
  getHeaderHash,
  getOldestHeader,
  haltMarket,
  loadCursor,
  loadHeaders,
  loadOrCreateCursor,
  loadServedCursors,
  marketNumber,
  type ServedCursor,
  toBytes,
} from './cursor.ts'
export { createEstablishedCheck, isEstablished, listRunningTasks } from './established.ts'
export { foldFingerprint } from './foldFingerprint.ts'
export {
  createRegistry,
  dropOldGenerations,
  findNextRebuild,
  type Generation,
  listGenerations,
  saveServed,
  saveUseless,
  startGeneration,
} from './generations.ts'
export { type ChainOnlyReads, createIndexReader, type IndexReader, readConnectionSettings } from './indexReader.ts'
export { deriveLedgers } from './ledgers.ts'
export { type PaidPeriod, readPaidPlans } from './paidPlans.ts'
export { computeUnionOverview, toPublicTask } from './publicRecords.ts'
export { RefoldInterruptedError, refoldRows } from './refold.ts'
export { rollback } from './rollback.ts'
export { listLinkedRows } from './rowDependencies.ts'
export { computeColumns, type FullRow, loadFullRows } from './rows.ts'
export { advanceWalk, initialWalk, sampleTasks, type Walk } from './sampling.ts'
export { buildSearchStatement, buildWordQuery } from './searchReader.ts'
export { windowWords } from './searchRows.ts'
export { loadCommonWords } from './searchWords.ts'
export { findMarketFault, loadServedSuspects, loadSuspects, saveSuspects } from './suspects.ts'
export { parseRowKey, type Row, type RowKey } from './tables.ts'
export { loadTaskEvents, type TaskEvents } from './taskEvents.ts'
export { IndexUnavailableError } from './unavailable.ts'
