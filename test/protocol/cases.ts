import { createSigningContext } from '@svc/chain'
import {
  accounts,
  advanceTime,
  agreeOnJudge,
  getChainTime,
  type Job,
  type Offer,
  refreshPrice,
  type Scene,
  sendActivation,
  sendAppeal,
  sendCall,
  sendClaim,
  sendDelivery,
  sendDispute,
  sendEvidence,
  sendPost,
  sendProposal,
  sendRelease,
  sendRuling,
  sendStake,
} from '@svc/devnet'
import { buildAcceptanceTypedData, buildTerms, formatTermsText, toTaskTerms } from '@svc/protocol'
import { arbitrationAbi, pricingPolicyAbi } from '@svc/protocol/abis'
import { actionList } from '@svc/protocol/actions'
import { encodePlanId } from '@svc/protocol/internal/money'
import { type LocalAccount, parseUnits } from 'viem'

const tok = (amount: number) => parseUnits(String(amount), 18)
const usd = (amount: number) => parseUnits(String(amount), 6)
const { bruno: poster, emeka: worker, newcomer, keeper, jun } = accounts
const hour = 60 * 60
const day = 24 * hour

/** The actions on our contracts. Swaps need a pool: `test/chain/payFrom.test.ts` makes them. */
export const ownActions = actionList.filter(({ swap }) => !swap)

/** One action in a state that allows it. */
export interface Case {
  by: LocalAccount
  /** The task it acts on. */
  job?: Job
  /** The inputs that cannot be derived. */
  input?: Record<string, unknown>
  /** What the caller's wallet gains, if no table row says so. */
  gains?: Gains | ((event: Record<string, unknown>) => Gains)
}

interface Gains {
  tok?: bigint
  usdc?: bigint
}

const offer = {
  poster,
  text: 'Draw a map\n\nOf the old harbour.',
  amounts: [tok(300), tok(700)],
  duration: 2 * day,
}
const posted = (scene: Scene, fundAmount?: bigint, terms: Partial<Offer> = {}) =>
  sendPost(scene, { ...offer, ...terms }, fundAmount)
const claimed = async (scene: Scene, terms?: Partial<Offer>) => {
  const job = await posted(scene, undefined, terms)
  await sendClaim(scene, job, worker)
  return job
}
const active = async (scene: Scene, terms?: Partial<Offer>) => {
  const job = await claimed(scene, terms)
  await sendActivation(scene, job)
  return job
}
const delivered = async (scene: Scene, terms?: Partial<Offer>) => {
  const job = await active(scene, terms)
  await sendDelivery(scene, job, 'the map')
  return job
}
const disputed = async (scene: Scene) => {
  const job = await delivered(scene)
  await sendDispute(scene, job, 'not the harbour')
  return job
}
const seated = async (scene: Scene) => {
  const job = await disputed(scene)
  await agreeOnJudge(scene, job, jun)
  return job
}
/** Both have spoken, and the judge may rule. */
const heard = async (scene: Scene) => {
  const job = await seated(scene)
  await sendEvidence(scene, job, worker, 'it is the harbour', 10_000n)
  await advanceTime(scene.client, scene.params.evidenceWindow + hour)
  return job
}
const ruled = async (scene: Scene) => {
  const job = await heard(scene)
  await sendRuling(scene, job, true, 'half the streets are there')
  return job
}
const draft = async (scene: Scene, private_: boolean) =>
  buildTerms(
    {
      poster: poster.address,
      worker: private_ ? worker.address : null,
      title: 'Draw a map',
      criteria: 'Of the old harbour.',
      milestones: [{ title: 'All of it', amountTokWei: tok(500), durationSeconds: 2 * day }],
      claimDeadline: (await getChainTime(scene.client)) + 3 * day,
      nonce: 4711n,
    },
    createSigningContext(scene.deployments, scene.market),
    await getChainTime(scene.client),
  )

/** Runs steps with a token that returns zero for everything: the only way to a payment that cannot be pushed. */
export async function withUnsendableTok({ client, contracts }: Scene, run: () => Promise<void>): Promise<void> {
  const code = await client.getCode({ address: contracts.tokToken })
  await client.setCode({ address: contracts.tokToken, bytecode: '0x5f5f5260205ff3' })
  await run()
  await client.setCode({ address: contracts.tokToken, bytecode: code ?? '0x' })
}

