export { streamLimits } from './streamLimits.ts'

/** `<method> <path>`; a path parameter is a field of the input. */
export type Endpoint = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`

/** What the specification names of the API, in its order. Plain data: browsers load this file and no schema. */
export const specifiedApiEndpoints = {
  listOpenTasks: 'GET /api/market/open',
  listRecentTasks: 'GET /api/market/recent',
  getTask: 'GET /api/market/task',
  listTasksByPoster: 'GET /api/poster/tasks',
  getLedger: 'GET /api/get-market-ledger',
  getSiteConfig: 'GET /api/site-config',
  getUnion: 'GET /api/union/overview',
  getQuota: 'GET /api/posting/quota',
  checkQuota: 'POST /api/posting/check',
  recordPost: 'POST /api/posting/record',
  quotePlan: 'GET /api/posting/quote',
  previewPlanPrice: 'GET /api/posting/tok-preview',
  upgradePlan: 'POST /api/posting/upgrade',
  chat: 'POST /api/role-chat',
} as const

/** Where the API mounts each operation, in the order of the reference: what the specification names, then what we added. */
export const apiEndpoints = {
  ...specifiedApiEndpoints,
  searchTasks: 'GET /api/market/search',
  listTasksByWorker: 'GET /api/worker/tasks',
  listEvents: 'GET /api/market/events',
  listTitles: 'GET /api/market/texts',
  getTokPrice: 'GET /api/price/tok',
  getMarketStatus: 'GET /api/market/status',
  getMarketNumbers: 'GET /api/market/numbers',
  listProfiles: 'GET /api/profiles',
  listReputation: 'GET /api/leaderboard',
  listInbox: 'GET /api/wallet/inbox',
  getTrackRecord: 'GET /api/wallet/record',
  getProfile: 'GET /api/wallet/profile',
  listNames: 'GET /api/names',
  searchAgents: 'GET /api/agents/search',
  getWallet: 'GET /api/wallet',
  getCourt: 'GET /api/market/court',
  listSteps: 'GET /api/actions/steps',
  prepareAction: 'POST /api/actions/prepare',
  getDifferential: 'GET /api/health/differential',
} as const

/** The operations that are reads. They take `minBlock` and `path`; other operations refuse them. */
export const readNames = [
  'listOpenTasks',
  'listRecentTasks',
  'searchTasks',
  'getTask',
  'listTasksByPoster',
  'listTasksByWorker',
  'getLedger',
  'getUnion',
  'listEvents',
  'listTitles',
  'getTokPrice',
  'getMarketStatus',
  'listProfiles',
  'listInbox',
  'getTrackRecord',
  'listReputation',
  'listVerifiers',
  'getTreasury',
] as const

/** What the specification names of the local gateway, besides its pages. */
export const specifiedGatewayEndpoints = {
  listOpenTasks: 'GET /v1/market/open',
  listRecentTasks: 'GET /v1/market/recent',
  getTask: 'GET /v1/tasks/:id',
  listReputation: 'GET /v1/leaderboard/reputation',
  listVerifiers: 'GET /v1/leaderboard/verifiers',
  getFees: 'GET /v1/fees',
  issueReceipt: 'POST /v1/payment-receipt',
  claimTask: 'POST /v1/tasks/:id/claim',
} as const

/** Where the local gateway mounts each operation: what the specification names, then what we added. */
export const gatewayEndpoints = {
  ...specifiedGatewayEndpoints,
  getTreasury: 'GET /v1/treasury',
  getGatewayStatus: 'GET /v1/status',
  createRequest: 'POST /v1/requests',
  getRequest: 'GET /v1/requests/:id',
  reportSubmission: 'POST /v1/requests/:id/submitted',
  rejectRequest: 'POST /v1/requests/:id/reject',
} as const

/** What the gateway serves for a price, if its operator has set one. */
export const paidEndpoints = { listOpenTasks: 'GET /v1/discovery/open' } as const

/** Where the store mounts each operation. The routes of bytes are not here: see {@link storeByteRoutes}. */
export const storeEndpoints = {
  getStore: 'GET /v1/store',
  createSession: 'POST /v1/sessions',
  endSession: 'POST /v1/sessions/end',
  exportData: 'GET /v1/me',
  deleteData: 'DELETE /v1/me',
  putStatement: 'PUT /v1/statements',
  listStatements: 'GET /v1/statements/:wallet',
  listMissingParts: 'POST /v1/tasks/:id/parts/missing',
  listBundles: 'GET /v1/tasks/:id/bundles',
  issueStorageReceipt: 'POST /v1/bundles/:hash/receipt',
  putGrant: 'PUT /v1/grants/:bundle/:reader',
  listGrants: 'GET /v1/grants/:bundle/:reader',
  postMail: 'POST /v1/mail',
  listMail: 'GET /v1/mail',
  listBlocked: 'GET /v1/mail/blocked',
  blockSender: 'PUT /v1/mail/blocked/:wallet',
  unblockSender: 'DELETE /v1/mail/blocked/:wallet',
  allowSender: 'PUT /v1/mail/allowed/:wallet',
} as const

/** What the store sends and takes as plain bytes, by GET and PUT. All of it is private, except public work and pictures. */
export const storeByteRoutes = {
  part: '/v1/tasks/:id/parts/:sha256',
  bundle: '/v1/bundles/:hash',
  vault: '/v1/vault',
  picture: '/v1/pictures/:wallet/:sha256',
} as const

/** Where the notifier mounts each operation. */
export const notifyEndpoints = {
  getNotifier: 'GET /notify/v1/notifier',
  createSession: 'POST /notify/v1/sessions',
  endSession: 'POST /notify/v1/sessions/end',
  exportData: 'GET /notify/v1/me',
  deleteData: 'DELETE /notify/v1/me',
  putStatement: 'PUT /notify/v1/statements',
  listNotifications: 'GET /notify/v1/inbox',
  acknowledgeNotifications: 'POST /notify/v1/inbox/acknowledge',
  listSubscriptions: 'GET /notify/v1/subscriptions',
  removeSubscriptions: 'DELETE /notify/v1/subscriptions',
  addWebhook: 'POST /notify/v1/webhooks',
  addEmail: 'POST /notify/v1/emails',
  addPush: 'POST /notify/v1/pushes',
  changeSubscription: 'PUT /notify/v1/subscriptions/:id',
  removeSubscription: 'DELETE /notify/v1/subscriptions/:id',
  testSubscription: 'POST /notify/v1/subscriptions/:id/test',
  verifySubscription: 'POST /notify/v1/verify',
  unsubscribe: 'POST /notify/v1/unsubscribe/:token',
  refuseEmails: 'POST /notify/v1/refuse/:token',
  putProfile: 'PUT /notify/v1/profile',
  listSearches: 'GET /notify/v1/searches',
  saveSearch: 'POST /notify/v1/searches',
  removeSearch: 'DELETE /notify/v1/searches/:id',
  createCalendar: 'POST /notify/v1/calendar',
  removeCalendar: 'DELETE /notify/v1/calendar',
} as const

/** What the notifier shows by GET to whoever knows a token: a page, and the deadlines of a wallet. */
export const notifyTokenRoutes = {
  unsubscribe: '/notify/v1/unsubscribe/:token',
  refuse: '/notify/v1/refuse/:token',
  calendar: '/notify/v1/calendar/:token',
} as const
