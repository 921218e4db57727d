// The terms of a private task: a draft, and the document and digest that must come of it.
import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { computeSettlementDigest, encodeTaskText, type Market } from '@svc/protocol'
import { defaultReviewWindow } from '@svc/protocol/internal/money'
import {
  getTypesForEIP712Domain,
  keccak256,
  serializeTypedData,
  type TypedDataDefinition,
  toHex,
  zeroAddress,
} from 'viem'
import type { Json, JsonObject } from './call.ts'
import type { BehaviourWorld } from './world.ts'

export const draft = {
  poster: accounts.ada.address,
  worker: accounts.emeka.address,
  title: 'A logo',
  criteria: 'An SVG file.',
  milestones: [
    { title: 'Draft', amount: '250.5', duration: '48 hours' },
    { title: 'Final', amount: '100', duration: '3 days' },
  ],
  maxRevisions: 2,
  arbitrator: accounts.kofi.address,
}

/** What becomes of the draft. The nonce and the deadline are chosen by whoever builds it, and covered by the digest. */
export function buildExpectedTerms(
  { facts, devnet }: BehaviourWorld,
  market: Market,
  { nonce, claimDeadline }: JsonObject,
  maxRevisions = draft.maxRevisions,
) {
  const { timestamp } = facts.block
  const { contracts, params } = facts[market]
  if (!/^[0-9]+$/.test(String(nonce))) throw new Error(`${nonce} is not a nonce.`)
  if (Number(claimDeadline) <= timestamp || Number(claimDeadline) > timestamp + params.maxClaimDeadline + 60)
    throw new Error(`${claimDeadline} is no deadline.`)
  const { poster, worker, title, criteria, arbitrator } = draft
  const amounts = [250_500_000_000_000_000_000n, 100_000_000_000_000_000_000n]
  const durations = [172_800, 259_200]
  const signed = {
    poster,
    amounts,
    durations: durations.map(BigInt),
    reviewWindow: BigInt(defaultReviewWindow[market]),
    maxRevisions,
    arbitrator,
    store: zeroAddress,
    criteriaHash: keccak256(
      toHex(encodeTaskText({ title, criteria, milestones: draft.milestones.map((each) => each.title) })),
    ),
    scope: 1,
    claimPolicy: 0,
    claimDeadline: BigInt(Number(claimDeadline)),
    nonce: BigInt(String(nonce)),
  }
  const document = {
    chainId: 8453,
    market,
    taskRegistry: contracts.taskRegistry,
    asset: devnet.deployments.shared.tokToken,
    poster,
    worker,
    scope: 'PRIVATE',
    claimPolicy: 'ANYONE',
    title,
    criteria,
    milestones: draft.milestones.map((each, index) => ({
      title: each.title,
      amountTokWei: String(amounts[index]),
      durationSeconds: durations[index] ?? 0,
    })),
    reviewWindowSeconds: defaultReviewWindow[market],
    maxRevisions,
    arbitrator,
    store: null,
    claimDeadline: Number(claimDeadline),
    nonce: String(nonce),
    criteriaHash: signed.criteriaHash,
    settlementDigest: computeSettlementDigest(createSigningContext(devnet.deployments, market), signed, worker),
  }
  return { document, signed }
}

/** Typed data as a wallet takes it. */
export function describeTypedData({ domain = {}, types, ...rest }: TypedDataDefinition): Json {
  const all = { EIP712Domain: getTypesForEIP712Domain({ domain }), ...types }
  return JSON.parse(serializeTypedData<Record<string, unknown>, string>({ domain, ...rest, types: all }))
}
