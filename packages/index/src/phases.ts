// The only state that SQL looks into: one short row, which a market without a pause or an end does not even have.
const entries = (condition: string) => `exists (select from market.entity e
  where e.market = c.market and e.kind = 'entries' and e.key = '' and ${condition})`
const isPast = `(e.state::json ->> 'sunsetAt')::bigint between 1 and c."timestamp"`

/** Whether the entries of a market have ended for good at the cursor `c`. Time alone changes it. */
export const haveEntriesEnded = entries(isPast)

/** Whether entries are paused or have ended at the cursor `c`. */
export const areEntriesClosed = entries(`((e.state::json ->> 'paused')::boolean or ${isPast})`)

/** Whether the poster of a task `t` has the deposit that a claim needs. Only a task with a depleted reserve needs a look at it. */
export const meetsPosterCondition = `(t.claim_free <= 0 or t.claim_free <=
  (select a.free from market.agent a where a.market = t.market and a.key = t.poster))`

/** Whether a posted task `t` can be claimed, apart from time. */
const meetsCondition = `not ${areEntriesClosed} and ${meetsPosterCondition}`

/** Whether a row `t` of `task` is in the first of its two phases at the cursor `c`: the SQL side of `findClaimCondition` and `findPhaseEnd`. */
export const isEarly = `(t.phase_end is null or t.phase_end >= c."timestamp")
  and (t.claim_free is null or ${meetsCondition})`

/** Whether a row `t` of `task` can be claimed at the cursor `c`. */
export const isClaimable = `t.claim_free is not null and t.phase_end >= c."timestamp" and ${meetsCondition}`
