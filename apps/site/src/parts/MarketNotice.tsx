import { useApi } from '../api.ts'
import { text } from '../text/common.ts'
import { Note } from '../ui/Note.tsx'
import { useMarket } from '../useMarket.ts'

const labels = text.newTasks

/** Says if the market takes no new tasks now, or only until a day. Renders nothing in a market without an end. */
export function MarketNotice() {
  const { body } = useApi('getMarketStatus', { market: useMarket() })
  if (!body || (body.newTasks === 'open' && body.endsAt === null)) return null
  if (body.newTasks !== 'open') return <Note tone="turn">{labels[body.newTasks]}</Note>
  return <Note>{labels.until(formatDay(body.endsAt ?? 0))}</Note>
}

/** Formats a time as a day with its year, in the visitor's own zone. */
const formatDay = (at: number) => new Intl.DateTimeFormat(navigator.language, { dateStyle: 'long' }).format(at * 1000)
