// Believes no API: reads the micro market with the typed client, follows its events, and holds every answer and every event
// against the chain. Ends with Ctrl-C, or after as many events as its argument says; exit code 1 when anything was different.
import { createClient, followEvents } from '@svc/client'
import { type Verdict, verifyAnswer, verifyEvent } from '@svc/reads'
import { openStack } from './stack.ts'

const market = 'micro'
const { apiUrl: baseUrl, ...chain } = await openStack()
const api = createClient({ baseUrl, fetch: fetchAndVerify })
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

const { body } = await api.marketOpen({ market, limit: 10 })
for (const { id } of body.tasks) await api.marketTask({ id })
const { meta } = (await api.marketEvents({ market, limit: 10 })).body
let left = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)
for await (const tiding of followEvents({ baseUrl, market, after: meta.nextCursor ?? '0:0', signal: stop.signal })) {
  if (tiding.kind !== 'event') console.log(`${tiding.kind}: read again what you keep`)
  else tell(`${tiding.event.event} at ${tiding.id}`, await verifyEvent(market, tiding.event, chain))
  if (--left === 0) break
}

/** The client's fetch, with every answer held against the chain on its way. */
async function fetchAndVerify(request: Request): Promise<Response> {
  const response = await fetch(request)
  const answer = await response.clone().json()
  tell(new URL(request.url).pathname, await verifyAnswer(request.url, answer, chain))
  return response
}

function tell(what: string, { equal, block, differences }: Verdict): void {
  console.log(`${equal ? 'equal' : 'DIFFERENT'}: ${what}, block ${block.number}`)
  for (const each of differences) console.log(`  ${JSON.stringify(each)}`)
  if (!equal) process.exitCode = 1
}
