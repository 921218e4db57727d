import { isDeepStrictEqual } from 'node:util'
import { buildSettlementTypedData } from '@svc/protocol'
import { creditCap, creditRate } from '@svc/protocol/internal/money'
import { hashStruct } from 'viem'
import type { EntityKey } from '../../packages/protocol/src/fold/affectedEntities.ts'
import { createAgentRecord } from '../../packages/protocol/src/fold/agent.ts'
import type { Entity } from '../../packages/protocol/src/fold/applyEvent.ts'
import { createArbitratorRecord } from '../../packages/protocol/src/fold/arbitrator.ts'
import { createEntriesRecord } from '../../packages/protocol/src/fold/marketEntries.ts'
import { createReserveRecord } from '../../packages/protocol/src/fold/reserve.ts'
import { extractTaskTerms, type FoldedTask } from '../../packages/protocol/src/fold/task.ts'
import { accrueUnion, createUnionRecord } from '../../packages/protocol/src/fold/union.ts'
import type { UnionRecord } from '../../packages/protocol/src/records/agent.ts'
import type { SigningContext } from '../../packages/protocol/src/terms/typedData.ts'
import type { ChainState } from './readChain.ts'

/** Describes each field of each entity in which the fold differs from the chain. */
export function* findFoldDifferences(folded: ReadonlyMap<EntityKey, Entity>, chain: ChainState): Generator<string> {
  function* compare(place: string, ours: unknown, theirs: unknown) {
    if (!isDeepStrictEqual(ours, theirs)) yield `${place}: folded ${shown(ours)}, stored ${shown(theirs)}`
  }
  for (const [key, stored] of chain.entities) {
    const entity: Entity | null = folded.get(key) ?? untouched(key)
    if (!entity) yield `${key} is on chain only`
    else
      for (const [field, theirs] of Object.entries(stored))
        yield* compare(`${key} ${field}`, getField(entity, field), theirs)
  }
  for (const [key, entity] of folded) {
    // No view returns which wallets settled with each other. Every pair is counted in two wallets.
    if (key.startsWith('pair:')) continue
    const stored = chain.entities.get(key)
    if (!stored) yield `${key} is in the fold only`
    else
      for (const field of Object.keys(entity))
        if (!(field in stored) && !ours.has(field)) yield `${key} ${field} is in the fold only`
  }
  const union = accrueUnion((folded.get('union') as UnionRecord | undefined) ?? createUnionRecord(), chain.timestamp, {
    creditCap,
    creditRate,
  })
  yield* compare('union credits now', union.totalCreditsIssued, chain.union.totalCreditsIssued)
  yield* compare('union rewards now', union.rewardReserve, chain.union.rewardReserve)
}

/**
 * Fields that only the fold has. The terms hash covers the first two; the digest is checked when a worker leaves; the contract
 * keeps the proof to itself.
 */
const ours = new Set(['criteriaHash', 'nonce', 'openDigest', 'proofHash'])

function untouched(key: EntityKey): Entity | null {
  const [kind, first = '', second = ''] = key.split(':')
  if (kind === 'agent') return createAgentRecord(first as `0x${string}`)
  if (kind === 'arbitrator') return createArbitratorRecord(first as `0x${string}`)
  if (kind === 'reserve') return createReserveRecord(BigInt(first), second as `0x${string}`)
  if (kind === 'entries') return createEntriesRecord()
  return kind === 'union' ? createUnionRecord() : null
}

/** Computes the hash of a task's terms from the fold. */
export function hashFoldedTerms(task: FoldedTask, context: SigningContext) {
  const { types, message } = buildSettlementTypedData(context, extractTaskTerms(task), task.poster)
  return hashStruct({ types, primaryType: 'TaskTerms', data: message.terms as never })
}

const getField = (entity: Entity, field: string) => (entity as unknown as Record<string, unknown>)[field]

function shown(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? 'nothing'
}
