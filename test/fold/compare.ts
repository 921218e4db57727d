import { isDeepStrictEqual } from 'node:util'
import { creditCap, creditRate, settlementTypedData } from '@svc/protocol'
import { hashStruct } from 'viem'
import { newAgent } from '../../packages/protocol/src/fold/agent.ts'
import type { Entity } from '../../packages/protocol/src/fold/apply.ts'
import { newArbitrator } from '../../packages/protocol/src/fold/arbitrator.ts'
import { newReserve } from '../../packages/protocol/src/fold/ledger.ts'
import { type FoldedTask, termsOf } from '../../packages/protocol/src/fold/task.ts'
import type { EntityKey } from '../../packages/protocol/src/fold/touches.ts'
import { newUnion, unionAt } from '../../packages/protocol/src/fold/union.ts'
import type { UnionRecord } from '../../packages/protocol/src/records/agent.ts'
import type { SigningContext } from '../../packages/protocol/src/typedData.ts'
import type { ChainState } from './readChain.ts'

/** Every field of every entity in which the fold and the chain differ, in words; empty when they agree. */
export function differences(folded: ReadonlyMap<EntityKey, Entity>, chain: ChainState): string[] {
  const found: string[] = []
  const compare = (place: string, ours: unknown, theirs: unknown) => {
    if (!isDeepStrictEqual(ours, theirs)) found.push(`${place}: folded ${shown(ours)}, stored ${shown(theirs)}`)
  }
  for (const [key, stored] of chain.entities) {
    const entity: Entity | null = folded.get(key) ?? untouched(key)
    if (!entity) found.push(`${key} is on chain only`)
    else
      for (const [field, theirs] of Object.entries(stored)) compare(`${key} ${field}`, fieldOf(entity, field), theirs)
  }
  for (const [key, entity] of folded) {
    // No view shows who has settled with whom; every pair is counted in two wallets.
    if (key.startsWith('pair:')) continue
    const stored = chain.entities.get(key)
    if (!stored) found.push(`${key} is in the fold only`)
    else
      for (const field of Object.keys(entity))
        if (!(field in stored) && !ours.has(field)) found.push(`${key} ${field} is in the fold only`)
  }
  const union = unionAt((folded.get('union') as UnionRecord | undefined) ?? newUnion(), chain.timestamp, {
    creditCap,
    creditRate,
  })
  compare('union credits now', union.totalCreditsIssued, chain.union.totalCreditsIssued)
  compare('union rewards now', union.rewardReserve, chain.union.rewardReserve)
  return found
}

/** What the fold has beyond the record: the hash of the terms proves the first two, and the digest shows when a worker goes. */
const ours = new Set(['criteriaHash', 'nonce', 'openDigest'])

function untouched(key: EntityKey): Entity | null {
  const [kind, first = '', second = ''] = key.split(':')
  if (kind === 'agent') return newAgent(first as `0x${string}`)
  if (kind === 'arbitrator') return newArbitrator(first as `0x${string}`)
  if (kind === 'reserve') return newReserve(BigInt(first), second as `0x${string}`)
  return kind === 'union' ? newUnion() : null
}

/** The hash of a task's terms, made of what the fold knows. */
export function termsHashOf(task: FoldedTask, context: SigningContext) {
  const { types, message } = settlementTypedData(context, termsOf(task), task.poster)
  return hashStruct({ types, primaryType: 'TaskTerms', data: message.terms as never })
}

const fieldOf = (entity: Entity, field: string) => (entity as unknown as Record<string, unknown>)[field]

function shown(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? 'nothing'
}
