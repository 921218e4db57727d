import type * as z from 'zod'
import { listSteps, prepareAction } from './actions/actions.ts'
import type { apiEndpoints, gatewayEndpoints, notifyEndpoints, storeEndpoints } from './endpoints.ts'
import { claimTask, issueReceipt } from './gateway/claims.ts'
import { getFees, getGatewayStatus, getTreasury, listReputation, listVerifiers } from './gateway/overview.ts'
import { createRequest, getRequest, rejectRequest, reportSubmission } from './gateway/requests.ts'
import { getCourt } from './market/getCourt.ts'
import { getMarketNumbers } from './market/getMarketNumbers.ts'
import { getTask } from './market/getTask.ts'
import { listEvents } from './market/listEvents.ts'
import { listTitles } from './market/listTitles.ts'
import { searchTasks } from './market/searchTasks.ts'
import { getMarketStatus, getTokPrice, getUnion } from './market/status.ts'
import { listOpenTasks, listRecentTasks, listTasksByPoster, listTasksByWorker } from './market/taskLists.ts'
import {
  acknowledgeNotifications,
  createCalendar,
  getNotifier,
  listNotifications,
  removeCalendar,
} from './notify/inbox.ts'
import { listSearches, removeSearch, saveSearch } from './notify/searches.ts'
import {
  addEmail,
  addPush,
  addWebhook,
  changeSubscription,
  listSubscriptions,
  refuseEmails,
  removeSubscription,
  removeSubscriptions,
  testSubscription,
  unsubscribe,
  verifySubscription,
} from './notify/subscriptions.ts'
import type { Operation, OperationKind, Schema } from './operation.ts'
import { previewPlanPrice, quotePlan, upgradePlan } from './posting/plans.ts'
import { checkQuota, getQuota, recordPost } from './posting/quota.ts'
import { getDifferential, getSiteConfig } from './service/about.ts'
import { chat } from './service/chat.ts'
import { issueStorageReceipt, listBundles, listMissingParts } from './store/bundles.ts'
import { listGrants, putGrant } from './store/grants.ts'
import { allowSender, blockSender, listBlocked, listMail, postMail, unblockSender } from './store/mail.ts'
import { deleteData, exportData } from './store/personalData.ts'
import { createSession, endSession, getStore, listStatements, putStatement } from './store/sessions.ts'
import { listInbox } from './wallet/listInbox.ts'
import { getProfile, listNames, listProfiles, putProfile } from './wallet/profiles.ts'
import { getLedger, getTrackRecord, getWallet } from './wallet/records.ts'
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
  getMarketNumbers,
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
  listNames,
  searchAgents,
  getWallet,
  getCourt,
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
  endSession,
  exportData,
  deleteData,
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
  refuseEmails,
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
