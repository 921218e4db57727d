// What services other than the chain know in these checks: profiles that wallets signed, and comparisons of the index.
import { accounts } from '@svc/devnet'
import { type Comparison, createConnector, getSchemaName, marketNumber, saveComparison } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { keccak256, toHex } from 'viem'
import { build, type IndexedWorld } from '../harness/indexed.ts'
import { publishProfile } from '../harness/publishProfile.ts'
import type { JsonObject } from './call.ts'

/** Publishes the profiles of three wallets with different scores. */
export async function publishProfiles(world: IndexedWorld, domain: string): Promise<JsonObject[]> {
  const drafts = [
    {
      account: accounts.emeka,
      content: {
        displayName: 'Emeka',
        skills: ['translation', 'maps'],
        languages: ['pt-BR'],
        links: [{ label: 'Work', url: 'https://emeka.example' }],
        contact: 'emeka@example.org',
        offerings: [
          {
            title: 'A page',
            priceTokWei: '40500000000000000000',
            turnaroundHours: 48,
            inputSchema: { type: 'string' },
          },
        ],
      },
    },
    { account: accounts.farah, content: { displayName: 'Farah', about: 'Counts birds.', skills: ['translation'] } },
    { account: accounts.goran, content: { displayName: 'Goran', skills: ['cooking'] } },
  ]
  return Promise.all(
    drafts.map(async ({ account, content }) => ({ ...(await publishProfile(world, account, content, domain)) })),
  )
}

/** Saves comparisons of the index with the contracts, as the indexer does. Only that of the standard market has no difference. */
export async function saveComparisons({ database }: IndexedWorld): Promise<Record<Market, Comparison>> {
  const describe = (seed: number, differences: Comparison['differences']): Comparison => ({
    at: {
      number: BigInt(40 + seed),
      hash: keccak256(toHex(seed)),
      timestamp: 1_790_000_000 + seed,
      digest: keccak256(toHex(seed + 1)),
    },
    made: 1_790_000_100 + seed,
    compared: 20 + seed,
    total: BigInt(9_000 + seed),
    walk: { at: { task: '', agent: '', arbitrator: '' }, passed: 10 + seed, of: 80 + seed, rounds: 1 + seed },
    differences,
  })
  const comparisons = {
    standard: describe(1, []),
    micro: describe(2, [
      { row: 'task v2:micro:3', parts: ['state', 'funded'] },
      { row: 'union', parts: [] },
    ]),
  }
  const sql = createConnector(database.url)(getSchemaName(build))
  for (const market of markets) await saveComparison(sql, marketNumber(market), comparisons[market])
  await sql.end()
  return comparisons
}
