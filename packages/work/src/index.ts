export { type FoundBriefFile, findBriefFiles, isBriefFile, listBriefs, type StoredBrief } from './briefs.ts'
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
export {
  type FindReadersOptions,
  findKnownReaders,
  findReaders,
  listCheckedStatements,
  type PublishedStatement,
} from './findReaders.ts'
export { createTimelineFinder } from './findTimeline.ts'
export { grantBundle } from './grantBundle.ts'
export { findCourtReaders, type GrantedBundle, grantTaskBundles, inspectBundle } from './grantTaskBundles.ts'
export { issueReceipt, type StorageReceipt } from './issueReceipt.ts'
export {
  createMemoryMailLog,
  type Mailbox,
  type MailboxOptions,
  type MailItem,
  type MailLog,
  openMailbox,
  type SavedItem,
  type SavedMail,
} from './mailbox.ts'
export { createMailboxTransport, type MailCursorStore } from './mailboxTransport.ts'
export { connectNotifier, type NotifierConnection, type NotifierOptions } from './notifierConnection.ts'
export { connectStore, type StoreConnection, type StoreOptions } from './storeConnection.ts'
export {
  createTalk,
  type EndPlace,
  listParticipants,
  type SignTypedData,
  type Talk,
  type TalkNegotiation,
  type TalkThread,
  type WalletSigning,
} from './talk.ts'
export { createMemoryPartCache, type PartCache, type UploadOptions, uploadBundle } from './uploadBundle.ts'
