// Trusts no API: reads the micro market with the typed client, follows its events, and compares every response and every event
// with the chain. Ends with Ctrl-C, or after the number of events in its argument. The exit code is 1 if anything differed.
import { apiEndpoints, createClient, followEvents } from '@svc/client'
import { type Verdict, verifyAnswer, verifyEvent } from '@svc/reads'
import { openStack } from './stack.ts'

const market = 'micro'
const { apiUrl: baseUrl, ...chain } = await openStack()
const api = createClient(apiEndpoints, { baseUrl, fetch: fetchAndVerify })
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())

const { body } = await api.listOpenTasks({ market, limit: 10 })
for (const { id } of body.tasks) await api.getTask({ id })
const { meta } = (await api.listEvents({ market, limit: 10 })).body
let left = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)
for await (const message of followEvents({ baseUrl, market, after: meta.nextCursor ?? '0:0', signal: stop.signal })) {
  if (message.kind !== 'event') console.log(`${message.kind}: read again what you keep`)
  else tell(`${message.event.event} at ${message.id}`, await verifyEvent(market, message.event, chain))
  if (--left === 0) break
}

/** A fetch for the client that compares every response with the chain. */
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
