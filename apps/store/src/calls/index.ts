export { issueStorageReceipt, listBundles, listMissingParts } from './bundles.ts'
export { listGrants, putGrant } from './grants.ts'
export { allowSender, blockSender, listBlocked, listMail, postMail, unblockSender } from './mail.ts'
export {
  createSession,
  deleteData,
  endSession,
  exportData,
  getStore,
  listStatements,
  putStatement,
} from './sessions.ts'
