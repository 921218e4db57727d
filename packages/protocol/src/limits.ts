import { accessFee, actionCredit, entryDeposit, pauseThreshold, recommendedDeposit } from './amounts.ts'
import { postingPlans } from './plans.ts'
import { maxTextBytes } from './taskText.ts'

/** The bounds of the service that its clients meet, in one place. */
export const limits = {
  /** Entries of a list: `limit` of the HTTP API. */
  list: { min: 1, max: 100, default: 100 },
  /** Posts a day under the free plan. */
  freePostsPerDay: postingPlans[0].dailyLimit,
  /** Bytes of an open task's text. */
  textBytes: maxTextBytes,
  /** Ports of the local servers, unless set. */
  ports: { gateway: 4020, site: 8080 },
} as const

/** The fees and deposits of the service, with their units. */
export const fees = {
  accessFeeTokWei: accessFee,
  accessFeeCreditWei: actionCredit,
  entryDepositUsdc: entryDeposit,
  recommendedDepositUsdc: recommendedDeposit,
  pauseThresholdUsdc: pauseThreshold,
} as const
