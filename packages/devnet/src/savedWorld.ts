import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { loadDeployments, saveDeployments } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { hexToBytes } from 'viem'
import { accounts } from './accounts.ts'
import { startAnvil } from './anvil.ts'
import { type Devnet, startDevnet } from './devnet.ts'
import { refreshPrice } from './mocks.ts'
import { listScenarios } from './scenarios.ts'
import { loadBundles, saveBundles } from './sealWork.ts'
import { advanceTimeTo } from './time.ts'
import { type BuiltWorld, buildWorld, type DemoTask, worldSpan } from './world.ts'

/** A local chain with the demo world on it. */
export interface World extends BuiltWorld {
  devnet: Devnet
}

/** Starts a chain and builds the demo world on it, up to now. */
export async function startWorld(): Promise<World> {
  const present = now()
  const devnet = await startDevnet({ genesisTime: present - worldSpan })
  try {
    return { devnet, ...(await buildWorld(devnet.client, devnet.deployments, present)) }
  } catch (error) {
    await devnet.stop()
    throw error
  }
}

/** Builds the demo world and saves it to a folder. */
export async function saveWorld(folder: string): Promise<void> {
  const { devnet, tasks, bundles } = await startWorld()
  try {
    // Anvil compresses its dumps, but loads only decompressed ones.
    await writeFile(getFile(folder, 'state'), gunzipSync(hexToBytes(await devnet.client.dumpState())))
    await saveDeployments(getFile(folder, 'deployments'), devnet.deployments)
    const saved = tasks.map(({ market, scenario, taskId }): SavedTask => [market, scenario.name, String(taskId)])
    await writeFile(getFile(folder, 'tasks'), JSON.stringify(saved))
    await saveBundles(getBundleFolder(folder), bundles)
  } finally {
    await devnet.stop()
  }
}

/**
 * Starts a separate chain from a saved world, which must be at most a few minutes old because its deadlines pass. It has the
 * blocks, logs and receipts of the saved chain, but no state of the blocks before the load.
 */
export async function startSavedWorld(folder: string): Promise<World> {
  const anvil = await startAnvil({ loadFrom: getFile(folder, 'state') })
  try {
    await advanceTimeTo(anvil.client, now())
    await refreshPrice(anvil.client, accounts.keeper)
    const deployments = await loadDeployments(getFile(folder, 'deployments'))
    const saved: SavedTask[] = JSON.parse(await readFile(getFile(folder, 'tasks'), 'utf8'))
    const bundles = await loadBundles(getBundleFolder(folder))
    return { devnet: { ...anvil, deployments }, tasks: saved.map(parseSavedTask), bundles }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

type SavedTask = [market: Market, scenario: string, taskId: string]

function parseSavedTask([market, name, taskId]: SavedTask): DemoTask {
  const scenario = listScenarios(market).find((each) => each.name === name)
  if (!scenario) throw new Error(`Unknown scenario ${name}.`)
  return { market, scenario, taskId: BigInt(taskId) }
}

const getFile = (folder: string, name: 'state' | 'deployments' | 'tasks') => join(folder, `${name}.json`)
const getBundleFolder = (folder: string) => join(folder, 'bundles')
const now = () => Math.floor(Date.now() / 1000)
