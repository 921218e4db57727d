// pnpm devnet: a local chain with both markets and a demo world, until Ctrl-C.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { relative } from 'node:path'
import { parseArgs, styleText } from 'node:util'
import { localDeploymentsFile, saveDeployments } from '@svc/chain'
import { accounts } from './accounts.ts'
import { AnvilError, startAnvil } from './anvil.ts'
import type { DevnetClient } from './client.ts'
import { deployOnDevnet } from './devnet.ts'
import { priceTime, refreshPrice } from './mocks.ts'
import { describe } from './report.ts'
import { seedTasks } from './seed.ts'
import { chainTime, warpTo } from './time.ts'
import { buildWorld, furnish, worldSpan } from './world.ts'

class UsageError extends Error {
  override name = 'UsageError'
}

const help = `pnpm devnet [options]

Starts anvil with chain id 8453, deploys both markets, fills them with a demo world and stays until Ctrl-C.

  --port <number>       where to listen (8545; 0 takes a free one)
  --tasks <number>      post this many more open tasks, half in each market
  --no-world            people with money and deposits, but no tasks
  --deployments <file>  where the addresses are kept while it runs (deployments/8453.local.json)
  --state <file>        write the chain there at the end, and go on from it when the file is there
  --beat <seconds>      mine a block so often even when nobody sends anything (0: never)
  --help                this text`

try {
  const settings = readSettings()
  if (settings) await main(settings)
  else console.log(help)
} catch (error) {
  const expected = error instanceof AnvilError || error instanceof UsageError
  console.error(expected ? error.message : error)
  process.exitCode = 1
}

async function main({ port, tasks, world, file, stateFile, beat }: Settings): Promise<void> {
  const started = performance.now()
  const present = now()
  const goesOn = stateFile !== undefined && existsSync(stateFile)
  const anvil = await startAnvil({
    port,
    ...(!goesOn && { genesisTime: present - worldSpan }),
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
    // Examples move the clock ahead of ours: a chain that goes on must not go back.
    const ahead = goesOn ? (await chainTime(client)) - now() : 0
    if (ahead > 0) await client.increaseTime({ seconds: ahead })
    const deployments = { ...(await deployOnDevnet(client, progress('Deploying'))), rpcUrl }
    if (goesOn) console.log(`Going on from ${stateFile}`)
    else if (world) await buildWorld(client, deployments, present, progress('Building the world'))
    else await furnish(client, deployments)
    if (tasks > 0) await seedTasks(client, deployments, tasks, progress('Posting tasks'))
    await warpTo(client, now())
    await refreshPrice(client, accounts.keeper)
    await saveDeployments(file, deployments)
    console.log(await describe(client, deployments, relative(process.cwd(), file)))
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`\n${styleText('green', `Ready in ${seconds} s.`)} Ctrl-C stops it.`)
    // The oracle refuses a price older than a day.
    setInterval(() => refreshPrice(client, accounts.keeper).catch(console.error), 60 * 60 * 1000).unref()
    if (beat > 0) setInterval(() => passTime(client).catch(console.error), beat * 1000).unref()
    await anvil.exited
    if (!stopping) throw new Error('anvil ended on its own.')
  } catch (error) {
    // Calls that were under way fail when the chain stops; nobody needs to hear of it.
    if (stopping) return
    await stop()
    throw error
  }
}

/** Mines a block; with the price in it, when somebody has moved the clock so far that the old one will not do much longer. */
async function passTime(client: DevnetClient): Promise<void> {
  if ((await chainTime(client)) - (await priceTime(client)) > 2 * 60 * 60) await refreshPrice(client, accounts.keeper)
  else await client.mine({ blocks: 1 })
}

interface Settings {
  port: number
  tasks: number
  world: boolean
  file: string
  stateFile: string | undefined
  /** Seconds. */
  beat: number
}

/** The command line, or null when it asks for help. */
function readSettings(): Settings | null {
  const { values } = parse()
  if (values.help) return null
  const { world, deployments: file, state: stateFile } = values
  const numberOf = (option: 'port' | 'tasks' | 'beat') => wholeNumber(option, values[option])
  return { port: numberOf('port'), tasks: numberOf('tasks'), beat: numberOf('beat'), world, file, stateFile }
}

function parse() {
  try {
    return parseArgs({
      allowNegative: true,
      options: {
        port: { type: 'string', default: '8545' },
        tasks: { type: 'string', default: '0' },
        world: { type: 'boolean', default: true },
        deployments: { type: 'string', default: localDeploymentsFile },
        state: { type: 'string' },
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

/** Shows `label` with a count, on one line where the terminal can rewrite it. */
function progress(label: string): (done: number, total: number) => void {
  const began = performance.now()
  return (done, total) => {
    const count = `${label} ${done.toLocaleString('en')}/${total.toLocaleString('en')}`
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${count}`)
    if (done < total) return
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    process.stdout.write(`${process.stdout.isTTY ? '\r\x1b[K' : ''}${count}, ${seconds} s\n`)
  }
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new UsageError(`--${option} ${text} is not a whole number.`)
  return Number(text)
}
