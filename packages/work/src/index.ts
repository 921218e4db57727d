export {
  beginSignIn,
  completeSignIn,
  type DeviceKeys,
  type EnsureKeysOptions,
  encodeDeviceKeys,
  ensureKeys,
  type KeyStore,
  listIdentities,
  parseDeviceKeys,
  restoreKeys,
  rotateKeys,
  type SignInContext,
} from './deviceKeys.ts'
export { type FetchedBundle, fetchBundle } from './fetchBundle.ts'
export { type FindReadersOptions, findReaders, listCheckedStatements, type PublishedStatement } from './findReaders.ts'
export { createTimelineFinder } from './findTimeline.ts'
export { grantBundle } from './grantBundle.ts'
export { findCourtReaders, type GrantedBundle, grantTaskBundles, inspectBundle } from './grantTaskBundles.ts'
export { issueReceipt, type StorageReceipt } from './issueReceipt.ts'
export { connectNotifier, type NotifierConnection, type NotifierOptions } from './notifierConnection.ts'
export { connectStore, type StoreConnection, type StoreOptions } from './storeConnection.ts'
export { createMemoryPartCache, type PartCache, type UploadOptions, uploadBundle } from './uploadBundle.ts'
