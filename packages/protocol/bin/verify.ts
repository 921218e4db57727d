#!/usr/bin/env node
// svc-verify <file> [--digest 0x…]: what an agreement file proves, in plain words. Reads that file and nothing else.
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Hex } from 'viem'
import { type Agreement, verifyAgreement } from '../src/negotiation/agreement.ts'
import type { NegotiationPhase } from '../src/negotiation/state.ts'
import { formatAmount, formatDuration, formatTime } from '../src/units.ts'

const usage = 'Usage: svc-verify <agreement file> [--digest <the settlement digest that the chain shows>]'

const afterwards: Partial<Record<NegotiationPhase, string>> = {
  DELIVERED: 'A delivery waits for the poster.',
  DISPUTED: 'A delivery is disputed.',
  DONE: 'The poster accepted all the work.',
  CANCELLED: 'Later both agreed to part.',
}

try {
  const { values, positionals } = parseArgs({ options: { digest: { type: 'string' } }, allowPositionals: true })
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new Error(usage)
  const bytes = await readFile(path)
  // A decoder that repairs would hide changed bytes.
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  console.log(describe(await verifyAgreement(text, { digest: values.digest as Hex | undefined }), values.digest))
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

function describe(
  { terms, settlementDigest, acceptances, ...agreement }: Agreement,
  digest: string | undefined,
): string {
  const total = terms.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
  const milestones = terms.milestones.map(
    ({ title, amountTokWei, durationSeconds }, index) =>
      `  ${index + 1}. ${title}: ${formatAmount(amountTokWei, 'tok')}, ${formatDuration(durationSeconds)}`,
  )
  const signed = (['poster', 'worker'] as const).map(
    (party) => `  ${party} ${agreement[party]}, good until ${formatTime(acceptances[party].expiry)}`,
  )
  return [
    `Both parties agreed. ${afterwards[agreement.phase] ?? ''}`.trim(),
    '',
    `Task: ${terms.title}`,
    ...terms.criteria.split('\n').map((line) => `  ${line}`),
    `Pays ${formatAmount(total, 'tok')} for ${terms.milestones.length} milestone${terms.milestones.length > 1 ? 's' : ''}:`,
    ...milestones,
    `Review within ${formatDuration(terms.reviewWindowSeconds)}, at most ${terms.maxRevisions} revisions of a milestone.`,
    `Arbitrator: ${terms.arbitrator ?? 'none named'}`,
    `To be created by ${formatTime(terms.claimDeadline)} in the ${terms.market} market, chain ${terms.chainId}, registry ${terms.taskRegistry}.`,
    'Signed by:',
    ...signed,
    `Settlement digest: ${settlementDigest}`,
    digest ? '  It is the digest you gave.' : '  Compare it with what the chain shows: --digest.',
    `${agreement.length} messages, all whole, in order and signed; the last is ${agreement.head}.`,
    'Later messages may exist: whoever gave you the file could leave out its end.',
  ].join('\n')
}
