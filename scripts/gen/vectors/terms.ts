import { type Address, getAddress, hashStruct, keccak256, maxUint256, slice, stringToHex, zeroAddress } from 'viem'
import { accounts } from '../../../packages/devnet/src/accounts.ts'
import { base } from '../../../packages/protocol/src/base/chains.ts'
import { type Market, markets } from '../../../packages/protocol/src/base/market.ts'
import {
  formatTermsText,
  sealTerms,
  type TermsDocument,
  type TermsDocumentJson,
  toSigningContext,
  toTaskTerms,
} from '../../../packages/protocol/src/terms/terms.ts'
import {
  buildSettlementTypedData,
  computeSettlementDigest,
  type SigningContext,
} from '../../../packages/protocol/src/terms/typedData.ts'

const { ada, bruno, emeka, hana, jun, olga } = accounts
const maxUint128 = 2n ** 128n - 1n
const maxSeconds = 2n ** 40n - 1n

type Unsealed = Omit<TermsDocument, 'criteriaHash' | 'settlementDigest'>

/** Addresses that nobody owns, so that no vector is a real agreement. */
const named = (name: string): Address => getAddress(slice(keccak256(stringToHex(name)), 12))

/** The signing contexts of the vectors. */
export const contexts = Object.fromEntries(
  markets.map((market) => [
    market,
    { chainId: base.id, market, taskRegistry: named(`registry of ${market}`), asset: named('TOK') },
  ]),
) as Record<Market, SigningContext>

const paying = (...amounts: bigint[]) =>
  amounts.map((amountTokWei, index) => ({
    title: `Part ${index + 1}`,
    amountTokWei,
    durationSeconds: 86_400n + BigInt(index),
  }))

const plain: Omit<Unsealed, keyof SigningContext> = {
  poster: ada.address,
  worker: null,
  scope: 'OPEN',
  claimPolicy: 'ANYONE',
  title: 'Caption ten photos',
  criteria: 'One sentence each, under 125 characters.',
  milestones: paying(10n ** 18n),
  reviewWindowSeconds: 86_400n,
  maxRevisions: 1,
  arbitrator: null,
  store: null,
  claimDeadline: 1_800_000_000n,
  nonce: 1n,
}

/** What each case changes in the plain task. */
const cases: Record<string, Partial<Unsealed>> = {
  plain: {},
  'permit only': { claimPolicy: 'PERMIT' },
  private: { scope: 'PRIVATE', worker: emeka.address },
  'private with a named arbitrator': { scope: 'PRIVATE', worker: hana.address, arbitrator: jun.address },
  'permit only with a named arbitrator': { claimPolicy: 'PERMIT', arbitrator: jun.address },
  'with a store': { store: olga.address },
  'private with a store': { scope: 'PRIVATE', worker: emeka.address, store: olga.address },
  'another poster': { poster: bruno.address },
  'three milestones': { milestones: paying(1n, 2n, 3n) },
  'sixteen milestones': { milestones: paying(...Array.from({ length: 16 }, (_, index) => 10n ** BigInt(index))) },
  'the largest amount': { milestones: paying(maxUint128) },
  'sixteen of the largest amount': { milestones: paying(...Array.from({ length: 16 }, () => maxUint128)) },
  'the largest nonce': { nonce: maxUint256 },
  'the longest times': {
    milestones: [{ title: 'All', amountTokWei: 1n, durationSeconds: maxSeconds }],
    reviewWindowSeconds: maxSeconds,
    claimDeadline: maxSeconds,
  },
  'zero wherever there may be one': {
    milestones: [{ title: 'All', amountTokWei: 0n, durationSeconds: 0n }],
    reviewWindowSeconds: 0n,
    maxRevisions: 0,
    claimDeadline: 0n,
    nonce: 0n,
  },
  'most revisions': { maxRevisions: 3 },
  'words of many scripts': {
    title: 'Caf\u00e9 \u6587 \u{1f600}',
    criteria: 'Say "yes"\n\n\u0639\u0634\u0631 \u05d7\u05d5\u05d6\u05d4',
    milestones: [{ title: '\u4e00', amountTokWei: 7n * 10n ** 17n, durationSeconds: 3_600n }],
  },
}

/** The documents of the vectors, by name. */
export const documents: { name: string; document: TermsDocument }[] = markets.flatMap((market) =>
  Object.entries(cases).map(([name, change]) => ({
    name: `${market}: ${name}`,
    document: sealTerms({ ...plain, ...change, ...contexts[market] }),
  })),
)

/** Written independently of the schema, so that a mistake there shows here. */
function toTermsJson(document: TermsDocument): TermsDocumentJson {
  return {
    ...document,
    milestones: document.milestones.map(({ title, amountTokWei, durationSeconds }) => ({
      title,
      amountTokWei: String(amountTokWei),
      durationSeconds: Number(durationSeconds),
    })),
    reviewWindowSeconds: Number(document.reviewWindowSeconds),
    claimDeadline: Number(document.claimDeadline),
    nonce: String(document.nonce),
  }
}

/** Terms documents with the struct a registry takes, its hash, and its digest with and without a worker. */
export function createTermsVectors() {
  const rows = documents.map(({ name, document }) => {
    const terms = toTaskTerms(document)
    const worker = document.worker ?? emeka.address
    const context = toSigningContext(document)
    const { types, message } = buildSettlementTypedData(context, terms, worker)
    return {
      name,
      document: toTermsJson(document),
      text: formatTermsText(document),
      context,
      terms,
      worker,
      termsHash: hashStruct({ types, primaryType: 'TaskTerms', data: message.terms }),
      unclaimed: computeSettlementDigest(context, terms, zeroAddress),
      claimed: computeSettlementDigest(context, terms, worker),
    }
  })
  const struct = <value>(pick: (terms: (typeof rows)[number]['terms']) => value) => rows.map(({ terms }) => pick(terms))
  return {
    chainId: base.id,
    names: rows.map(({ name }) => name),
    markets: rows.map(({ context }) => context.market),
    registries: rows.map(({ context }) => context.taskRegistry),
    assets: rows.map(({ context }) => context.asset),
    texts: rows.map(({ text }) => text),
    posters: struct(({ poster }) => poster),
    amounts: struct(({ amounts }) => amounts.map(String)),
    durations: struct(({ durations }) => durations.map(Number)),
    reviewWindows: struct(({ reviewWindow }) => Number(reviewWindow)),
    maxRevisions: struct(({ maxRevisions }) => maxRevisions),
    arbitrators: struct(({ arbitrator }) => arbitrator),
    stores: struct(({ store }) => store),
    criteriaHashes: struct(({ criteriaHash }) => criteriaHash),
    scopes: struct(({ scope }) => scope),
    claimPolicies: struct(({ claimPolicy }) => claimPolicy),
    claimDeadlines: struct(({ claimDeadline }) => Number(claimDeadline)),
    nonces: struct(({ nonce }) => String(nonce)),
    workers: rows.map(({ worker }) => worker),
    termsHashes: rows.map(({ termsHash }) => termsHash),
    unclaimedDigests: rows.map(({ unclaimed }) => unclaimed),
    claimedDigests: rows.map(({ claimed }) => claimed),
    documents: rows.map(({ document }) => document),
  }
}
