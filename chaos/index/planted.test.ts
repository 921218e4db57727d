import { getLogs } from '@svc/chain'
import { appendBatch, rollback } from '@svc/index'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { encodeEventTopics } from 'viem'
import { expect, test } from 'vitest'
import type { FollowOptions } from '../../apps/indexer/src/follow.ts'
import { decideNextStep } from '../../apps/indexer/src/nextStep.ts'
import { createTestDatabase } from '../../test/harness/postgres.ts'
import { runSeed } from './seed.ts'

const [delivered] = encodeEventTopics({ abi: taskRegistryAbi, eventName: 'MilestoneDelivered' })

/** Followers with a known defect. */
const planted: Record<string, NonNullable<FollowOptions['parts']>> = {
  'a forgotten event': {
    append: (sql, market, cursor, batch, cache) =>
      appendBatch(
        sql,
        market,
        cursor,
        { ...batch, logs: batch.logs.filter(({ topics }) => topics[0] !== delivered) },
        cache,
      ),
  },
  'a rollback that misses a task': {
    rollback: async (sql, market, cursor, to, cache, registry) => {
      const [missed] = await sql<{ key: string; state: string }[]>`
        select task.key, task.state from task join journal on journal.market = task.market
          and journal.kind = 'task' and journal.key = task.key::text and journal.before is not null
        where task.market = ${market} and journal.block > ${String(to)} and task.state <> journal.before limit 1`
      const back = await rollback(sql, market, cursor, to, cache, registry)
      if (missed) await sql`update task set state = ${missed.state} where market = ${market} and key = ${missed.key}`
      return back
    },
  },
  'a trusted empty answer': {
    nextStep: async (providers, cursor, options) => {
      const step = await decideNextStep(providers, cursor, options)
      const [first] = providers
      if (step.kind !== 'append' || !first) return step
      const [from, to] = [step.headers[0]?.number ?? 0n, step.headers.at(-1)?.number ?? 0n]
      const logs = await getLogs(first.rpc, { address: options.addresses }, { from, to }).catch(() => [])
      return { ...step, logs: logs.filter(({ blockNumber }) => blockNumber >= from) }
    },
  },
}

test.each(Object.entries(planted))('notices %s', async (_, parts) => {
  for (let seed = 1; seed <= 8; seed++) {
    const database = await createTestDatabase()
    const report = await runSeed({ seed, url: database.url, parts })
    await database.drop()
    // A run that crashed has noticed nothing.
    if (report.halted || (report.mismatch && report.mismatch.what !== 'the run')) return
  }
  expect.unreachable('No seed noticed the defect.')
})
