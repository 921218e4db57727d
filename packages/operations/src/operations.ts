import type * as z from 'zod'
import { listSteps } from './actions/listSteps.ts'
import { prepareAction } from './actions/prepareAction.ts'
import type { apiEndpoints, gatewayEndpoints, notifyEndpoints, storeEndpoints } from './endpoints.ts'
import { claimTask, issueReceipt } from './gateway/claims.ts'
import { getTreasury, listReputation, listVerifiers } from './gateway/leaderboards.ts'
import { createRequest, getRequest, rejectRequest, reportSubmission } from './gateway/requests.ts'
import { getFees, getGatewayStatus } from './gateway/status.ts'
import { getMarketStatus } from './market/getMarketStatus.ts'
import { getTask } from './market/getTask.ts'
import { getTokPrice } from './market/getTokPrice.ts'
import { getUnion } from './market/getUnion.ts'
import { listEvents } from './market/listEvents.ts'
import { listOpenTasks } from './market/listOpenTasks.ts'
import { listRecentTasks } from './market/listRecentTasks.ts'
import { listTitles } from './market/listTitles.ts'
import { searchTasks } from './market/searchTasks.ts'
import { createCalendar, removeCalendar } from './notify/calendar.ts'
import { acknowledgeNotifications, getNotifier, listNotifications } from './notify/inbox.ts'
import { putProfile } from './notify/profile.ts'
import { listSearches, removeSearch, saveSearch } from './notify/searches.ts'
import {
  addEmail,
  addPush,
  addWebhook,
  changeSubscription,
  listSubscriptions,
  removeSubscription,
  removeSubscriptions,
  testSubscription,
  unsubscribe,
  verifySubscription,
} from './notify/subscriptions.ts'
import type { Operation, OperationKind, Schema } from './operation.ts'
import { checkQuota } from './posting/checkQuota.ts'
import { getQuota } from './posting/getQuota.ts'
import { previewPlanPrice } from './posting/previewPlanPrice.ts'
import { quotePlan } from './posting/quotePlan.ts'
import { recordPost } from './posting/recordPost.ts'
import { upgradePlan } from './posting/upgradePlan.ts'
import { chat } from './service/chat.ts'
import { getDifferential } from './service/getDifferential.ts'
import { getSiteConfig } from './service/getSiteConfig.ts'
import { issueStorageReceipt, listBundles, listMissingParts } from './store/bundles.ts'
import { listGrants, putGrant } from './store/grants.ts'
import { allowSender, blockSender, listBlocked, listMail, postMail, unblockSender } from './store/mail.ts'
import { createSession, getStore, listStatements, putStatement } from './store/sessions.ts'
import { getLedger } from './wallet/getLedger.ts'
import { getProfile } from './wallet/getProfile.ts'
import { getTrackRecord } from './wallet/getTrackRecord.ts'
import { getWallet } from './wallet/getWallet.ts'
import { listInbox } from './wallet/listInbox.ts'
import { listProfiles } from './wallet/listProfiles.ts'
import { listTasksByPoster } from './wallet/listTasksByPoster.ts'
import { listTasksByWorker } from './wallet/listTasksByWorker.ts'
import { searchAgents } from './wallet/searchAgents.ts'

type MountedName =
  | keyof typeof apiEndpoints
  | keyof typeof gatewayEndpoints
  | keyof typeof storeEndpoints
  | keyof typeof notifyEndpoints

/** Every operation of the HTTP services, by name. */
export const operations = {
  listOpenTasks,
  listRecentTasks,
  searchTasks,
  getTask,
  listTasksByPoster,
  getLedger,
  getSiteConfig,
  getMarketStatus,
  getUnion,
  getQuota,
  checkQuota,
  recordPost,
  quotePlan,
  previewPlanPrice,
  upgradePlan,
  chat,
  listTasksByWorker,
  listEvents,
  listTitles,
  getTokPrice,
  listProfiles,
  listInbox,
  getTrackRecord,
  getProfile,
  searchAgents,
  getWallet,
  listSteps,
  prepareAction,
  getDifferential,
  listReputation,
  listVerifiers,
  getTreasury,
  getFees,
  getGatewayStatus,
  issueReceipt,
  claimTask,
  createRequest,
  getRequest,
  reportSubmission,
  rejectRequest,
  getStore,
  createSession,
  putStatement,
  listStatements,
  listMissingParts,
  listBundles,
  issueStorageReceipt,
  putGrant,
  listGrants,
  postMail,
  listMail,
  listBlocked,
  blockSender,
  unblockSender,
  allowSender,
  getNotifier,
  listNotifications,
  acknowledgeNotifications,
  listSubscriptions,
  addWebhook,
  addEmail,
  addPush,
  changeSubscription,
  removeSubscription,
  removeSubscriptions,
  testSubscription,
  verifySubscription,
  unsubscribe,
  putProfile,
  listSearches,
  saveSearch,
  removeSearch,
  createCalendar,
  removeCalendar,
} as const satisfies { readonly [Name in MountedName]: Operation<OperationKind, Schema, Schema, Name> }

export type OperationName = keyof typeof operations

/** The input of an operation, as JSON. */
export type InputJson<Name extends OperationName> = z.input<(typeof operations)[Name]['input']>

/** The output of an operation, as JSON. */
export type OutputJson<Name extends OperationName> = z.input<(typeof operations)[Name]['output']>
