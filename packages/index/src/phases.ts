// The only state that SQL looks into: one short row, which a market without a pause or an end does not even have.
const entries = (condition: string) => `exists (select from market.entity e
  where e.market = c.market and e.kind = 'entries' and e.key = '' and ${condition})`
const isPast = `(e.state::json ->> 'sunsetAt')::bigint between 1 and c."timestamp"`

/** Whether the entries of a market have ended for good at the cursor `c`. Time alone changes it. */
export const haveEntriesEnded = entries(isPast)

/** Whether entries are paused or have ended at the cursor `c`. */
export const areEntriesClosed = entries(`((e.state::json ->> 'paused')::boolean or ${isPast})`)

/** Whether a row `t` of `task` is in the first of its two phases at the cursor `c`: the SQL side of `findClaimEnd` and `findPhaseEnd`. */
export const isEarly = `(t.phase_end is null or t.phase_end >= c."timestamp")
  and (not t.posted or not ${areEntriesClosed})`

/** Whether a row `t` of `task` can be claimed at the cursor `c`. */
export const isClaimable = `t.posted and t.phase_end >= c."timestamp" and not ${areEntriesClosed}`
