export { issueStorageReceipt, listBundles, listMissingParts } from './bundles.ts'
export { listGrants, putGrant } from './grants.ts'
export { createSession, getStore, listStatements, putStatement } from './sessions.ts'
