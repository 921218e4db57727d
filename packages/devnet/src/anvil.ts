import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { base, SvcError } from '@svc/protocol'
import { createDevnetClient, type DevnetClient } from './client.ts'

export interface AnvilOptions {
  /** Port to listen on. Default 0: picks a free port. */
  port?: number
  /** Default: the id of the chain of production. */
  chainId?: number
  /** Timestamp of the genesis block in unix seconds. Default: now. */
  genesisTime?: number
  /** For bulk seeding: prunes all past states and lets a block contain thousands of tasks. */
  bulk?: boolean
  /** Saves the chain to this file on stop, and loads it from there on start. Only the latest past states are kept. */
  stateFile?: string
  /** File with an initial state: the decompressed result of `anvil_dumpState`. */
  loadFrom?: string
}

/** A running anvil. */
export interface Anvil {
  rpcUrl: string
  client: DevnetClient
  /** Stops the process and waits for its exit. */
  stop: () => Promise<void>
  /** Resolves when the process exits. */
  exited: Promise<unknown>
}

/** Starts anvil and waits until it accepts calls. Throws `AnvilError` if the port is in use. */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const { port = 0, chainId = base.id, genesisTime, bulk = false, stateFile, loadFrom } = options
  const args = ['--chain-id', String(chainId), '--port', String(port), '--accounts', String(accountCount)]
  if (genesisTime !== undefined) args.push('--timestamp', String(genesisTime))
  if (stateFile) args.push('--state', stateFile)
  if (loadFrom) args.push('--load-state', loadFrom)
  if (bulk) args.push('--gas-limit', '1000000000000', '--no-request-size-limit')
  if (bulk || stateFile) args.push('--prune-history', ...(bulk ? [] : [String(maxPastStates)]))
  const child = spawn(existsSync(binary) ? binary : 'anvil', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const killNow = () => child.kill('SIGKILL')
  process.once('exit', killNow)
  const exited = once(child, 'close').finally(() => process.off('exit', killNow))

  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const listening = new Promise<string>((resolve) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      // Keep reading until it exits: a full pipe would block anvil.
      if (printed.length < 100_000) printed += text
      const [, address] = /Listening on (\S+:\d+)/.exec(printed) ?? []
      if (address) resolve(address)
    })
  })
  const address = await Promise.race([
    listening,
    exited.then(() => {
      throw new AnvilError(`on port ${port}: ${errors.trim() || `exit code ${child.exitCode}`}`)
    }),
  ])

  const rpcUrl = `http://${address}`
  const client = createDevnetClient(rpcUrl, chainId)
  const stop = async () => {
    child.kill('SIGTERM')
    const force = setTimeout(killNow, stateFile ? 60_000 : 5_000)
    await exited
    clearTimeout(force)
  }
  const found = await client.getChainId()
  if (found !== chainId) {
    await stop()
    throw new AnvilError(`with chain id ${chainId}: ${rpcUrl} returned ${found}`)
  }
  return { rpcUrl, client, stop, exited }
}

/** Past states that a saved chain keeps. The states of a whole day would fill a disk. */
const maxPastStates = 256

/** Number of accounts of the mnemonic that have ether. */
const accountCount = 38

const binary = join(fileURLToPath(new URL('../../..', import.meta.url)), 'node_modules/.bin', 'anvil')

/** Anvil did not start. */
export class AnvilError extends SvcError {
  override name = 'AnvilError'

  constructor(reason: string) {
    super('ANVIL', `anvil did not start ${reason}`)
  }
}
