import type { Deployments } from '@svc/chain'
import { accessFee, entryDeposit, type Market, markets, taskReserve } from '@svc/protocol'
import { encodeDeployData, encodeFunctionData, parseUnits } from 'viem'
import { batchPosterAbi } from './abis/batchPoster.ts'
import { accounts } from './accounts.ts'
import type { DevnetClient } from './client.ts'
import { batchPosterCreation } from './creations/batchPoster.ts'
import { publishedText } from './publishedText.ts'
import { countTasks, createScene, type Scene } from './scene.ts'
import { send, signTransaction } from './send.ts'
import { give } from './walletSteps.ts'

/** Tasks per transaction: what anvil spends on one grows with the square of its calls. */
const batchSize = 200
/** Tasks per block: each costs anvil a walk over all state. */
const blockSize = 5_000
/** More than any single post takes. */
const gasPerPost = 500_000n

/**
 * Posts `count` open tasks through the registries, half in each market, in transactions of thousands. Needs an anvil
 * started for bulk work. Each market gets a poster contract of its own, which pays fees and deposits like anyone.
 */
export async function seedTasks(
  client: DevnetClient,
  deployments: Deployments,
  count: number,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
  let done = 0
  for (const [index, market] of markets.entries()) {
    const share = Math.floor((count + markets.length - 1 - index) / markets.length)
    if (share === 0) continue
    await seedMarket(createScene(client, deployments, market), share, (posted) => onProgress(done + posted, count))
    done += share
  }
}

async function seedMarket(scene: Scene, count: number, onProgress: (posted: number) => void): Promise<void> {
  const { client, deployments, contracts, market } = scene
  const account = accounts.keeper
  const creation = encodeDeployData({
    ...batchPosterCreation,
    args: [{ tok: contracts.tokToken, ...contracts }],
  })
  const created = await client.sendRawTransactionSync({
    serializedTransaction: await signTransaction(client, account, { data: creation }),
  })
  const address = created.contractAddress
  if (!address) throw new Error('The batch poster was not created.')

  const jobs = jobsOf(scene)
  const funded = jobs.reduce((total, { fundAmount }) => total + fundAmount, 0n)
  const rounds = BigInt(Math.ceil(batchSize / jobs.length) * Math.ceil(count / batchSize))
  const deposit = BigInt(count) * taskReserve + entryDeposit
  await give(client, deployments, address, { tok: BigInt(count) * accessFee + rounds * funded, usdc: deposit })
  await send(client, account, { address, abi: batchPosterAbi, functionName: 'deposit', args: [deposit] })

  // By hand: automine would answer before such a block is done.
  await client.setAutomine(false)
  try {
    const before = await countTasks(scene)
    let nonce = await client.getTransactionCount({ address: account.address })
    for (let posted = 0; posted < count; ) {
      const end = Math.min(posted + blockSize, count)
      while (posted < end) {
        const size = Math.min(batchSize, end - posted)
        const data = encodeFunctionData({ abi: batchPosterAbi, functionName: 'post', args: [jobs, BigInt(size)] })
        const gas = BigInt(size) * gasPerPost + 1_000_000n
        const serializedTransaction = await signTransaction(client, account, { to: address, data, gas, nonce: nonce++ })
        await client.sendRawTransaction({ serializedTransaction })
        posted += size
      }
      await client.mine({ blocks: 1 })
      // Instead of the receipts, which carry megabytes of logs.
      const found = await countTasks(scene)
      if (found !== before + posted) throw new Error(`The ${market} market has ${found} tasks, not ${before + posted}.`)
      onProgress(posted)
    }
  } finally {
    await client.setAutomine(true)
  }
}

const subjects: Record<Market, readonly string[]> = {
  standard: [
    'Review a pull request of 800 lines',
    'Translate a white paper, English to Korean',
    'Model a kitchen in Blender',
    'Tune a slow Postgres query',
    'Write a grant application of six pages',
    'Record a folk song, two voices',
    'Port a colour picker to Svelte',
  ],
  micro: [
    'Check one invoice against its order',
    'Name three colours in a photo',
    'Find a phone number',
    'Rate an answer from 1 to 5',
    'Crop and straighten ten scans',
    'Say whether two sentences mean the same',
    'Type off a handwritten receipt',
  ],
}

const lot = (size: number) =>
  `Lot ${size}. Deliver as described in the guide; ask before you start if anything is unclear.`

/** Seven subjects in five sizes, every fifth with its money; the last claim deadlines come within the market's limit. */
function jobsOf({ market, params }: Scene) {
  return subjects[market].flatMap((subject, index) =>
    [1, 2, 3, 4, 5].map((size) => {
      const amount = parseUnits(String((market === 'standard' ? 20_000 : 400) * size * (index + 1)), 18)
      return {
        text: publishedText(`${subject}\n\n${lot(size)}`, 1),
        amount,
        fundAmount: size === 5 ? amount / 100n : 0n,
        duration: BigInt(params.minDuration * 4 * size),
        reviewWindow: BigInt(params.minReviewWindow * (1 + (size % 2))),
        claimFor: BigInt(Math.floor((params.maxClaimDeadline * (index + size)) / 12)),
      }
    }),
  )
}
