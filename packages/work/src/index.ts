export {
  type DeviceKeys,
  type EnsureKeysOptions,
  ensureKeys,
  type KeyStore,
  listIdentities,
  restoreKeys,
  rotateKeys,
  type SignInContext,
} from './deviceKeys.ts'
export { type FetchedBundle, fetchBundle } from './fetchBundle.ts'
export { type FindReadersOptions, findReaders, listCheckedStatements } from './findReaders.ts'
export { grantBundle } from './grantBundle.ts'
export { issueReceipt, type StorageReceipt } from './issueReceipt.ts'
export { connectStore, type StoreConnection, type StoreOptions } from './storeConnection.ts'
export { createMemoryPartCache, type PartCache, type UploadOptions, uploadBundle } from './uploadBundle.ts'
