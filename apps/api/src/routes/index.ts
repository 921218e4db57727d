import type { Route } from '../route.ts'
import { actionsPrepare } from './actions/prepare.ts'
import { actionsSteps } from './actions/steps.ts'
import { getMarketLedger } from './get-market-ledger.ts'
import { events } from './market/events.ts'
import { open } from './market/open.ts'
import { recent } from './market/recent.ts'
import { task } from './market/task.ts'
import { texts } from './market/texts.ts'
import { posterTasks } from './poster/tasks.ts'
import { postingCheck } from './posting/check.ts'
import { postingQuota } from './posting/quota.ts'
import { postingQuote } from './posting/quote.ts'
import { postingRecord } from './posting/record.ts'
import { postingTokPreview } from './posting/tok-preview.ts'
import { postingUpgrade } from './posting/upgrade.ts'
import { roleChat } from './role-chat.ts'
import { siteConfig } from './site-config.ts'
import { unionOverview } from './union/overview.ts'
import { wallet } from './wallet.ts'
import { workerTasks } from './worker/tasks.ts'

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
]
