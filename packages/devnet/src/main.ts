// pnpm devnet: a local chain with both markets and a demo world, until Ctrl-C.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { relative } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { localDeploymentsFile, saveDeployments } from '@svc/chain'
import { base, getChainProfile } from '@svc/protocol'
import { accounts } from './accounts.ts'
import { AnvilError, startAnvil } from './anvil.ts'
import type { DevnetClient } from './client.ts'
import { deployOnDevnet } from './devnet.ts'
import { getPriceTime, refreshPrice } from './mocks.ts'
import { deployPool } from './pool.ts'
import { describeDevnet } from './report.ts'
import { saveBundles } from './sealWork.ts'
import { seedTasks } from './seed.ts'
import { advanceTimeTo, getChainTime } from './time.ts'
import { buildWorld, setUpMarkets, worldSpan } from './world.ts'

class UsageError extends Error {
  override name = 'UsageError'
}

const help = `pnpm devnet [options]

Starts anvil, deploys both markets, fills them with a demo world and runs until Ctrl-C.

  --port <number>       port to listen on (default 8545; 0 picks a free one)
  --chain <id>          chain id (default ${base.id})
  --tasks <number>      post this many additional open tasks, half in each market
  --no-world            create wallets with tokens and deposits, but no tasks
  --no-pool             without a pool where TOK is traded for USDC
  --deployments <file>  write the addresses to this file while it runs (default ${relative(process.cwd(), localDeploymentsFile)})
  --state <file>        save the chain to this file on exit, and continue from it if it exists
  --work <folder>       write the bundles of work behind the world's hashes to this folder, for a store to import
  --beat <seconds>      mine a block at this interval even without transactions (default 0: never)
  --help                show this help`

try {
  const settings = readSettings()
  if (settings) await main(settings)
  else console.log(help)
} catch (error) {
  const expected = error instanceof AnvilError || error instanceof UsageError
  console.error(expected ? error.message : error)
  process.exitCode = 1
}

async function main({ port, chainId, tasks, world, pool, file, stateFile, workFolder, beat }: Settings): Promise<void> {
  const started = performance.now()
  const present = now()
  const continues = stateFile !== undefined && existsSync(stateFile)
  const anvil = await startAnvil({
    port,
    chainId,
    ...(!continues && { genesisTime: present - worldSpan }),
    bulk: tasks > 0,
    ...(stateFile && { stateFile }),
  })
  const { client, rpcUrl } = anvil
  let stopping = false
  const stop = async () => {
    stopping = true
    await rm(file, { force: true })
    await anvil.stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(0)))

  try {
    // Examples move the chain's clock ahead of ours, and a chain that continues must not go back in time.
    const ahead = continues ? (await getChainTime(client)) - now() : 0
    if (ahead > 0) await client.increaseTime({ seconds: ahead })
    const suite = { ...(await deployOnDevnet(client, progress('Deploying'))), rpcUrl }
    const hasUniswap = pool && getChainProfile(chainId).swap !== null
    const deployments = hasUniswap ? { ...suite, swapPool: await deployPool(client, suite) } : suite
    await saveDeployments(file, deployments)
    console.log(`The contracts stand. Their addresses are in ${relative(process.cwd(), file)}`)
    if (continues) console.log(`Continuing from ${stateFile}`)
    else if (world) {
      const { bundles } = await buildWorld(client, deployments, present, progress('Building the world'))
      if (workFolder) await saveBundles(workFolder, bundles)
    } else await setUpMarkets(client, deployments)
    if (tasks > 0) await seedTasks(client, deployments, tasks, progress('Posting tasks'))
    await advanceTimeTo(client, now())
    await refreshPrice(client, accounts.keeper)
    console.log(await describeDevnet(client, deployments, relative(process.cwd(), file)))
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`\n${styleText('green', `Ready in ${seconds} s.`)} Press Ctrl-C to stop.`)
    // The oracle rejects a price older than a day.
    setInterval(() => refreshPrice(client, accounts.keeper).catch(console.error), 60 * 60 * 1000).unref()
    if (beat > 0) setInterval(() => passTime(client).catch(console.error), beat * 1000).unref()
    await anvil.exited
    if (!stopping) throw new Error('anvil exited unexpectedly.')
  } catch (error) {
    // Pending calls fail when the chain stops. That is expected.
    if (stopping) return
    await stop()
    throw error
  }
}

/** Mines a block. If the clock was moved so far that the price will soon be too old, refreshes it instead. */
async function passTime(client: DevnetClient): Promise<void> {
  if ((await getChainTime(client)) - (await getPriceTime(client)) > 2 * 60 * 60)
    await refreshPrice(client, accounts.keeper)
  else await client.mine({ blocks: 1 })
}

interface Settings {
  port: number
  chainId: number
  tasks: number
  world: boolean
  pool: boolean
  file: string
  stateFile: string | undefined
  workFolder: string | undefined
  /** Interval between blocks in seconds. */
  beat: number
}

/** Parses the command line; null if it asks for help. */
function readSettings(): Settings | null {
  const { values } = parse()
  if (values.help) return null
  const { world, pool, deployments: file, state: stateFile, work: workFolder } = values
  const parseCount = (option: 'port' | 'chain' | 'tasks' | 'beat') => wholeNumber(option, values[option])
  const counts = {
    port: parseCount('port'),
    chainId: parseCount('chain'),
    tasks: parseCount('tasks'),
    beat: parseCount('beat'),
  }
  return { ...counts, world, pool, file, stateFile, workFolder }
}

function parse() {
  try {
    return parseArgs({
      allowNegative: true,
      options: {
        port: { type: 'string', default: '8545' },
        chain: { type: 'string', default: String(base.id) },
        tasks: { type: 'string', default: '0' },
        world: { type: 'boolean', default: true },
        pool: { type: 'boolean', default: true },
        deployments: { type: 'string', default: localDeploymentsFile },
        state: { type: 'string' },
        work: { type: 'string' },
        beat: { type: 'string', default: '0' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}

/** Prints `label` with a count, on a single line if the terminal can rewrite it. */
function progress(label: string): (done: number, total: number) => void {
  const startedAt = performance.now()
  return (done, total) => {
    const count = `${label} ${done.toLocaleString('en')}/${total.toLocaleString('en')}`
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${count}`)
    if (done < total) return
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    process.stdout.write(`${process.stdout.isTTY ? '\r\x1b[K' : ''}${count}, ${seconds} s\n`)
  }
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new UsageError(`--${option}: "${text}" is not a whole number of at most 7 digits.`)
  return Number(text)
}
