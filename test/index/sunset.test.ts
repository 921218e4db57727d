import { getTaskContext } from '@svc/chain'
import {
  accounts,
  advanceTimeTo,
  createScene,
  executeAsOwner,
  getChainTime,
  sendApprovals,
  sendCall,
  sendPost,
  sendTokens,
  sendTopUp,
} from '@svc/devnet'
import { loadServedCursors } from '@svc/index'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { listBlockedActions, listNextSteps } from '@svc/protocol/actions'
import { parseEntity } from '@svc/protocol/internal/fold'
import { sunsetNotice, timelockDelay } from '@svc/protocol/internal/money'
import { listTasksAsText } from '@svc/reads'
import { encodeFunctionData, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'

const { ada: poster, emeka: worker } = accounts
let world: IndexedWorld
beforeAll(async () => {
  world = await startIndexedWorld({
    fill: async (client, deployments) => {
      const scene = createScene(client, deployments, 'standard')
      for (const party of [poster, worker]) {
        await sendTokens(client, deployments, party.address, { tok: parseEther('100000'), usdc: 1_000_000_000n })
        await sendApprovals(scene, party)
        await sendTopUp(scene, party, 200_000_000n)
      }
      return []
    },
  })
})
afterAll(() => world?.stop())

test('open tasks can be claimed until entries end, and none from then on, over index and chain', async () => {
  const { devnet, direct, indexed, providers, reachedHead, sql } = world
  const { client, deployments } = devnet
  const scene = createScene(client, deployments, 'standard')
  const registry = { address: scene.contracts.taskRegistry, abi: taskRegistryAbi } as const
  const endsAt = (await getChainTime(client)) + timelockDelay + sunsetNotice + 3_600
  const data = encodeFunctionData({ abi: taskRegistryAbi, functionName: 'sunset', args: [BigInt(endsAt)] })
  await executeAsOwner(client, deployments, [{ to: registry.address, data }])
  await advanceTimeTo(client, endsAt - 60)
  const { id } = await sendPost(scene, {
    poster,
    text: 'Count the birds\n\nAll of them.',
    amounts: [parseEther('100')],
    duration: 86_400,
  })

  const look = async () => {
    await reachedHead()
    const { timestamp, ...block } = await client.getBlock()
    const now = Number(timestamp)
    const lists = await Promise.all([indexed, direct].map((reader) => reader.listOpen('standard', { limit: 10 })))
    const texts = await Promise.all(
      [indexed, direct].map((reader) =>
        listTasksAsText(reader, 'standard', { of: 'recent' }, { limit: 10 }, scene.contracts.taskRegistry),
      ),
    )
    expect(texts[0]?.text).toBe(texts[1]?.text)
    const at = { number: block.number, hash: block.hash, timestamp: now }
    const context = await providers.read((provider) =>
      getTaskContext(provider, scene.contracts, { market: 'standard', number: id }, [worker.address], at),
    )
    if (!context) throw new Error('The task is not found.')
    return {
      open: lists.map(({ tasks }) => tasks.map(({ number }) => number)),
      phase: texts[0]?.text.match(/"phase":"(\w+)"/)?.[1],
      steps: listNextSteps(context, worker.address, now).map(({ action }) => action.name),
      blocked: listBlockedActions(context, worker.address, now).filter(({ action }) => action.name === 'claim-task')[0]
        ?.rule,
      ended: (await loadServedCursors(sql)).get('standard')?.entriesEnded,
    }
  }
  const open = { open: [[id], [id]], phase: 'OPEN_FOR_CLAIM', steps: ['claim-task'], blocked: undefined, ended: false }
  const rule = 'entries are not paused and have not ended'
  const closed = { open: [[], []], phase: 'CLAIM_CLOSED', steps: [], blocked: rule }
  expect(await look()).toEqual(open)

  // A pause before the end is still only a pause.
  await sendCall(client, accounts.guardian, { ...registry, functionName: 'pauseEntries', args: [] })
  expect(await look()).toEqual({ ...closed, ended: false })
  await sendCall(client, accounts.guardian, { ...registry, functionName: 'unpauseEntries', args: [] })
  expect(await look()).toEqual(open)

  await advanceTimeTo(client, endsAt)
  expect(await look()).toEqual({ ...closed, ended: true })
  expect((await loadServedCursors(sql)).get('micro')?.entriesEnded).toBe(false)
  const [row] = await sql<{ state: string }[]>`
    select state from market.entity where market = 0 and kind = 'entries' and key = ''`
  expect(parseEntity(row?.state ?? '{}')).toEqual({ paused: false, sunsetAt: endsAt })
})
