import { type InboxFacts, maxInboxTasks } from '@svc/chain'
import { arbitrationAbi } from '@svc/protocol/abis'
import { createArbitratorRecord, type FoldedTask, parseEntity } from '@svc/protocol/internal/fold'
import type { ArbitratorRecord, DisputeRecord } from '@svc/protocol/records'
import type { Fragment, Sql } from 'postgres'
import { type Address, getAbiItem, getAddress, type Hex, pad, toEventSelector } from 'viem'
import { toBytes } from './cursor.ts'
import { contractNumber } from './events.ts'
import { toPublicTask } from './publicRecords.ts'
import { formatLimit } from './sql.ts'

/** A task of the wallet in one role; a task can have several rows. All but the arbitrator are null if there is no task. */
export interface InboxRow {
  arbitrator: string | null
  /** The place of the task among those of the role, from 1. */
  place: string | null
  key: string | null
  state: string | null
  dispute: string | null
  /** The published text, ABI-encoded, in hex. */
  text: string | null
}

/** Builds the query of an inbox at the cursor `c`: a range scan of an index for each role, then the rows of those tasks. */
export function buildInboxQuery(sql: Sql, wallet: Address, isCourt: boolean, textTopic: Hex): Fragment {
  const key = toBytes(wallet)
  const word = toBytes(pad(wallet))
  const limit = sql.unsafe(formatLimit(maxInboxTasks))
  const ofTasks = (column: 'poster' | 'worker') => sql`(
    select row_number() over (order by key desc) as place, key from market.task
    where market = c.market and ${sql.unsafe(column)} = ${key} order by key desc ${limit})`
  // The selector is part of the text: with a parameter, Postgres could not tell that the partial index applies.
  const ofCases = (name: CaseEvent, where: Fragment) => sql`(
    select row_number() over (order by block desc, log_index desc) as place, task as key from market.event
    where market = c.market and substring(topics for 32) = ${sql.unsafe(`'\\x${select(name).slice(2)}'`)} ${where}
      and contract = ${contractNumber('arbitration')} order by block desc, log_index desc ${limit})`
  const court = isCourt ? sql`union all ${ofCases('CourtCalled', sql``)}` : sql``
  return sql`select a.state as arbitrator, r.* from (select) one
    left join lateral (select state from market.arbitrator where market = c.market and key = ${key}) a on true
    left join lateral (
      select own.place, t.key, t.state,
        (select d.state from market.entity d where d.market = c.market and d.kind = 'dispute' and d.key = t.key::text) as dispute,
        (select encode(e.data, 'hex') from market.event e where e.market = c.market and e.task = t.key
          and e.contract = ${contractNumber('taskScopeRegistry')} and substring(e.topics for 32) = ${toBytes(textTopic)}
          order by e.block limit 1) as text
      from (${ofTasks('poster')} union all ${ofTasks('worker')}
        union all ${ofCases('JudgeSeated', sql`and substring(topics from 65 for 32) = ${word}`)}
        union all ${ofCases('ArbitratorProposed', sql`and substring(topics from 97 for 32) = ${word}`)}
        union all ${ofCases('CaseOpened', sql`and facts ->> 'named' = ${getAddress(wallet)}`)} ${court}) own
      join market.task t on t.market = c.market and t.key = own.key) r on true`
}

/** Converts the rows of an inbox. The first task beyond the limit only tells that there are more. */
export function toInboxFacts(
  rows: readonly InboxRow[],
  wallet: Address,
  decodeText: (data: string) => string,
): InboxFacts {
  const [first] = rows
  const shown = rows.filter(({ place }) => Number(place) <= maxInboxTasks)
  const tasks = new Map(
    shown.flatMap(({ key, state, dispute, text }) => {
      if (key === null || state === null) return []
      const task = parseEntity(state) as FoldedTask
      const entry = {
        task: toPublicTask(task),
        dispute: dispute === null ? null : (parseEntity(dispute) as DisputeRecord),
        text: text === null || task.scope !== 'OPEN' ? null : decodeText(text),
      }
      return [[BigInt(key), entry] as const]
    }),
  )
  return {
    tasks: [...tasks.values()].toSorted((a, b) => (a.task.number < b.task.number ? 1 : -1)),
    arbitrator: first?.arbitrator
      ? (parseEntity(first.arbitrator) as ArbitratorRecord)
      : createArbitratorRecord(getAddress(wallet)),
    truncated: shown.length < rows.length,
  }
}

type CaseEvent = 'JudgeSeated' | 'ArbitratorProposed' | 'CaseOpened' | 'CourtCalled'
const select = (name: CaseEvent) => toEventSelector(getAbiItem({ abi: arbitrationAbi, name }))
