// The follower and the job queue of the notifier as a process that can be killed. Messages go out as plain HTTP requests: the channels
// have tests of their own. Arguments: the URL of the database, the URL of the receiver, the final court.
import postgres from 'postgres'
import { getAddress } from 'viem'
import { createDeliver } from '../../apps/notifier/src/deliver.ts'
import { runJobs } from '../../apps/notifier/src/jobs.ts'
import { runFollowerLoop } from '../../apps/notifier/src/runFollower.ts'

const [url = '', receiver = '', finalCourt = ''] = process.argv.slice(2)
const sql = postgres(url, { fetch_types: false, onnotice: () => {}, max: 6, connect_timeout: 5, backoff: () => 0.1 })
const stopping = new AbortController().signal
await Promise.all([
  runFollowerLoop({
    sql,
    finalCourt: getAddress(finalCourt),
    siteUrl: 'https://market.example',
    since: 0n,
    pollMs: 200,
    stopping,
    onWritten: () => {},
    onFollowed: () => {},
    onError: () => {},
  }),
  runJobs({
    url,
    sql,
    concurrency: 4,
    stopping,
    beatMs: 300,
    deadAfterMs: 2_500,
    onError: () => {},
    deliver: createDeliver({
      sql,
      firstDelayMs: 100,
      maxDelayMs: 1_000,
      sendMs: 1_500,
      send: async (_, message, signal) => {
        const response = await fetch(receiver, { method: 'POST', body: JSON.stringify(message), signal })
        await response.body?.cancel()
        return response.ok ? { result: 'sent' } : { result: 'retry', reason: `Status ${response.status}.` }
      },
    }),
  }),
])
