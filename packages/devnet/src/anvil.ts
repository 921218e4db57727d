import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDevnetClient, type DevnetClient, devnetChain } from './client.ts'

export interface AnvilOptions {
  /** Zero, the default, takes a free one. */
  port?: number
  /** Unix seconds of the genesis block; default now. */
  genesisTime?: number
  /** For heavy seeding: keep no old states and let a block hold thousands of tasks. */
  bulk?: boolean
  /** Where the chain is written when it stops, and read from when the file is there; of old states only some are kept. */
  stateFile?: string
  /** A state to begin with, as `anvil_dumpState` gives it, unpacked. */
  loadFrom?: string
}

/** A running anvil. */
export interface Anvil {
  rpcUrl: string
  client: DevnetClient
  /** Ends the process and waits until it is gone. */
  stop: () => Promise<void>
  /** Settles when the process ends, by `stop` or on its own. */
  exited: Promise<unknown>
}

/** Starts anvil with chain id 8453; ready to be called when the promise settles. Refuses a port that is taken. */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const { port = 0, genesisTime, bulk = false, stateFile, loadFrom } = options
  const args = ['--chain-id', String(devnetChain.id), '--port', String(port), '--accounts', String(accountCount)]
  if (genesisTime !== undefined) args.push('--timestamp', String(genesisTime))
  if (stateFile) args.push('--state', stateFile)
  if (loadFrom) args.push('--load-state', loadFrom)
  if (bulk) args.push('--gas-limit', '1000000000000', '--no-request-size-limit')
  if (bulk || stateFile) args.push('--prune-history', ...(bulk ? [] : [String(statesKept)]))
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
      // Read on to the end of its life: a full pipe would stop anvil.
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
  const client = createDevnetClient(rpcUrl)
  const stop = async () => {
    child.kill('SIGTERM')
    const force = setTimeout(killNow, stateFile ? 60_000 : 5_000)
    await exited
    clearTimeout(force)
  }
  const chainId = await client.getChainId()
  if (chainId !== devnetChain.id) {
    await stop()
    throw new AnvilError(`as asked: ${rpcUrl} answers with chain id ${chainId}, not ${devnetChain.id}`)
  }
  return { rpcUrl, client, stop, exited }
}

/** Of a chain that is kept, reads may be so many blocks behind; all states of a day would fill a disk. */
const statesKept = 256

/** How many accounts of anvil's mnemonic have ether. */
const accountCount = 20

const binary = join(fileURLToPath(new URL('../../..', import.meta.url)), 'node_modules/.bin', 'anvil')

/** Anvil did not start. */
export class AnvilError extends Error {
  override name = 'AnvilError'

  constructor(reason: string) {
    super(`anvil did not start ${reason}`)
  }
}
