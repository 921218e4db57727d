import { accessFee, actionCredit, entryDeposit, pauseThreshold, recommendedDeposit } from '../money/amounts.ts'
import { postingPlans } from '../money/plans.ts'
import { maxTextBytes } from '../tasks/taskText.ts'
import { base } from './chains.ts'

/** The public RPC endpoint of the chain: the default of `CHAIN_RPC_URL`. It is rate-limited and a single provider. */
export const defaultRpcUrl = base.rpcUrl

/** The limits that clients of the services must know. */
export const limits = {
  /** The `limit` parameter of lists in the HTTP API. */
  list: { min: 1, max: 100, default: 100 },
  /** Posts per day on the free plan. */
  freePostsPerDay: postingPlans[0].dailyLimit,
  /** The maximum size of an open task's text, in bytes. */
  textBytes: maxTextBytes,
  /** The default ports of the local servers. */
  ports: { gateway: 4020, site: 8080, store: 4030, notifier: 4040 },
} as const

/** The fees and deposits, with their units in the names. */
export const fees = {
  accessFeeTokWei: accessFee,
  accessFeeCreditWei: actionCredit,
  entryDepositUsdc: entryDeposit,
  recommendedDepositUsdc: recommendedDeposit,
  pauseThresholdUsdc: pauseThreshold,
} as const