/** A state that allows the action, for every action. */
export const cases: Record<string, (scene: Scene) => Promise<Case> | Case> = {
  'approve-usdc-vault': ({ market }) => ({ by: newcomer, input: { market, amountUsdc: usd(25) } }),
  'approve-tok-router': ({ market }) => ({ by: newcomer, input: { market, amountTokWei: tok(1_000) } }),
  'top-up': ({ market }) => ({ by: newcomer, input: { market, amountUsdc: usd(45) } }),
  'emergency-top-up': ({ market }) => ({ by: newcomer, input: { market, agent: worker.address, amountUsdc: usd(8) } }),
  'withdraw-deposit': ({ market }) => ({
    by: poster,
    input: { market, amountUsdc: usd(3), to: poster.address },
    gains: { usdc: usd(3) },
  }),
  'post-task': async (scene) => {
    const document = await draft(scene, false)
    const input = {
      market: scene.market,
      terms: toTaskTerms(document),
      text: formatTermsText(document),
      fundAmountTokWei: tok(200),
    }
    return { by: poster, input }
  },
  'create-task': async (scene) => {
    const document = await draft(scene, true)
    const terms = toTaskTerms(document)
    const accept = async (party: LocalAccount, nonce: bigint) => {
      const message = { terms, worker: worker.address, party: party.address, nonce, expiry: 2n ** 39n }
      const typedData = buildAcceptanceTypedData(createSigningContext(scene.deployments, scene.market), message)
      return { nonce, expiry: message.expiry, data: await party.signTypedData(typedData) }
    }
    const signatures = { posterAcceptance: await accept(poster, 1n), workerAcceptance: await accept(worker, 1n) }
    return { by: worker, input: { market: scene.market, terms, worker: worker.address, ...signatures } }
  },
  'fund-task': async (scene) => ({ by: poster, job: await posted(scene, 0n), input: { amountTokWei: tok(400) } }),
  'allow-worker': async (scene) => ({ by: poster, job: await posted(scene, undefined, { permitOnly: true }) }),
  'claim-task': async (scene) => ({ by: worker, job: await posted(scene) }),
  'start-work': async (scene) => ({ by: poster, job: await claimed(scene) }),
  'submit-proof': async (scene) => ({ by: worker, job: await active(scene) }),
  'request-revision': async (scene) => ({ by: poster, job: await delivered(scene) }),
  'accept-milestone': async (scene) => ({ by: poster, job: await delivered(scene) }),
  'release-lapsed': async (scene) => {
    const job = await delivered(scene)
    await advanceTime(scene.client, 4 * day)
    return { by: keeper, job }
  },
  'complete-task': async (scene) => ({ by: poster, job: await active(scene) }),
  'cancel-task': async (scene) => ({ by: poster, job: await posted(scene) }),
  'leave-task': async (scene) => ({ by: worker, job: await active(scene) }),
  'dismiss-worker': async (scene) => ({ by: poster, job: await claimed(scene) }),
  'expire-task': async (scene) => {
    const job = await active(scene)
    await advanceTime(scene.client, 3 * day)
    return { by: keeper, job }
  },
  'mutual-cancel': async (scene) => ({ by: worker, job: await active(scene) }),
  'withdraw-payout': async (scene) => {
    const job = await delivered(scene)
    await withUnsendableTok(scene, () => sendRelease(scene, job))
    return { by: worker, input: { market: scene.market, to: worker.address }, gains: { tok: tok(300) } }
  },
  'invalidate-nonce': ({ market }) => ({ by: poster, input: { market, nonce: 99n } }),
  'open-dispute': async (scene) => ({ by: poster, job: await delivered(scene) }),
  'propose-arbitrator': async (scene) => {
    const job = await disputed(scene)
    for (const party of [poster, worker]) await sendProposal(scene, job, party, jun.address)
    return { by: jun, job }
  },
  'step-down': async (scene) => ({ by: jun, job: await seated(scene) }),
  'submit-evidence': async (scene) => ({ by: worker, job: await disputed(scene) }),
  'resolve-dispute': async (scene) => ({ by: jun, job: await heard(scene) }),
  escalate: async (scene) => ({ by: poster, job: await ruled(scene) }),
  'decide-dispute': async (scene) => {
    const job = await ruled(scene)
    await sendAppeal(scene, job, poster)
    return { by: accounts.court, job, input: { forWorker: false } }
  },
  'finalize-dispute': async (scene) => {
    const job = await ruled(scene)
    await advanceTime(scene.client, scene.params.appealWindow + hour)
    return { by: keeper, job }
  },
  'resolve-timed-out': async (scene) => {
    const job = await disputed(scene)
    await advanceTime(scene.client, scene.params.consentWindow + hour)
    return { by: keeper, job }
  },
  'register-arbitrator': ({ market }) => ({ by: newcomer, input: { market, amountTokWei: tok(10_000) } }),
  'request-unbond': ({ market }) => ({ by: accounts.olga, input: { market } }),
  unbond: async ({ client, contracts, market }) => {
    const arbitration = { address: contracts.arbitration, abi: arbitrationAbi } as const
    const args = [accounts.olga.address] as const
    const { bond } = await client.readContract({ ...arbitration, functionName: 'arbitratorOf', args })
    await sendCall(client, accounts.olga, { ...arbitration, functionName: 'requestUnbond', args: [] })
    await advanceTime(client, 8 * day)
    return { by: accounts.olga, input: { market }, gains: { tok: bond } }
  },
  'withdraw-award': async (scene) => {
    const job = await disputed(scene)
    // A hundredth of the milestone out of the poster's stake.
    await withUnsendableTok(scene, () => sendRelease(scene, job))
    return { by: worker, input: { market: scene.market, to: worker.address }, gains: { tok: tok(3) } }
  },
  'buy-plan': async (scene) => {
    await refreshPrice(scene.client, keeper)
    const { amount } = await scene.client.readContract({
      address: scene.contracts.pricingPolicy,
      abi: pricingPolicyAbi,
      functionName: 'quote',
      args: [encodePlanId('basic'), false],
    })
    const input = { tier: 'basic', beneficiary: worker.address, payWith: 'usdc', maxAmount: amount }
    return { by: newcomer, input: { market: scene.market, ...input } }
  },
  stake: ({ market }) => ({ by: newcomer, input: { market, amountTokWei: tok(50) } }),
  unstake: async (scene) => {
    await sendStake(scene, worker, tok(40))
    // Long enough for the stake to earn a fraction of a credit.
    await advanceTime(scene.client, day)
    return { by: worker, input: { market: scene.market, amountTokWei: tok(40) }, gains: { tok: tok(40) } }
  },
  'claim-rewards': async (scene) => {
    // Its fee is the reward to share.
    await posted(scene)
    await advanceTime(scene.client, day)
    return { by: accounts.ada, input: { market: scene.market }, gains: ({ amount }) => ({ tok: amount as bigint }) }
  },
}
