import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import type { Address } from 'viem'
import { type Ran, runProgram } from './runProgram.ts'
import { fakeDeployments } from './stores.ts'
import { createTestWallet, type Wallet } from './wallet.ts'

/** One party: its wallet, its transcripts, and the commands. */
export interface Side extends Wallet {
  dir: string
  /** Runs svc-negotiate with the key and folders of this party. */
  negotiate: (...argv: string[]) => Promise<Ran>
  /** The same with JSON output. Throws if it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: results differ by command.
  ask: (...argv: string[]) => Promise<any>
  receive: (...argv: string[]) => Promise<Ran>
}

/** A poster and a worker with mailboxes in a temporary folder. */
export interface Pair {
  folder: string
  mailbox: string
  poster: Side
  worker: Side
  /** Writes JSON to a new file and returns its path. */
  file: (json: unknown) => Promise<string>
  close: () => Promise<void>
}

/** Creates a pair without a chain. */
export async function openPair(): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'pair-'))
  const [mailbox, places] = [join(folder, 'mail'), join(folder, 'deployments.json')]
  await saveDeployments(places, fakeDeployments)
  let files = 0
  const side = (name: string): Side => {
    const wallet = createTestWallet()
    const dir = join(folder, name)
    const negotiate = (...argv: string[]) =>
      runProgram('svc-negotiate', argv, { PRIVATE_KEY: wallet.key, SVC_DEPLOYMENTS: places })
    const at = ['--dir', dir]
    return {
      ...wallet,
      dir,
      negotiate: (...argv) => negotiate(...argv, ...at, ...(carries.has(argv[0] ?? '') ? ['--mailbox', mailbox] : [])),
      receive: (...argv) =>
        negotiate('receive', '--me', wallet.address, '--timeout', '0', ...argv, ...at, '--mailbox', mailbox),
      async ask(...argv) {
        const { exit, out, err } = await this.negotiate(...argv, '--json')
        if (exit !== 0) throw new Error(`${argv.join(' ')} ended with ${exit}: ${out}${err}`)
        return JSON.parse(out)
      },
    }
  }
  return {
    folder,
    mailbox,
    poster: side('poster'),
    worker: side('worker'),
    async file(json) {
      const path = join(folder, `${++files}.json`)
      await writeFile(path, typeof json === 'string' ? json : JSON.stringify(json))
      return path
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const carries = new Set(['propose', 'counter', 'accept', 'cancel', 'say', 'send', 'receive', 'join'])

/** A draft of terms as a poster writes it. */
export const draftFor = (worker: Address) => ({
  market: 'micro',
  worker,
  title: 'Caption ten photos',
  criteria: 'Every photo has a caption of one sentence.',
  milestones: [
    { title: 'Five', amount: '1,000 TOK', duration: '1 hour' },
    { title: 'Five more', amount: '1,000 TOK', duration: '1 hour' },
  ],
  claimWithin: '1 day',
  store: 'none',
})
