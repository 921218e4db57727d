// The tool of the MCP server that negotiates a private task.
import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { buildAcceptanceTypedData, type Market, markets } from '@svc/protocol'
import { type Address, zeroHash } from 'viem'
import { assertEqual } from '../assertEqual.ts'
import type { Call, Check } from '../call.ts'
import { buildExpectedTerms, draft } from '../privateTerms.ts'
import { expectNegotiation, sent, signInTwoSteps } from '../talk.ts'
import { assertRefused, describeToolMeta } from '../toolFields.ts'
import type { BehaviourWorld } from '../world.ts'

export function listToolNegotiationChecks(world: BehaviourWorld) {
  const { machine, devnet } = world

  return {
    svc_negotiate: (call) =>
      machine.useMailboxes(async () => {
        for (const market of markets) await checkNegotiation(call, market)
        const to = 'svc_negotiate'
        const { address } = accounts.ada
        await assertRefused(call, to, { address, step: 'propose' }, 'TERMS_REFUSED')
        await assertRefused(call, to, { address, step: 'counter', terms: {} }, 'TERMS_REFUSED')
        const unknown = { negotiationId: '0f9e7c40-52aa-4a0e-8f0e-2b6a4c1d9e02', settlementDigest: zeroHash }
        await assertRefused(call, to, { address, step: 'accept', ...unknown }, 'WORK_REFUSED')
      }),
  } satisfies Record<string, Check>

  /** A poster proposes, the worker counters, and both accept. */
  async function checkNegotiation(call: Call, market: Market): Promise<void> {
    const to = 'svc_negotiate'
    const { poster, worker, ...unnamed } = draft
    const meta = describeToolMeta(world)
    const first = await call({
      to,
      input: { address: poster, step: 'propose', terms: { market, worker, store: 'none', ...unnamed } },
    })
    const { negotiationId, document } = await readOffer(market, worker, draft.maxRevisions)
    const offered = expectNegotiation(document, negotiationId)
    const proposed = { negotiation: { ...offered, yourTurn: false }, nextStep: sent, meta }
    assertEqual(first, { status: 200, body: proposed }, `a proposal in ${market}`)

    const change = { negotiationId, step: 'counter', terms: { maxRevisions: 1 }, reason: `It is long in ${market}.` }
    const second = await call({ to, input: { address: worker, ...change } })
    const counter = await readOffer(market, poster, 1)
    assertEqual(counter.reason, change.reason, 'the reason')
    const countered = { ...expectNegotiation(counter.document, negotiationId), turn: poster, messages: 2 }
    assertEqual(
      second.body,
      { negotiation: { ...countered, yourTurn: false }, nextStep: sent, meta },
      `a counter offer in ${market}`,
    )
    const { settlementDigest } = counter.document
    const acceptance = { negotiationId, step: 'accept', settlementDigest }
    await assertRefused(
      call,
      to,
      { address: poster, ...acceptance, settlementDigest: document.settlementDigest },
      'WORK_REFUSED',
    )
    const describe = (party: Address) => (nonce: bigint, expiry: bigint) =>
      buildAcceptanceTypedData(createSigningContext(devnet.deployments, market), {
        terms: counter.signed,
        worker,
        party,
        nonce,
        expiry,
      })
    const ofPoster = await signInTwoSteps(call, to, { address: poster, ...acceptance }, 86_400, describe(poster))
    const half = {
      ...countered,
      phase: 'HALF_ACCEPTED',
      turn: worker,
      yourTurn: false,
      accepted: { poster: true, worker: false },
      messages: 3,
    }
    assertEqual(ofPoster[0], { negotiation: half, nextStep: sent, meta }, `one acceptance in ${market}`)
    const ofWorker = await signInTwoSteps(call, to, { address: worker, ...acceptance }, 86_400, describe(worker))
    const agreed = {
      ...countered,
      phase: 'AGREED',
      turn: worker,
      yourTurn: true,
      accepted: { poster: true, worker: true },
      messages: 4,
    }
    const input = {
      market,
      terms: describeSigned(counter.signed),
      worker,
      posterAcceptance: ofPoster[1],
      workerAcceptance: ofWorker[1],
    }
    assertEqual(
      ofWorker[0],
      {
        negotiation: agreed,
        next: { action: 'create-task', input },
        nextStep: 'Both accepted. The poster calls svc_prepare with next and its address to create the task.',
        meta,
      },
      `an agreement in ${market}`,
    )
  }

  /** The newest offer in the mailbox of a party, and what it must be. */
  async function readOffer(market: Market, wallet: Address, maxRevisions: number) {
    const envelopes = (await machine.readMail(wallet)).flatMap((each) => ('envelope' in each ? [each.envelope] : []))
    const offers = envelopes.flatMap(({ negotiationId, payload }) =>
      'terms' in payload && payload.terms.market === market ? [{ negotiationId, payload }] : [],
    )
    const { negotiationId, payload } = offers.at(-1) ?? {}
    if (!negotiationId || !payload) throw new Error(`${wallet} got no offer in ${market}.`)
    const { nonce, claimDeadline, settlementDigest } = payload.terms
    const chosen = { nonce: String(nonce), claimDeadline: Number(claimDeadline) }
    const { document, signed } = buildExpectedTerms(world, market, chosen, maxRevisions)
    assertEqual(settlementDigest, document.settlementDigest, `the offer in ${market}`)
    return { negotiationId, document, signed, reason: 'reason' in payload ? payload.reason : null }
  }
}

/** The terms as `create-task` takes them. */
const describeSigned = ({ amounts, durations, reviewWindow, claimDeadline, ...signed }: Signed) => ({
  poster: signed.poster,
  amountsTokWei: amounts,
  durationsSeconds: durations.map(Number),
  reviewWindowSeconds: Number(reviewWindow),
  maxRevisions: signed.maxRevisions,
  arbitrator: signed.arbitrator,
  store: null,
  criteriaHash: signed.criteriaHash,
  scope: 'PRIVATE',
  claimPolicy: 'ANYONE',
  claimDeadline: Number(claimDeadline),
  nonce: signed.nonce,
})

type Signed = ReturnType<typeof buildExpectedTerms>['signed']
