import type { Market } from '@svc/protocol'
import { depositVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import type { PreparedJson } from '@svc/protocol/http'
import { type Address, erc20Abi, type Hex, parseEventLogs } from 'viem'
import type { Random } from '../sim/random.ts'
import { type Call, posted } from './call.ts'
import type { Deed } from './choose.ts'
import type { Crew } from './crew.ts'
import type { Life } from './life.ts'
import type { PlannedChain, Signed } from './plannedChain.ts'
import { type Kept, nameOf, type SurfaceName, type Surfaces } from './surfaces.ts'
import type { Tally } from './tally.ts'

export interface CarryOutOptions {
  chain: PlannedChain
  crew: Crew
  surfaces: Surfaces
  call: Call
  tally: Tally
  random: Random
  /** For what need not be done before the next block. */
  background: (work: Promise<void>) => void
}

/** Has deeds prepared by some surface each, signs and mines them in one block, and holds what happened against what was promised. */
export type CarryOut = (deeds: readonly Deed[], questions?: readonly (() => Promise<void>)[]) => Promise<void>

/** A deed that is prepared. */
interface Ready {
  deed: Deed
  prepared: PreparedJson
  kept: Kept | null
}

/** How often each surface prepares. */
const mix: readonly SurfaceName[] = [
  'api',
  'api',
  'api',
  'api',
  'gateway',
  'gateway',
  'gateway',
  'svc-prepare',
  'direct',
]

export function createCarryOut(options: CarryOutOptions): CarryOut {
  const { chain, crew, surfaces, call, tally, random, background } = options

  const prepare = async (deed: Deed, name: SurfaceName): Promise<Ready> => {
    const known = surfaces.kept.length
    const prepared = await surfaces.prepare(name, deed)
    const kept =
      name === 'gateway' ? (surfaces.kept.slice(known).findLast(({ from }) => from === deed.by.address) ?? null) : null
    tally.count('deeds', deed.action.name)
    tally.count('prepared by', name)
    const { simulation } = prepared
    if (simulation.status !== 'succeeds') {
      tally.fault(
        `The tables allow ${nameOf(deed)} by ${deed.by.address}, but the chain says ${JSON.stringify(simulation)}`,
      )
    }
    return { deed, prepared, kept }
  }

  /** What a wallet has, by the names that a simulation has for it. */
  const wealth = async ({ by, life, input }: Deed) => {
    const market = (life?.market ?? input.market) as Market
    const { shared, markets: places } = chain.deployments
    const { depositVault } = places[market]
    const [tok, usdc, deposit, free] = await chain.client.multicall({
      allowFailure: false,
      contracts: [
        { address: shared.tokToken, abi: erc20Abi, functionName: 'balanceOf', args: [by.address] },
        { address: shared.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [by.address] },
        { address: depositVault, abi: depositVaultAbi, functionName: 'balanceOf', args: [by.address] },
        { address: depositVault, abi: depositVaultAbi, functionName: 'freeOf', args: [by.address] },
      ],
    })
    return { 'TOK in the wallet': tok, 'USDC in the wallet': usdc, deposit, 'deposit not reserved': free }
  }

  /** Holds what happened against what was promised, and tells those who must know. */
  const note = async (
    ready: readonly Ready[],
    signed: readonly Signed[],
    before: readonly Record<string, bigint>[],
  ) => {
    let at = 0
    for (const [index, { deed, prepared, kept }] of ready.entries()) {
      at += prepared.calls.length
      const hash = signed[at - 1]?.hash ?? '0x'
      const receipt = await chain.client.getTransactionReceipt({ hash })
      if (receipt.status !== 'success')
        tally.fault(`${nameOf(deed)} by ${deed.by.address} failed in block ${receipt.blockNumber}.`)
      const { life } = deed
      if (life && life.number === null && receipt.status === 'success') life.number = numberIn(receipt.logs as never)
      const after = await wealth(deed)
      for (const [what, amount] of Object.entries(after)) {
        const change =
          prepared.simulation.status === 'succeeds'
            ? prepared.simulation.changes.find((each) => each.what === what)
            : null
        const promised = change ? BigInt(change.after) : before[index]?.[what]
        tally.count('promises', 'held')
        if (promised !== amount)
          tally.fault(`${nameOf(deed)}: ${what} was promised to be ${promised} and is ${amount}.`)
      }
      if (kept) background(surfaces.submitted(kept, hash))
      if (deed.action.name === 'buy-plan') background(upgrade(deed, hash))
      if (deed.action.name === 'post-task' && life?.number && random.chance(0.7)) background(record(life, hash))
    }
  }

  /** Records a post, as a client does after it was mined. */
  const record = async ({ market, number, poster, terms }: Life, txHash: Hex) => {
    const total = terms.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
    const body = {
      address: poster.address,
      taskId: `v2:${market}:${number}`,
      txHash,
      taskAmountTok: String(total),
      market,
    }
    const urls = crew.apiUrls.map((url) => `${url}/api/posting/record`)
    // A reorganisation may take it off the chain meanwhile: then it is never found.
    await call.until('api', urls, posted(body), ({ status }) => [200, 409, 422].includes(status))
  }

  /** Has a plan applied that was paid for. */
  const upgrade = async ({ input }: Deed, txHash: Hex) => {
    const { beneficiary: address, tier, payWith, market } = input
    const urls = crew.apiUrls.map((url) => `${url}/api/posting/upgrade`)
    const body = posted({ address, tier, payWith, market, txHash })
    await call.until('api', urls, body, ({ status }) => [200, 409, 422].includes(status))
  }

  return async (deeds, questions = []) => {
    const surfacesOf = deeds.map(() => random.pick(mix))
    const asked = Promise.all(questions.map((ask) => ask()))
    const ready = await Promise.all(deeds.map((deed, index) => prepare(deed, surfacesOf[index] ?? 'api')))
    await asked
    const before = await Promise.all(ready.map(({ deed }) => wealth(deed)))
    const drafts = ready.flatMap(({ deed, prepared }) =>
      prepared.calls.map(({ to, data }) => ({ by: deed.by, to: to as Address, data: data as Hex })),
    )
    await note(ready, await chain.mine(drafts), before)
  }
}

function numberIn(logs: never): bigint | null {
  const [log] = parseEventLogs({ abi: taskRegistryAbi, eventName: ['TaskPosted', 'TaskCreated'], logs })
  return log?.args.taskId ?? null
}
