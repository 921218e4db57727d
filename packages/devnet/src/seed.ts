import type { Deployments } from '@svc/chain'
import { accessFee, entryDeposit, exitDeposit, type Market, markets, taskReserve } from '@svc/protocol'
import { encodeDeployData, encodeFunctionData, parseUnits } from 'viem'
import { batchPosterAbi } from './abis/mocks.ts'
import { accounts } from './accounts.ts'
import type { DevnetClient } from './client.ts'
import { batchPosterCreation } from './creations/mocks.ts'
import { formatPublishedText } from './publishedText.ts'
import { countTasks, createScene, type Scene } from './scene.ts'
import { sendCall, signTransaction } from './send.ts'
import { sendTokens } from './walletSteps.ts'

/** Tasks per transaction. The time anvil needs grows with the square of the calls in one. */
const batchSize = 200
/** Tasks per block. For each block anvil walks over all state. */
const blockSize = 5_000
/** More than any single post needs. */
const gasPerPost = 500_000n

/**
 * Posts `count` open tasks through the registries, half in each market, in large batches. Needs an anvil started with `bulk`.
 * Each market gets its own poster contract, which pays fees and deposits like any wallet.
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
  if (!address) throw new Error('The BatchPoster contract was not deployed.')

  const jobs = buildJobs(scene)
  const funded = jobs.reduce((total, { fundAmount }) => total + fundAmount, 0n)
  const rounds = BigInt(Math.ceil(batchSize / jobs.length) * Math.ceil(count / batchSize))
  const deposit = BigInt(count) * taskReserve + entryDeposit
  await sendTokens(client, deployments, address, {
    tok: BigInt(count) * (accessFee + exitDeposit) + rounds * funded,
    usdc: deposit,
  })
  await sendCall(client, account, { address, abi: batchPosterAbi, functionName: 'deposit', args: [deposit] })

  // Mine explicitly: with automine, anvil would respond before such a block is done.
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
      // Counts tasks instead of reading receipts, which contain megabytes of logs.
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

/** Builds jobs of seven subjects in five sizes. Every fifth is funded. All claim deadlines are within the market's limit. */
function buildJobs({ market, params }: Scene) {
  return subjects[market].flatMap((subject, index) =>
    [1, 2, 3, 4, 5].map((size) => {
      const amount = parseUnits(String((market === 'standard' ? 20_000 : 400) * size * (index + 1)), 18)
      return {
        text: formatPublishedText(`${subject}\n\n${lot(size)}`, 1),
        amount,
        fundAmount: size === 5 ? amount / 100n : 0n,
        duration: BigInt(params.minDuration * 4 * size),
        reviewWindow: BigInt(params.minReviewWindow * (1 + (size % 2))),
        claimFor: BigInt(Math.floor((params.maxClaimDeadline * (index + size)) / 12)),
      }
    }),
  )
}
