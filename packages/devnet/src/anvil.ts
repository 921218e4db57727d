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
export async function startAnvil({ port = 0, genesisTime, bulk = false }: AnvilOptions = {}): Promise<Anvil> {
  const args = ['--chain-id', String(devnetChain.id), '--port', String(port), '--accounts', String(accountCount)]
  if (genesisTime !== undefined) args.push('--timestamp', String(genesisTime))
  if (bulk) args.push('--prune-history', '--gas-limit', '1000000000000', '--no-request-size-limit')
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
    const force = setTimeout(killNow, 5_000)
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
