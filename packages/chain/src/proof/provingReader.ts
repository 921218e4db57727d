import {
  buildSettlementTypedData,
  computeSettlementDigest,
  formatTaskId,
  hashTaskText,
  type Market,
  type TaskTerms,
} from '@svc/protocol'
import { type Address, type Hex, hashStruct, zeroAddress } from 'viem'
import { createChainReader } from '../chainReader.ts'
import { createSigningContext, type Deployments } from '../deployments.ts'
import { getMarketDeployment } from '../market.ts'
import type { Providers } from '../providers.ts'
import type { At, MarketReader, TaskDetail, TaskSummary } from '../reader.ts'
import { ProofError } from './merkle.ts'
import { proveTask } from './proveTask.ts'

/** Parts of a task's detail that come from logs or another contract and are not proven. */
export const unprovenParts = ['dispute', 'timeline', 'claimableUntil', 'allowedWorker'] as const satisfies readonly (
  | keyof TaskDetail
  | keyof TaskDetail['task']
)[]

/**
 * Creates a reader at one block that proves single tasks: their storage with `eth_getProof`, terms and text by their stored
 * hashes. A provider cannot forge a task; it can only make the read fail.
 */
export function createProvingReader(providers: Providers, deployments: Deployments, at: Hex): MarketReader {
  const deployment = getMarketDeployment(deployments)
  const reader = createChainReader(providers, deployment, { at })
  return {
    ...reader,
    getTask: (market, number) => prove(market, number, reader.getTask),
    getTaskSummary: (market, number) => prove(market, number, reader.getTaskSummary),
  }

  async function prove<T extends TaskSummary>(
    market: Market,
    number: bigint,
    read: (market: Market, number: bigint) => Promise<{ detail: T | null }>,
  ): Promise<At<{ detail: T | null }>> {
    const { task: proven, block: header } = await proveTask(providers, deployment.markets[market], number, at)
    const { stateRoot: _, ...block } = header
    if (!proven) return { detail: null, block }
    const { detail } = await read(market, number)
    const { termsHash, ...task } = proven
    if (!detail || hashTerms(market, detail.terms) !== termsHash) {
      throw new ProofError(
        `of task ${formatTaskId({ market, number })} shows terms that differ from the provider's logs`,
      )
    }
    const { terms, text } = detail
    if (task.scope === 'OPEN' && (text === null || hashTaskText(text) !== terms.criteriaHash)) {
      throw new ProofError(
        `of task ${formatTaskId({ market, number })} shows a text that differs from the provider's logs`,
      )
    }
    const digest = computeSettlementDigest(getSigningContext(market), terms, task.worker ?? zeroAddress)
    const { claimableUntil, allowedWorker } = detail.task
    return { detail: { ...detail, task: { ...task, settlementDigest: digest, claimableUntil, allowedWorker } }, block }
  }

  function getSigningContext(market: Market) {
    return createSigningContext(deployments, market)
  }

  /** Hashes terms the way the registry stores them. */
  function hashTerms(market: Market, terms: TaskTerms): Hex {
    const noWorker: Address = zeroAddress
    const { types, message } = buildSettlementTypedData(getSigningContext(market), terms, noWorker)
    return hashStruct({ types, primaryType: 'TaskTerms', data: message.terms })
  }
}
