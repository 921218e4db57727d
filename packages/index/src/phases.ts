import { serializeEntity } from '@svc/protocol/fold'

// SQL never looks into a state, but it can compare a whole one.
const isPaused = `exists (select from market.entity
  where market = c.market and kind = 'entries' and key = '' and state = '${serializeEntity({ paused: true })}')`

/** Whether a posted task `t` can be claimed, apart from time. Only a task with a depleted reserve needs a look at its poster. */
const meetsCondition = `not ${isPaused} and (t.claim_free <= 0 or t.claim_free <=
  (select a.free from market.agent a where a.market = t.market and a.key = t.poster))`

/** Whether a row `t` of `task` is in the first of its two phases at the cursor `c`: the SQL side of `findClaimCondition` and `findPhaseEnd`. */
export const isEarly = `(t.phase_end is null or t.phase_end >= c."timestamp")
  and (t.claim_free is null or ${meetsCondition})`

/** Whether a row `t` of `task` can be claimed at the cursor `c`. */
export const isClaimable = `t.claim_free is not null and t.phase_end >= c."timestamp" and ${meetsCondition}`
