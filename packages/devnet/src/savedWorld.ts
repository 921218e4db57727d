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
import { plotsOf } from './plots.ts'
import { warpTo } from './time.ts'
import { buildWorld, type Told, worldSpan } from './world.ts'

/** A local chain with the demo world on it. */
export interface World {
  devnet: Devnet
  told: Told[]
}

/** Starts a chain and builds the world on it, up to now. */
export async function startWorld(): Promise<World> {
  const present = now()
  const devnet = await startDevnet({ genesisTime: present - worldSpan })
  try {
    return { devnet, told: await buildWorld(devnet.client, devnet.deployments, present) }
  } catch (error) {
    await devnet.stop()
    throw error
  }
}

/** Builds the world and leaves it in a folder. */
export async function saveWorld(folder: string): Promise<void> {
  const { devnet, told } = await startWorld()
  try {
    // Anvil packs what it hands out, and reads only what is unpacked.
    await writeFile(fileOf(folder, 'state'), gunzipSync(hexToBytes(await devnet.client.dumpState())))
    await saveDeployments(fileOf(folder, 'deployments'), devnet.deployments)
    const tales = told.map(({ market, plot, taskId }): SavedTale => [market, plot.name, String(taskId)])
    await writeFile(fileOf(folder, 'told'), JSON.stringify(tales))
  } finally {
    await devnet.stop()
  }
}

/**
 * Starts a chain of one's own from a saved world, which must not be older than minutes: deadlines pass. Blocks, logs
 * and receipts are those of the building; states of blocks before the load cannot be read.
 */
export async function startSavedWorld(folder: string): Promise<World> {
  const anvil = await startAnvil({ loadFrom: fileOf(folder, 'state') })
  try {
    await warpTo(anvil.client, now())
    await refreshPrice(anvil.client, accounts.keeper)
    const deployments = await loadDeployments(fileOf(folder, 'deployments'))
    const tales: SavedTale[] = JSON.parse(await readFile(fileOf(folder, 'told'), 'utf8'))
    return { devnet: { ...anvil, deployments }, told: tales.map(taleOf) }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

type SavedTale = [market: Market, plot: string, taskId: string]

function taleOf([market, name, taskId]: SavedTale): Told {
  const plot = plotsOf(market).find((each) => each.name === name)
  if (!plot) throw new Error(`No plot is called ${name}.`)
  return { market, plot, taskId: BigInt(taskId) }
}

const fileOf = (folder: string, name: 'state' | 'deployments' | 'told') => join(folder, `${name}.json`)
const now = () => Math.floor(Date.now() / 1000)
