import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Deployments, marketNames, signingContext } from '@svc/chain'
import { buildTerms, type TermsDocument } from '@svc/protocol'
import { type Address, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Book, createBook } from '../../apps/tools/src/negotiate/book.ts'
import type { Speaker } from '../../apps/tools/src/negotiate/speak.ts'
import type { Wallet } from './wallet.ts'

/** Where markets would stand: what only signs and checks needs no chain. */
export const deployments: Deployments = {
  chainId: 8453,
  startBlock: 0,
  shared: addressesOf(['tokToken', 'usdc', 'usdOracle', 'pricingPolicy', 'timelock', 'treasury'], 1),
  markets: { standard: addressesOf(marketNames, 20), micro: addressesOf(marketNames, 40) },
}

/** The lines of the transcript of a negotiation. */
export const transcriptOf = (dir: string, id: string) => readFile(join(dir, `${id}.jsonl`), 'utf8')

/** Terms between two wallets. */
export function termsBetween(poster: Address, worker: Address, now = nowSeconds()): TermsDocument {
  const milestones = [1, 2].map((each) => ({
    title: `Part ${each}`,
    amountTokWei: parseUnits('1000', 18),
    durationSeconds: 3_600,
  }))
  const draft = {
    poster,
    worker,
    title: 'A task',
    criteria: 'It is done.',
    milestones,
    claimDeadline: now + 86_400,
    nonce: 7n,
  }
  return buildTerms(draft, signingContext(deployments, 'micro'), now)
}

/** A wallet that writes into a book. */
export function speakerOf(book: Book, { key }: Wallet): Speaker {
  return { book, account: privateKeyToAccount(key), now: nowSeconds(), chainId: deployments.chainId }
}

/** A book in a folder. */
export const bookIn = (folder: string) => createBook({ folder, deployments })

const nowSeconds = () => Math.floor(Date.now() / 1000)

function addressesOf<Name extends string>(names: readonly Name[], from: number): Record<Name, Address> {
  const addressOf = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
  return Object.fromEntries(names.map((name, index) => [name, addressOf(from + index)])) as Record<Name, Address>
}
