import { writeFile } from 'node:fs/promises'
import { type ChainClient, loadDeployments } from '@svc/chain'
import { isMarket } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { createSafeBatch, type SafeCall } from '@svc/protocol/internal/steps'
import { type Command, Option } from 'commander'
import type { Address, Hex } from 'viem'
import { AdminError } from '../adminError.ts'
import { openSigner, type SignerChoice } from '../deploy/openSigner.ts'
import { assertSigner } from '../deploy/signer.ts'
import { buildChange, type Change, type ChangeName, changes } from '../gov/changes.ts'
import { buildTimelockCall, type Stage, stages } from '../gov/timelock.ts'
import { type AdminContext, connectProviders, type RpcOptions, withRpc, withSigner } from './shared.ts'

interface GovOptions extends RpcOptions, SignerChoice {
  deployments: string
  market?: string
  stage?: Stage
  label: string
  safe?: string
  out?: string
  send: boolean
  guardian?: string
  tier?: string
  usdc?: string
  discount?: string
  tok?: string
  oracle?: string
  at?: string
}

/** Adds `gov`. */
export function addGovCommand(program: Command, context: AdminContext): void {
  const { print, environment } = context
  withSigner(withRpc(program.command('gov')))
    .description('Builds the calls of a change: by the guardian at once, or by the owner through the timelock.')
    .argument('<change>', Object.keys(changes).join(', '))
    .requiredOption('--deployments <file>', 'the deployments file')
    .option('--market <name>', 'only this market')
    .addOption(new Option('--stage <stage>', 'of a change of the owner').choices([...stages]))
    .option('--label <text>', 'tells apart two changes with the same calls', '')
    .option('--safe <address>', 'the Safe that makes the calls, for --out')
    .option('--out <file>', 'write a batch for the transaction builder of the Safe')
    .option('--send', 'sign and send the calls of the guardian now', false)
    .option('--guardian <address>', 'guardian: the new one')
    .option('--tier <name>', 'price: basic or pro')
    .option('--usdc <units>', 'price: in USDC units; 0 ends the sale')
    .option('--discount <bps>', 'price: off when paid in TOK, in basis points')
    .option('--tok <yes|no>', 'price: whether it can be paid in TOK')
    .option('--oracle <address>', 'feed: the new oracle, or none')
    .option('--at <time>', 'sunset: such as 2030-01-31T00:00:00Z')
    .action(async (name: string, options: GovOptions) => {
      if (!isChangeName(name))
        throw new AdminError(`"${name}" is not a change. Known: ${Object.keys(changes).join(', ')}.`)
      const deployments = await loadDeployments(options.deployments)
      const [{ client }] = connectProviders(deployments.chainId, options, context)
      const market = parseMarket(options.market)
      const now = Number((await client.getBlock()).timestamp)
      const change = buildChange(name, listArguments(options), { deployments, now, market })
      const calls = await listCalls(client, deployments.shared.timelock, change, options)
      print(`${options.stage ? `${options.stage}: ` : ''}${change.summary}`)
      for (const { to, data } of calls) print(`  to ${to}\n  data ${data}`)
      if (options.out) {
        if (!options.safe) throw new AdminError('--out needs --safe.')
        const meta = { chainId: deployments.chainId, safe: options.safe as Address, name: change.summary }
        const batch = createSafeBatch({ ...meta, description: options.stage ?? 'at once' }, calls)
        await writeFile(options.out, `${JSON.stringify(batch, null, 2)}\n`)
        print(`Wrote ${options.out}.`)
      }
      if (options.send) {
        // The governors are contracts: no key signs for them.
        if (change.authority !== 'guardian')
          throw new AdminError('A change of the owner is not sent by a key: write a batch with --out and --safe.')
        const { taskRegistry: address } = deployments.markets[market ?? 'standard']
        const guardian = await client.readContract({ address, abi: taskRegistryAbi, functionName: 'guardian' })
        const signer = await openSigner(options, { address: guardian, client, environment })
        assertSigner(signer, guardian, 'guardian')
        await sendCalls(client, signer, calls, print)
      }
    })
}

/** Sends calls one after another, all at once: a pause does not wait for a receipt. */
async function sendCalls(
  client: ChainClient,
  { address, send }: Awaited<ReturnType<typeof openSigner>>,
  calls: readonly SafeCall[],
  print: (text: string) => void,
): Promise<void> {
  const nonce = await client.getTransactionCount({ address })
  const hashes: Hex[] = []
  for (const [index, call] of calls.entries()) {
    const gas = await client.estimateGas({ account: address, ...call }).catch((error: Error) => {
      throw new AdminError(`${address} cannot call ${call.to}: ${error.message.split('\n')[0]}`)
    })
    hashes.push(await send({ ...call, gas: gas + gas / 5n }, nonce + index))
  }
  for (const hash of hashes) {
    const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 500 })
    if (status !== 'success') throw new AdminError(`${hash} reverted.`)
    print(`  sent ${hash}`)
  }
}

async function listCalls(
  client: ChainClient,
  timelock: Address,
  change: Change,
  { stage, label }: GovOptions,
): Promise<readonly SafeCall[]> {
  if (change.authority === 'guardian') {
    if (stage) throw new AdminError('The guardian acts at once: leave out --stage.')
    return change.calls
  }
  if (!stage)
    throw new AdminError(`"${change.summary}" goes through the timelock: give --stage schedule, execute or cancel.`)
  return [await buildTimelockCall(client, { timelock, change, label, stage })]
}

const isChangeName = (name: string): name is ChangeName => Object.hasOwn(changes, name)

function parseMarket(text: string | undefined) {
  if (text === undefined) return undefined
  if (!isMarket(text)) throw new AdminError(`--market: "${text}" is neither standard nor micro.`)
  return text
}

function listArguments({ guardian, tier, usdc, discount, tok, oracle, at }: GovOptions): Record<string, string> {
  const given = Object.entries({ guardian, tier, usdc, discount, tok, oracle, at })
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
