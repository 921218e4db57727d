import type { Market, TaskTerms } from '@svc/protocol'
import { type Address, type Hex, zeroAddress } from 'viem'
import { addressWord, uintWord } from '../encode.ts'
import { keccak, keccakText } from '../hash.ts'
import type { Digests } from './frame.ts'

const termsType =
  'TaskTerms(string market,address poster,address asset,uint256[] amounts,uint64[] durations,uint64 reviewWindow,uint8 maxRevisions,address arbitrator,address store,bytes32 criteriaHash,uint8 scope,uint8 claimPolicy,uint64 claimDeadline,uint256 nonce)'
const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
const bare = (hash: Hex) => hash.slice(2)
const termsTypeHash = bare(keccakText(termsType))
const settlementTypeHash = bare(keccakText(`TaskSettlement(TaskTerms terms,address worker)${termsType}`))

/** Creates the EIP-712 hashes of a registry, encoded by hand for speed. */
export function createDigests(market: Market, chainId: number, taskRegistry: Address, asset: Address): Digests {
  const marketHash = bare(keccakText(market))
  const names = [domainType, 'Svc Task Market', '2'].map((text) => bare(keccakText(text))).join('')
  const domain = bare(keccak(names + uintWord(chainId) + addressWord(taskRegistry)))
  // Cached, because the oracle asks for the same digests at every block.
  const settlements = new Map<string, Hex>()
  const settlement = (termsHash: Hex, worker: Address | null) => {
    const key = bare(termsHash) + addressWord(worker ?? zeroAddress)
    const known = settlements.get(key)
    if (known) return known
    const digest = keccak(`1901${domain}${bare(keccak(settlementTypeHash + key))}`)
    settlements.set(key, digest)
    return digest
  }
  const terms = (each: TaskTerms) =>
    keccak(
      termsTypeHash +
        marketHash +
        addressWord(each.poster) +
        addressWord(asset) +
        bare(keccak(each.amounts.map(uintWord).join(''))) +
        bare(keccak(each.durations.map(uintWord).join(''))) +
        uintWord(each.reviewWindow) +
        uintWord(each.maxRevisions) +
        addressWord(each.arbitrator) +
        addressWord(each.store) +
        bare(each.criteriaHash) +
        uintWord(each.scope) +
        uintWord(each.claimPolicy) +
        uintWord(each.claimDeadline) +
        uintWord(each.nonce),
    )
  return { terms, settlement }
}
