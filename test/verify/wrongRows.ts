import { accounts, type Person } from '@svc/devnet'
import type { Market } from '@svc/protocol'

/** A row in the demo world's index that differs from the chain. `{n}` is the number of the scenario's task. */
export interface WrongRow {
  what: string
  market: Market
  scenario: string
  table: 'task' | 'agent' | 'arbitrator' | 'entity'
  where: string
  /** What is set in it; null deletes the row. */
  change: string | null
  /** The difference as it is published. */
  row: string
  parts: readonly string[]
  /** A read that uses this row, or rows beside it. */
  path: string
}

const state = (path: string, value: string) => `state = jsonb_set(state::jsonb, '{${path}}', '${value}')`

function ofTask(market: Market, what: string, change: string | null, parts: string[], scenario = 'open'): WrongRow {
  const path = `/api/market/task?id=v2:${market}:{n}`
  return {
    what,
    market,
    scenario,
    table: 'task',
    where: 'key = {n}',
    change,
    row: `task v2:${market}:{n}`,
    parts,
    path,
  }
}

function ofDispute(market: Market, what: string, scenario: string, change: string | null, parts: string[]): WrongRow {
  const where = `kind = 'dispute' and key = '{n}'`
  return { ...ofTask(market, what, change, parts, scenario), table: 'entity', where, row: `dispute v2:${market}:{n}` }
}

function ofWallet(
  market: Market,
  kind: 'agent' | 'arbitrator' | 'ledger',
  person: Person,
  what: string,
  change: string | null,
  parts: string[],
): WrongRow {
  const { address } = accounts[person]
  const where =
    kind === 'ledger' ? `kind = 'ledger' and key = '${address}'` : `key = decode('${address.slice(2)}', 'hex')`
  const table = kind === 'ledger' ? 'entity' : kind
  const path = {
    agent: `/api/profiles?market=${market}&addresses=${address}`,
    arbitrator: `/api/wallet/inbox?market=${market}&address=${address}`,
    ledger: `/api/get-market-ledger?market=${market}&address=${address}`,
  }[kind]
  return { what, market, scenario: 'open', table, where, change, row: `${kind} ${address}`, parts, path }
}

function ofUnion(market: Market, what: string, change: string | null, parts: string[]): WrongRow {
  const path = `/api/union/overview?market=${market}`
  return { what, market, scenario: 'open', table: 'entity', where: `kind = 'union'`, change, row: 'union', parts, path }
}

/** Changed values, changed columns and deleted rows, for every kind of row. Each path is read once, because answers are cached for a block. */
export const wrongRows: readonly WrongRow[] = [
  ofTask('standard', 'a field of a task', state('maxRevisions', '77'), ['maxRevisions', 'terms']),
  ofTask('micro', 'the JSON of a task', `json = replace(json, '"ruled":', '"ruled": ')`, ['column json']),
  ofTask('micro', "the hash of a task's text", state('criteriaHash', `"0x${'ab'.repeat(32)}"`), ['terms'], 'working'),
  ofTask('micro', 'what is no hash at all', state('criteriaHash', '"?"'), ['terms'], 'completed'),
  { ...ofTask('micro', 'the loss of the last task', null, [], 'last'), path: '/api/market/recent?market=micro' },
  ofTask('standard', 'when claims end', 'phase_end = phase_end + 1', ['column phase_end'], 'openUnfunded'),
  ofTask(
    'standard',
    'what a task reserves of its poster',
    state('posterReserve', '"7n"'),
    ['posterReserve'],
    'permitOnly',
  ),
  ofTask('standard', 'whether a task waits for a worker', 'posted = not posted', ['column posted'], 'working'),
  ofDispute('standard', 'a field of a dispute', 'disputeRuled', state('workerBps', '1'), ['workerBps']),
  ofDispute('micro', 'the judge of a dispute', 'disputeEvidence', state('judge', 'null'), ['judge']),
  ofDispute('micro', 'the loss of a dispute', 'resolvedByCourt', null, []),
  ofWallet('standard', 'agent', 'emeka', 'a field of a worker', state('earned', '"7n"'), ['earned']),
  ofWallet('micro', 'agent', 'ada', "a poster's score", 'score = score + 1', ['column score']),
  ofWallet('micro', 'agent', 'emeka', "a worker's rank", 'ranked = not ranked', ['column ranked']),
  ofWallet('micro', 'agent', 'lena', 'the stake of who has no task', state('staked', '"7n"'), ['staked']),
  ofWallet('standard', 'arbitrator', 'jun', 'a field of an arbitrator', state('resolved', '77'), ['resolved']),
  ofWallet('micro', 'arbitrator', 'olga', "an arbitrator's bond", 'bond = bond + 1', ['column bond']),
  ofWallet('standard', 'ledger', 'ada', "a poster's ledger", state('buyer,released', '"7n"'), ['buyer']),
  ofWallet('micro', 'ledger', 'emeka', "a worker's ledger", state('worker,taskCount', '77'), ['worker']),
  ofWallet('micro', 'ledger', 'bruno', 'the loss of a ledger', null, ['buyer']),
  ofUnion('standard', 'the stake in the Union', state('totalStaked', '"7n"'), ['totalStaked']),
  ofUnion('micro', "the Union's clock", state('accruedAt', '1'), ['totalCreditsIssued', 'creditsRemaining']),
]
