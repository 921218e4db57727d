import { criteriaHash, type Market, settlementDigest, settlementTypedData, type TaskTerms } from '@svc/protocol'
import { type Address, type Hex, hashStruct, zeroAddress } from 'viem'
import { createChainReader } from '../chainReader.ts'
import { type Deployments, signingContext } from '../deployments.ts'
import { marketPlaces } from '../market.ts'
import type { Providers } from '../providers.ts'
import type { MarketReader, TaskDetail } from '../reader.ts'
import { ProofError } from './merkle.ts'
import { proveTask } from './proveTask.ts'

/** What of a task's detail stands in logs or in another contract, where only the provider's word is had. */
export const unprovenParts = ['dispute', 'timeline'] as const satisfies readonly (keyof TaskDetail)[]

/**
 * A reader at one block whose single tasks are proven: what is stored by `eth_getProof`, terms and text by the hashes that
 * are. A provider cannot make it say anything else about them; it can only keep it from saying anything.
 */
export function createProvingReader(providers: Providers, deployments: Deployments, at: Hex): MarketReader {
  const places = marketPlaces(deployments)
  const reader = createChainReader(providers, places, { at })
  return {
    ...reader,
    async getTask(market, number) {
      const { task: proven, block: header } = await proveTask(providers, places.markets[market], number, at)
      const { stateRoot: _, ...block } = header
      if (!proven) return { detail: null, block }
      const { detail } = await reader.getTask(market, number)
      const { termsHash, ...task } = proven
      if (!detail || hashOf(market, detail.terms) !== termsHash) {
        throw new ProofError(`of task ${number} shows other terms than the provider's logs`)
      }
      const { terms, text } = detail
      if (task.scope === 'OPEN' && (text === null || criteriaHash(text) !== terms.criteriaHash)) {
        throw new ProofError(`of task ${number} shows another text than the provider's logs`)
      }
      const digest = settlementDigest(contextOf(market), terms, task.worker ?? zeroAddress)
      return { detail: { ...detail, task: { ...task, settlementDigest: digest } }, block }
    },
  }

  function contextOf(market: Market) {
    return signingContext(deployments, market)
  }

  /** The hash of terms as the registry stores it. */
  function hashOf(market: Market, terms: TaskTerms): Hex {
    const nobody: Address = zeroAddress
    const { types, message } = settlementTypedData(contextOf(market), terms, nobody)
    return hashStruct({ types, primaryType: 'TaskTerms', data: message.terms })
  }
}
