// The reads that only pages need: excerpts, prices, records of many wallets, and inboxes.
import { accounts, listPeople, refreshPrice } from '@svc/devnet'
import { pricingPolicyAbi } from '@svc/protocol/abis'
import { computeReputationScore } from '@svc/protocol/records'
import { encodeFunctionData, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { startServedWorld } from '../harness/served.ts'
import { startForTests } from '../harness/startForTests.ts'
import { getChecked } from './getChecked.ts'

const served = startForTests(startServedWorld, 'stop')

const get = (url: string) => getChecked(served.service, url)

test('titles come with the first words of the criteria, for open tasks only', async () => {
  const { tasks } = await served.world.direct.listRecent('micro', { limit: 50 })
  const ids = tasks.map(({ number }) => `v2:micro:${number}`)
  const { body } = await get(`/api/market/texts?ids=${ids.join(',')}`)
  const open = tasks.filter(({ scope }) => scope === 'OPEN').map(({ number }) => `v2:micro:${number}`)
  expect(open.length).toBeLessThan(ids.length)
  expect(body.titles.map(({ id }: { id: string }) => id)).toEqual(open)
  for (const { id, excerpt } of body.titles) {
    const { body: whole } = await get(`/api/market/task?id=${id}`)
    const line = whole.task.text.criteria.replaceAll(/\s+/g, ' ').trim()
    expect(excerpt.length).toBeLessThanOrEqual(200)
    expect(line.startsWith(excerpt.replace(/…$/, ''))).toBe(true)
    if (line.length <= 200) expect(excerpt).toBe(line)
  }
})

test('the record of a wallet is the one on the chain, and zeros for a stranger', async () => {
  const wallets = [...listPeople('poster'), ...listPeople('worker')].map((person) => accounts[person].address)
  const stranger = '0x00000000000000000000000000000000000000AA'
  const { body } = await get(`/api/profiles?market=micro&addresses=${[...wallets, stranger].join(',').toLowerCase()}`)
  const { agents } = await served.world.direct.getAgents('micro', [...wallets, stranger])
  expect(agents.some(({ completedAsWorker }) => completedAsWorker > 0)).toBe(true)
  expect(body.profiles).toEqual(
    agents.map((agent) => ({
      address: agent.address,
      score: computeReputationScore(agent),
      completed: agent.completedAsPoster + agent.completedAsWorker,
      completedAsPoster: agent.completedAsPoster,
      completedAsWorker: agent.completedAsWorker,
      distinctCounterparties: agent.distinctCounterparties,
      disputesWon: agent.disputesWon,
      disputesLost: agent.disputesLost,
      leaves: agent.leaves,
      dismissals: agent.dismissals,
      lapses: agent.lapses,
      earnedTokWei: String(agent.earned),
      paidTokWei: String(agent.paid),
    })),
  )
  expect(body.profiles.at(-1)).toMatchObject({ score: 0, completed: 0, earnedTokWei: '0', paidTokWei: '0' })
})

interface Entry {
  taskId: string
  role: string
  title: string | null
  actions: { action: string; until: number | null }[]
  urgent: number | null
  duty: boolean
}

/** Everything that waits for anyone in the micro market, by scenario. */
async function readInboxes() {
  const scenarios = new Map(
    served.world.demoTasks
      .filter(({ market }) => market === 'micro')
      .map(({ taskId, scenario }) => [`v2:micro:${taskId}`, scenario.name]),
  )
  const found: (Entry & { scenario: string | undefined })[] = []
  for (const { address } of Object.values(accounts)) {
    const { status, body } = await get(`/api/wallet/inbox?market=micro&address=${address}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ address, truncated: false })
    const deadlines = body.entries.map(({ urgent }: Entry) => urgent ?? Number.POSITIVE_INFINITY)
    expect(deadlines).toEqual(deadlines.toSorted((a: number, b: number) => a - b))
    found.push(...body.entries.map((entry: Entry) => ({ ...entry, scenario: scenarios.get(entry.taskId) })))
  }
  return found
}

test('an inbox has what waits for a wallet in every role, and says what is a duty', async () => {
  const entries = await readInboxes()
  const find = (scenario: string, role: string) =>
    entries.find((entry) => entry.scenario === scenario && entry.role === role)
  const waiting = (action: string, duty: boolean) => ({
    duty,
    actions: expect.arrayContaining([expect.objectContaining({ action })]),
  })
  expect(find('working', 'worker')).toMatchObject(waiting('submit-proof', true))
  expect(find('inReview', 'poster')).toMatchObject(waiting('request-revision', true))
  expect(find('awaitingFunds', 'poster')).toMatchObject(waiting('fund-task', true))
  expect(find('readyToStart', 'poster')).toMatchObject(waiting('start-work', false))
  expect(find('reviewLapsed', 'worker')).toMatchObject(waiting('release-lapsed', false))
  expect(find('claimClosed', 'poster')).toMatchObject(waiting('expire-task', false))
  expect(find('disputeAppealed', 'court')).toMatchObject(waiting('decide-dispute', true))
  expect(entries.some(({ actions }) => actions.some(({ action }) => action === 'escalate'))).toBe(true)

  // Nothing waits where a wallet could only cancel or leave, where it would only harm itself, or where all is over.
  for (const [scenario, role] of [
    ['open', 'poster'],
    ['working', 'poster'],
    ['inReview', 'worker'],
    ['overdue', 'worker'],
    ['reviewLapsed', 'poster'],
    ['completed', 'poster'],
  ] as const)
    expect(find(scenario, role), `${scenario}, ${role}`).toBeUndefined()
  expect(entries.find(({ scenario }) => scenario === 'privateWorking')?.title).toBeNull()
  expect(find('working', 'worker')?.title).toEqual(expect.any(String))
})

test('a judge sees its case at once, and that the court takes it if a party said nothing until the evidence closed', async () => {
  const { client } = served.world.devnet
  const snapshot = await client.snapshot()
  const { taskId } = served.world.demoTasks.find(
    ({ market, scenario }) => market === 'micro' && scenario.name === 'disputeEvidence',
  ) ?? { taskId: 0n }
  const { detail } = await served.world.direct.getTask('micro', taskId)
  const { judge, evidenceEnd, rulingEnd } = detail?.dispute ?? { judge: null, evidenceEnd: 0, rulingEnd: 0 }
  const url = `/api/wallet/inbox?market=micro&address=${judge}`
  const find = async () => (await get(url)).body.entries.find((entry: Entry) => entry.taskId === `v2:micro:${taskId}`)
  const giveBack = { action: 'step-down', until: rulingEnd }
  expect(await find()).toMatchObject({ role: 'judge', duty: true, urgent: rulingEnd, actions: [giveBack] })
  await client.setNextBlockTimestamp({ timestamp: BigInt(evidenceEnd + 1) })
  await client.mine({ blocks: 1 })
  await served.service.caughtUp()
  expect(await find()).toMatchObject({
    role: 'judge',
    duty: true,
    urgent: rulingEnd,
    actions: [giveBack, { action: 'resolve-timed-out', until: null }],
  })
  await client.revert({ id: snapshot })
  await client.mine({ blocks: 3 })
  await served.service.caughtUp()
})

test.each([
  ['/api/wallet/inbox?address=0x12', 'INVALID_ADDRESS'],
  ['/api/profiles?market=micro', 'INVALID_REQUEST'],
  ['/api/profiles?addresses=', 'INVALID_ADDRESS'],
  ['/api/profiles?addresses=0x12', 'INVALID_ADDRESS'],
  ['/api/price/tok?market=big', 'INVALID_MARKET'],
])('GET %s is refused with %s', async (url, code) => {
  expect(await get(url)).toMatchObject({ status: 400, body: { code } })
})

test('GET /api/profiles refuses more than 50 wallets', async () => {
  const addresses = (count: number) => `/api/profiles?addresses=${Array.from({ length: count }, () => zeroAddress)}`
  expect(await get(addresses(50))).toMatchObject({ status: 200 })
  expect(await get(addresses(51))).toMatchObject({ status: 400, body: { code: 'INVALID_ADDRESS' } })
})

test('the price of TOK is the one of the oracle; without one the answer says why', async () => {
  const { client, deployments } = served.world.devnet
  const snapshot = await client.snapshot()
  const { timestamp } = await client.getBlock()
  const refreshedAt = Number(timestamp)
  await refreshPrice(client, accounts.ada)
  const url = '/api/price/tok?market=micro'
  const ask = async () => {
    // An answer from the chain is reused for a second.
    const { number } = await client.getBlock()
    return (await get(`${url}&minBlock=${number}`)).body
  }
  await served.service.caughtUp()
  expect(await ask()).toMatchObject({
    market: 'micro',
    usdPerTok: '0.0025',
    updatedAt: refreshedAt,
    missing: null,
    meta: { path: 'chain' },
  })

  await client.increaseTime({ seconds: 30 * 24 * 60 * 60 })
  await client.mine({ blocks: 1 })
  await served.service.caughtUp()
  expect(await ask()).toMatchObject({ usdPerTok: null, updatedAt: null, missing: 'TOO_OLD' })

  // An oracle that is not even a contract.
  const setOracle = async (oracle: `0x${string}`) => {
    const { pricingPolicy, timelock } = deployments.shared
    await client.impersonateAccount({ address: timelock })
    await client.setBalance({ address: timelock, value: 10n ** 18n })
    const data = encodeFunctionData({ abi: pricingPolicyAbi, functionName: 'setUsdOracle', args: [oracle] })
    await client.sendTransactionSync({ account: timelock, to: pricingPolicy, data })
    await served.service.caughtUp()
  }
  await setOracle(accounts.ada.address)
  expect(await ask()).toMatchObject({ usdPerTok: null, missing: 'UNAVAILABLE' })
  await setOracle(zeroAddress)
  expect(await ask()).toMatchObject({ usdPerTok: null, missing: 'NO_ORACLE' })

  await client.revert({ id: snapshot })
  await client.mine({ blocks: 3 })
  await served.service.caughtUp()
})
