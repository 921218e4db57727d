import {
  type Address,
  concat,
  type Hex,
  keccak256,
  numberToHex,
  pad,
  recoverAddress,
  stringToHex,
  zeroAddress,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import ids from '../vectors/ids.json' with { type: 'json' }
import terms from '../vectors/terms.json' with { type: 'json' }
import texts from '../vectors/texts.json' with { type: 'json' }
import typedData from '../vectors/typedData.json' with { type: 'json' }
import { market } from './base/marketSchema.ts'
import { normalizeText } from './base/plainText.ts'
import { formatTaskId, InvalidTaskIdError, parseTaskId } from './tasks/taskId.ts'
import { decodeTaskText, encodeTaskText, hashTaskText, maxTextBytes, title } from './tasks/taskText.ts'
import {
  formatTermsText,
  type TermsDocumentJson,
  termsDocument,
  toSigningContext,
  toTaskTerms,
  verifyTerms,
} from './terms/terms.ts'
import {
  buildAcceptanceTypedData,
  buildClaimPermitTypedData,
  buildMutualCancelTypedData,
  buildStorageReceiptTypedData,
  computeSettlementDigest,
  type SigningContext,
} from './terms/typedData.ts'

test('no file of vectors is empty', () => {
  expect(ids.ids.length).toBeGreaterThanOrEqual(10)
  expect(ids.refused.length).toBeGreaterThanOrEqual(20)
  expect(texts.texts.length).toBeGreaterThanOrEqual(30)
  expect(texts.refusedTitles.length).toBeGreaterThanOrEqual(20)
  expect(terms.documents.length).toBeGreaterThanOrEqual(30)
  for (const { signatures } of [typedData.acceptances, typedData.permits, typedData.cancels]) {
    expect(signatures.length).toBeGreaterThanOrEqual(6)
  }
})

describe('ids', () => {
  test.each(rows(ids.ids))('%s', (id, row) => {
    const task = { market: market.parse(ids.markets[row]), number: BigInt(at(ids.numbers, row)) }
    expect(parseTaskId(id)).toEqual(task)
    expect(formatTaskId(task)).toBe(id)
  })

  test.each(ids.refused)('%j is refused', (id) => {
    expect(() => parseTaskId(id)).toThrow(InvalidTaskIdError)
  })
})

describe('texts', () => {
  test.each(rows(texts.names))('%s', (_, row) => {
    const text = at(texts.texts, row)
    const words = {
      title: normalizeText(at(texts.titles, row)),
      criteria: normalizeText(at(texts.criteria, row)),
      milestones: at(texts.milestones, row).map(normalizeText),
    }
    expect(encodeTaskText(words)).toBe(text)
    expect(decodeTaskText(text)).toEqual({ ...words, canonical: true })
    expect(hashTaskText(text)).toBe(texts.criteriaHashes[row])
    // Of strings alone, RFC 8785 leaves what JSON.stringify writes, with the keys in order.
    const { title, criteria, milestones } = words
    expect(text).toBe(JSON.stringify({ criteria, milestones, title }))
    expect(keccak256(new TextEncoder().encode(text))).toBe(texts.criteriaHashes[row])
  })

  test('different input forms give the same text', () => {
    const textNamed = (name: string) => at(texts.texts, texts.names.indexOf(name))
    expect(textNamed('accents in two pieces')).toBe(textNamed('accents in one piece'))
  })

  test('the longest texts use all bytes', () => {
    const sizes = texts.texts.map((text) => new TextEncoder().encode(text).length)
    expect(sizes.filter((size) => size === maxTextBytes)).toHaveLength(4)
    expect(Math.max(...sizes)).toBe(maxTextBytes)
  })

  test.each(rows(texts.refusedBecause))('a title with %s is refused', (_, row) => {
    expect(title.safeParse(texts.refusedTitles[row]).success).toBe(false)
  })
})

describe('terms', () => {
  test.each(rows(terms.names))('%s', (_, row) => {
    const json = at(terms.documents, row)
    const document = z.decode(termsDocument, json as TermsDocumentJson)
    expect(z.encode(termsDocument, document)).toEqual(json)
    expect(verifyTerms(document)).toBe(true)
    expect(formatTermsText(document)).toBe(terms.texts[row])
    expect(document.criteriaHash).toBe(terms.criteriaHashes[row])

    const struct = toTaskTerms(document)
    expect(struct).toEqual(toStruct(row))
    const worker = at(terms.workers, row) as Address
    const context = toSigningContext(document)
    expect(context).toEqual(contextOfRow(row))
    expect(computeSettlementDigest(context, struct, zeroAddress)).toBe(terms.unclaimedDigests[row])
    expect(computeSettlementDigest(context, struct, worker)).toBe(terms.claimedDigests[row])
    expect(document.settlementDigest).toBe((document.worker ? terms.claimedDigests : terms.unclaimedDigests)[row])
  })

  test.each(rows(terms.names))('%s, hashed by hand', (_, row) => {
    const termsHash = hashTermsByHand(row)
    expect(termsHash).toBe(terms.termsHashes[row])
    const separator = separatorByHand(at(terms.registries, row) as Address)
    const digest = (worker: Address) => digestByHand(separator, settlementByHand(termsHash, worker))
    expect(digest(zeroAddress)).toBe(terms.unclaimedDigests[row])
    expect(digest(at(terms.workers, row) as Address)).toBe(terms.claimedDigests[row])
  })

  test('no two of them share a digest', () => {
    const digests = [...terms.unclaimedDigests, ...terms.claimedDigests]
    expect(new Set(digests).size).toBe(digests.length)
  })
})

describe('signatures', () => {
  test.each(rows(typedData.markets))('the domain of the %s market', (_, row) => {
    expect(separatorByHand(at(typedData.registries, row) as Address)).toBe(typedData.domainSeparators[row])
  })

  const { acceptances, permits, cancels, receipts } = typedData
  test.each(rows(acceptances.digests))('acceptance %s', async (digest, row) => {
    const termsRow = at(acceptances.terms, row)
    const worker = at(acceptances.workers, row) as Address
    const party = at(acceptances.parties, row) as Address
    const message = { terms: toStruct(termsRow), worker, party, ...pickFreshness(acceptances, row) }
    await expectSigned(acceptances, row, buildAcceptanceTypedData(contextOfRow(termsRow), message), party)
    const settlement = settlementByHand(hashTermsByHand(termsRow), worker)
    const typeHash = hashText(`${acceptanceType}${settlementType}${termsType}`)
    const words = [typeHash, settlement, pad(party), ...freshWords(acceptances, row)]
    expect(digestByHand(separatorByHand(at(terms.registries, termsRow) as Address), keccak256(concat(words)))).toBe(
      digest,
    )
  })

  test.each(rows(permits.digests))('permit %s', async (digest, row) => {
    const taskRegistry = at(permits.registries, row) as Address
    const worker = at(permits.workers, row) as Address
    const taskId = BigInt(at(permits.taskIds, row))
    const settlementDigest = at(permits.settlementDigests, row) as Hex
    const message = { taskId, settlementDigest, worker, ...pickFreshness(permits, row) }
    const context = { ...contextOfRow(0), taskRegistry }
    await expectSigned(permits, row, buildClaimPermitTypedData(context, message), at(permits.posters, row) as Address)
    const words = [hashText(permitType), word(taskId), settlementDigest, pad(worker), ...freshWords(permits, row)]
    expect(digestByHand(separatorByHand(taskRegistry), keccak256(concat(words)))).toBe(digest)
  })

  test.each(rows(cancels.digests))('cancel %s', async (digest, row) => {
    const termsRow = at(cancels.terms, row)
    const agreement = at(cancels.settlementDigests, row) as Hex
    const party = at(cancels.parties, row) as Address
    const taskId = BigInt(at(cancels.taskIds, row))
    const milestone = BigInt(at(cancels.milestones, row))
    const state = at(cancels.states, row)
    const reviewEnd = BigInt(at(cancels.reviewEnds, row))
    const disputePhase = at(cancels.disputePhases, row)
    const workerBps = BigInt(at(cancels.workerBps, row))
    const place = { state, reviewEnd, disputePhase }
    const fresh = pickFreshness(cancels, row)
    const message = { taskId, settlementDigest: agreement, milestone, ...place, workerBps, party, ...fresh }
    await expectSigned(cancels, row, buildMutualCancelTypedData(contextOfRow(termsRow), message), party)
    const where = [word(milestone), word(state), word(reviewEnd), word(disputePhase)]
    const fields = [word(taskId), agreement, ...where, word(workerBps), pad(party), ...freshWords(cancels, row)]
    const structHash = keccak256(concat([hashText(cancelType), ...fields]))
    expect(digestByHand(separatorByHand(at(terms.registries, termsRow) as Address), structHash)).toBe(digest)
    expect(agreement).toBe(terms.claimedDigests[termsRow])
  })

  test.each(rows(receipts.digests))('receipt %s', async (digest, row) => {
    const taskRegistry = at(receipts.registries, row) as Address
    const message = {
      taskId: BigInt(at(receipts.taskIds, row)),
      milestone: BigInt(at(receipts.milestones, row)),
      revision: BigInt(at(receipts.revisions, row)),
      worker: at(receipts.workers, row) as Address,
      proofHash: at(receipts.proofHashes, row) as Hex,
      size: BigInt(at(receipts.sizes, row)),
      until: BigInt(at(receipts.untils, row)),
    }
    const typed = buildStorageReceiptTypedData({ ...contextOfRow(0), taskRegistry }, message)
    await expectSigned(receipts, row, typed, at(receipts.stores, row) as Address)
    const { taskId, milestone, revision, worker, proofHash, size, until } = message
    const delivery = [word(taskId), word(milestone), word(revision), pad(worker), proofHash]
    const words = [hashText(receiptType), ...delivery, word(size), word(until)]
    expect(digestByHand(separatorByHand(taskRegistry), keccak256(concat(words)))).toBe(digest)
  })
})

interface FreshColumns {
  nonces: string[]
  expiries: number[]
}

interface SignedColumns {
  digests: string[]
  keyIndices: number[]
  signatures: string[]
  signers: string[]
}

/** The key of the vector signs the typed data to the very bytes of the vector, and they recover to its signer. */
async function expectSigned(columns: SignedColumns, row: number, data: unknown, signer: Address): Promise<void> {
  const account = mnemonicToAccount(typedData.mnemonic, { addressIndex: at(columns.keyIndices, row) })
  const signature = at(columns.signatures, row) as Hex
  expect(await account.signTypedData(data as never)).toBe(signature)
  const recovered = await recoverAddress({ hash: at(columns.digests, row) as Hex, signature })
  expect([recovered, account.address, columns.signers[row]]).toEqual([signer, signer, signer])
}

const pickFreshness = ({ nonces, expiries }: FreshColumns, row: number) => ({
  nonce: BigInt(at(nonces, row)),
  expiry: BigInt(at(expiries, row)),
})

const freshWords = (columns: FreshColumns, row: number): Hex[] => {
  const { nonce, expiry } = pickFreshness(columns, row)
  return [word(nonce), word(expiry)]
}

function contextOfRow(row: number): SigningContext {
  return {
    chainId: terms.chainId,
    market: market.parse(terms.markets[row]),
    taskRegistry: at(terms.registries, row) as Address,
    asset: at(terms.assets, row) as Address,
  }
}

function toStruct(row: number) {
  return {
    poster: at(terms.posters, row) as Address,
    amounts: at(terms.amounts, row).map(BigInt),
    durations: at(terms.durations, row).map(BigInt),
    reviewWindow: BigInt(at(terms.reviewWindows, row)),
    maxRevisions: at(terms.maxRevisions, row),
    arbitrator: at(terms.arbitrators, row) as Address,
    store: at(terms.stores, row) as Address,
    criteriaHash: at(terms.criteriaHashes, row) as Hex,
    scope: at(terms.scopes, row),
    claimPolicy: at(terms.claimPolicies, row),
    claimDeadline: BigInt(at(terms.claimDeadlines, row)),
    nonce: BigInt(at(terms.nonces, row)),
  }
}

// EIP-712 by hand, from the type strings of the contracts: nothing here knows the package's types.
const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
const termsType =
  'TaskTerms(string market,address poster,address asset,uint256[] amounts,uint64[] durations,uint64 reviewWindow,uint8 maxRevisions,address arbitrator,address store,bytes32 criteriaHash,uint8 scope,uint8 claimPolicy,uint64 claimDeadline,uint256 nonce)'
const settlementType = 'TaskSettlement(TaskTerms terms,address worker)'
const acceptanceType = 'TaskAcceptance(TaskSettlement settlement,address party,uint256 nonce,uint64 expiry)'
const permitType = 'ClaimPermit(uint256 taskId,bytes32 settlementDigest,address worker,uint256 nonce,uint64 expiry)'
const cancelType =
  'MutualCancel(uint256 taskId,bytes32 settlementDigest,uint256 milestone,uint8 state,uint256 reviewEnd,uint8 disputePhase,uint256 workerBps,address party,uint256 nonce,uint64 expiry)'
const receiptType =
  'StorageReceipt(uint256 taskId,uint256 milestone,uint256 revision,address worker,bytes32 proofHash,uint64 size,uint64 until)'

function hashTermsByHand(row: number): Hex {
  const struct = toStruct(row)
  return keccak256(
    concat([
      hashText(termsType),
      hashText(at(terms.markets, row)),
      pad(struct.poster),
      pad(at(terms.assets, row) as Address),
      keccak256(concat(struct.amounts.map(word))),
      keccak256(concat(struct.durations.map(word))),
      word(struct.reviewWindow),
      word(struct.maxRevisions),
      pad(struct.arbitrator),
      pad(struct.store),
      struct.criteriaHash,
      word(struct.scope),
      word(struct.claimPolicy),
      word(struct.claimDeadline),
      word(struct.nonce),
    ]),
  )
}

const settlementByHand = (termsHash: Hex, worker: Address): Hex =>
  keccak256(concat([hashText(settlementType + termsType), termsHash, pad(worker)]))

const separatorByHand = (registry: Address): Hex =>
  keccak256(concat([hashText(domainType), hashText('Svc Task Market'), hashText('2'), word(8453), pad(registry)]))

const digestByHand = (separator: Hex, structHash: Hex): Hex => keccak256(concat(['0x1901', separator, structHash]))

function hashText(text: string): Hex {
  return keccak256(stringToHex(text))
}

function word(number: number | bigint): Hex {
  return numberToHex(number, { size: 32 })
}

/** Values with their row, for `test.each`. */
function rows<value>(column: readonly value[]): [value, number][] {
  return column.map((value, row) => [value, row])
}

/** A cell that must be there. */
function at<value>(column: readonly value[], row: number): value {
  const cell = column[row]
  if (cell === undefined) throw new Error(`A column of the vectors has no row ${row}.`)
  return cell
}
