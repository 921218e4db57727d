import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Provider } from '@svc/chain'
import { accounts, type Devnet, sendTransaction, waitForReceipt } from '@svc/devnet'
import { type PreparedJson, preparedJson } from '@svc/operations'
import { baseSepolia } from '@svc/protocol'
import { tokTokenAbi } from '@svc/protocol/abis'
import { type Address, type Hex, parseEther } from 'viem'
import { deploySuite } from '../../apps/admin/src/deploy/deploySuite.ts'
import { killAllProcesses } from '../../chaos/shared/appProcess.ts'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { type Service, startService } from '../harness/service.ts'
import { type KeeperProcess, startKeeperProcess } from '../keeper/keeperProcess.ts'
import type { DrilledWallet } from './drillExits.ts'
import { type Governance, openGovernance } from './governance.ts'
import { type Deployed, sendAs } from './plantedDifferences.ts'
import { createState, startRehearsal } from './rehearsal.ts'

/** The testnet's suite as `svc-admin deploy` deploys it, with an index, an API, a keeper, and those who govern. */
export interface DrillWorld {
  deployed: Deployed
  devnet: Devnet
  provider: Provider
  world: IndexedWorld
  service: Service
  keeper: KeeperProcess
  governance: Governance
  wallet: DrilledWallet
  /** Runs something while the keeper rests: anvil can mix two blocks if one is mined during a read. */
  withoutKeeper: <T>(run: () => Promise<T>) => Promise<T>
  /** Asks the API to prepare an action, and returns its answer. */
  ask: (action: string, input: Record<string, unknown>, from: Address) => Promise<PreparedJson>
  stop: () => Promise<void>
}

/** Drills take months of the chain, which then are over. */
const span = 700 * 86_400

/** Starts it. The keeper acts only on tasks of these wallets. */
export async function startDrillWorld(kept: readonly Address[]): Promise<DrillWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'drills-'))
  const rehearsal = await startRehearsal(baseSepolia.id, Math.floor(Date.now() / 1_000) - span)
  const { plan, provider: client, signer } = rehearsal
  const state = createState(plan)
  const deployments = await deploySuite({ plan, client, signer, state, save: async () => {}, pollMs: 5 })
  const deployed: Deployed = { ...rehearsal, deployments }
  const devnet: Devnet = { ...rehearsal, deployments }
  // The steps of the devnet take TOK from an account, and the treasury here is a Safe.
  const supply = [accounts.treasury.address, parseEther('500000000')] as const
  await sendAs(deployed, plan.treasury, deployments.shared.tokToken, tokTokenAbi, 'transfer', supply)

  const world = await startIndexedWorld({ start: async () => ({ devnet, tasks: [], bundles: [] }), pauseMs: 150 })
  const service = await startService(world)
  const keeper = await startKeeperProcess({ devnet }, folder, 'keeper', {
    SVC_KEEPER_WALLETS: kept.join(),
    SVC_KEEPER_POLL_MS: '200',
  })
  const [provider] = world.providers.all
  if (!provider) throw new Error('No provider.')

  const ask = async (action: string, input: Record<string, unknown>, from: Address) => {
    const response = await service.app.request('/api/actions/prepare', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action, input, from }),
    })
    const body = await response.json()
    if (!response.ok) throw new Error(`${action} was not prepared: ${JSON.stringify(body)}`)
    return preparedJson.parse(body)
  }
  const wallet: DrilledWallet = {
    async prepare(action, input, from) {
      const { simulation, calls } = await ask(action.name, input, from)
      if (simulation.status !== 'succeeds') throw new Error(`${action.name} is hindered: ${JSON.stringify(simulation)}`)
      return calls.map(({ to, data }) => ({ to: to as Address, data: data as Hex }))
    },
    async send(from, calls) {
      const account = Object.values(accounts).find(({ address }) => address === from)
      for (const call of calls) {
        if (account) await sendTransaction(devnet.client, account, call)
        else await sendAsContract(devnet, from, call)
      }
    },
  }
  return {
    deployed,
    devnet,
    provider,
    world,
    service,
    keeper,
    governance: await openGovernance(deployed, folder),
    wallet,
    ask,
    async withoutKeeper(run) {
      keeper.current().kill('SIGSTOP')
      try {
        return await run()
      } finally {
        keeper.current().kill('SIGCONT')
      }
    },
    async stop() {
      await killAllProcesses()
      await service.stop()
      await world.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Sends a call as a Safe that governs. */
async function sendAsContract({ client }: Devnet, from: Address, call: { to: Address; data: Hex }): Promise<void> {
  await client.setBalance({ address: from, value: parseEther('1') })
  await client.impersonateAccount({ address: from })
  const hash = await client.sendTransaction({ account: from, gas: 5_000_000n, ...call })
  const { status } = await waitForReceipt(client, hash)
  // Not before: without its sender, a transaction may stay in the pool.
  await client.stopImpersonatingAccount({ address: from })
  if (status !== 'success') throw new Error(`${call.to} refused the call of ${from}.`)
}
