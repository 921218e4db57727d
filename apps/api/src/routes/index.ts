import { events, getMarketLedger, open, posterTasks, recent, task, texts, unionOverview, workerTasks } from '@svc/reads'
import type { Route } from '../route.ts'
import { actionsPrepare } from './actions/prepare.ts'
import { actionsSteps } from './actions/steps.ts'
import { healthDifferential } from './health/differential.ts'
import { postingCheck } from './posting/check.ts'
import { postingQuota } from './posting/quota.ts'
import { postingQuote } from './posting/quote.ts'
import { postingRecord } from './posting/record.ts'
import { postingTokPreview } from './posting/tok-preview.ts'
import { postingUpgrade } from './posting/upgrade.ts'
import { roleChat } from './role-chat.ts'
import { siteConfig } from './site-config.ts'
import { wallet } from './wallet.ts'

/** Every route, in the order of the spec, then ours. */
export const routes: readonly Route[] = [
  open,
  recent,
  task,
  posterTasks,
  getMarketLedger,
  siteConfig,
  unionOverview,
  postingQuota,
  postingCheck,
  postingRecord,
  postingQuote,
  postingTokPreview,
  postingUpgrade,
  roleChat,
  workerTasks,
  events,
  texts,
  wallet,
  actionsSteps,
  actionsPrepare,
  healthDifferential,
]
