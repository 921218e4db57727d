import { parseEntity } from '@svc/protocol/internal/fold'
import { lowDeposit } from '@svc/protocol/internal/notifications'
import type { AgentRecord } from '@svc/protocol/records'
import type { TransactionSql } from 'postgres'
import { type Address, getAddress } from 'viem'

export interface LowDeposit {
  wallet: Address
  deposit: bigint
}

/**
 * Finds wallets of these tasks whose deposit has become low, once until it is high enough again. A wallet that never had a deposit
 * has no record.
 */
export async function findLowDeposits(
  step: TransactionSql,
  market: number,
  tasks: readonly bigint[],
): Promise<readonly LowDeposit[]> {
  if (tasks.length === 0) return []
  const rows = await step<{ state: string }[]>`
    select a.state from market.agent a where a.market = ${market} and a.key in (
      select unnest(array[t.poster, t.worker]) from market.task t
      where t.market = ${market} and t.key = any(${`{${tasks.join(',')}}`}::bigint[]))`
  const agents = rows.map(({ state }) => parseEntity(state) as AgentRecord)
  const [low, high] = [agents.filter(isLow), agents.filter((agent) => !isLow(agent))]
  const toList = (list: readonly AgentRecord[]) => JSON.stringify(list.map(({ address }) => getAddress(address)))
  await step`delete from notify.low_deposit where market = ${market}
    and wallet in (select jsonb_array_elements_text(${toList(high)}::text::jsonb))`
  const added = await step<{ wallet: string }[]>`
    insert into notify.low_deposit (market, wallet)
    select ${market}, wallet from jsonb_array_elements_text(${toList(low)}::text::jsonb) as w (wallet)
    on conflict do nothing returning wallet`
  const isNew = new Set(added.map(({ wallet }) => wallet))
  return low
    .map(({ address, deposit }) => ({ wallet: getAddress(address), deposit }))
    .filter(({ wallet }) => isNew.has(wallet))
}

const isLow = ({ deposit }: AgentRecord) => deposit < lowDeposit
