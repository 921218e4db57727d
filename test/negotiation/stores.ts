import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSigningContext, type Deployments, marketNames } from '@svc/chain'
import { buildTerms, type TermsDocument } from '@svc/protocol'
import { type Address, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Sender } from '../../apps/tools/src/negotiate/messages.ts'
import { createTranscriptStore, type TranscriptStore } from '../../apps/tools/src/negotiate/transcriptStore.ts'
import type { Wallet } from './wallet.ts'

/** Fake deployments: signing and verifying need no chain. */
export const fakeDeployments: Deployments = {
  chainId: 8453,
  startBlock: 0,
  shared: numberAddresses(['tokToken', 'usdc', 'usdOracle', 'pricingPolicy', 'timelock', 'treasury', 'finalCourt'], 1),
  markets: { standard: numberAddresses(marketNames, 20), micro: numberAddresses(marketNames, 40) },
}

/** Reads the transcript file of a negotiation. */
export const readTranscriptFile = (dir: string, id: string) => readFile(join(dir, `${id}.jsonl`), 'utf8')

/** Builds terms between two wallets. */
export function buildTermsBetween(poster: Address, worker: Address, now = nowSeconds()): TermsDocument {
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
  return buildTerms(draft, createSigningContext(fakeDeployments, 'micro'), now)
}

/** Creates a sender that writes to a store. */
export function createSender(store: TranscriptStore, { key }: Wallet): Sender {
  return { store, account: privateKeyToAccount(key), now: nowSeconds(), chainId: fakeDeployments.chainId }
}

/** Opens a store in a folder. */
export const openTranscriptStore = (folder: string) => createTranscriptStore({ folder, deployments: fakeDeployments })

const nowSeconds = () => Math.floor(Date.now() / 1000)

function numberAddresses<Name extends string>(names: readonly Name[], from: number): Record<Name, Address> {
  const toAddress = (number: number): Address => `0x${number.toString(16).padStart(40, '0')}`
  return Object.fromEntries(names.map((name, index) => [name, toAddress(from + index)])) as Record<Name, Address>
}
