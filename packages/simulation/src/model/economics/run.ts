// node packages/simulation/src/model/economics/run.ts [--owner <part of a name>] [--price <USD>] [--depth <calls>] [--counts <file>]
// Looks for plans that leave one owner of several wallets richer than doing nothing, and for the planted rules. Fails if a
// plan pays that neither docs/economics.md nor `knownGains` has, or if a planted rule is missed. --counts writes
// {passed, failed} for .ci/run. Attacks T1 to T23 are in contracts/test/attacks/Third.t.sol.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { Market } from '@svc/protocol'
import { bps } from '@svc/protocol/internal/money'
import { prices } from '../check/payoffs.ts'
import { type Tables, tables } from '../tables.ts'
import { buildGraph, listSettings, type Setting } from './graph.ts'
import { type HonestPlay, honestPlays } from './honestPlay.ts'
import { type Owner, owners } from './owners.ts'
import { type PlantedRule, plantedRules } from './plantedRules.ts'
import { type Best, cent, countSequences, findBestPlan } from './search.ts'

/**
 * What pays and is not in docs/economics.md yet: for whom (an owner, or anyone with that actor), how the name of the honest
 * play begins, and which attack it is.
 */
const knownGains: readonly { who: string; play: string; attack: string }[] = [
  { who: 'worker', play: 'all act in the last second', attack: 'T14' },
  // At USD 0.000025 a TOK a case over nothing burns too little: 0.20.
  { who: 'arbitrator', play: 'the court is right 98 %, half of the victims appeal', attack: 'Numbers' },
  { who: 'worker, and a court that decides rightly', play: 'the court is right 98 %', attack: 'S17 from USD 400' },
  { who: 'worker, all stakes, and a court that decides rightly', play: '', attack: 'T11' },
]

/** Milestones in whole TOK by market: USD 20, 500 and 50,000 at 0.0025, and one wei. */
const amounts: Readonly<Record<Market, readonly bigint[]>> = {
  standard: [0n, 200_000n, 20_000_000n],
  micro: [8_000n, 200_000n],
}

/** The best plan of an owner against one kind of honest play, with one milestone at one price. */
interface Finding {
  owner: Owner
  play: HonestPlay
  setting: Setting
  /** The milestone in USD. */
  sum: number
  price: number
  best: Best
}

/** Whether a kind of honest play can make a difference to an owner. */
function isRelevant({ actors }: Owner, play: HonestPlay): boolean {
  const isParty = actors.includes('poster') || actors.includes('worker')
  if (play.isPosterMistaken || !isParty) return play.isPosterMistaken && !isParty
  const isAboutOthers = play.appeals < 1 || play.isSlow || play.goesAway !== 'never' || play.offerBps > 0n
  return !actors.includes('both') || !(isAboutOthers || play.takesBps < bps)
}

/** An owner of both parties meets nobody who could be late: one market and two milestones are enough. */
function selectSettings({ actors }: Owner): { setting: Setting; amount: bigint }[] {
  const isAlone = actors.includes('both')
  const markets: readonly Market[] = isAlone ? ['standard'] : ['standard', 'micro']
  return markets
    .flatMap((market) => amounts[market].map((amount) => ({ market, amount })))
    .filter(({ amount }) => !isAlone || amount > 0n)
    .flatMap(({ market, amount }) => listSettings(market, amount).map((setting) => ({ setting, amount })))
    .filter(({ setting }) => !isAlone || setting.terms.amounts.length < 4)
}

/** Runs every search of an owner. Returns what pays, the best of all settings for each milestone and price. */
function searchOwner(owner: Owner, at: readonly number[], depth: number) {
  const figures = { searches: 0, states: 0, sequences: 0 }
  const findings = new Map<string, Finding>()
  for (const play of honestPlays.filter((each) => isRelevant(owner, each))) {
    for (const { setting, amount } of selectSettings(owner)) {
      const graph = buildGraph(tables, owner, setting, play)
      figures.states += graph.states.length
      figures.sequences += countSequences(graph, depth)
      for (const price of at) {
        figures.searches++
        const best = findBestPlan(graph, price, depth)
        const key = `${play.name} ${amount} ${price}`
        if (best.gain <= Math.max(cent, findings.get(key)?.best.gain ?? 0)) continue
        findings.set(key, { owner, play, setting, sum: Number(amount) * price, price, best })
      }
    }
  }
  return { ...figures, findings: [...findings.values()] }
}

/** Says where a gain is admitted, or null. */
function findAdmission({ owner, play, sum }: Finding): string | null {
  if (owner.admitted) return owner.admitted
  if (play.admitted && sum >= play.admitted.from) return play.admitted.section
  const isFor = (who: string) => who === owner.name || owner.actors.some((actor) => actor === who)
  return knownGains.find((each) => isFor(each.who) && play.name.startsWith(each.play))?.attack ?? null
}

/** Describes what pays against one kind of honest play: with the smallest sum, and the largest gain. */
function describeFindings(name: string, findings: readonly Finding[]): string[] {
  const bySum = findings.toSorted((a, b) => a.sum - b.sum || b.best.gain - a.best.gain)
  const byGain = findings.toSorted((a, b) => b.best.gain - a.best.gain)
  const shown = new Set([...bySum.slice(0, 1), ...byGain.slice(0, 1)])
  return [
    `  ${name}: ${findings.length} pay`,
    ...[...shown].flatMap((each) => {
      const { gain, sales, plan } = each.best
      const fees = sales > cent ? `, and ${sales.toFixed(2)} of entry fees` : ''
      const where = `${each.setting.name}, USD ${each.sum.toFixed(2)}, TOK at ${each.price}`
      return [
        `    ${gain.toFixed(2)}${fees} (${findAdmission(each) ?? 'NOT ADMITTED'}): ${where}`,
        `      ${plan.join(' > ')}`,
      ]
    }),
  ]
}

/** Finds the best plan of an owner in one setting, by name. Used for the planted rules, and for single figures. */
export function searchSetting(by: Tables, where: Omit<PlantedRule, 'name' | 'tables'>, depth = 12): Best {
  const owner = owners.find(({ name }) => name === where.owner)
  const play = honestPlays.find(({ name }) => name === where.play)
  const setting = listSettings('standard', where.amount).find(({ name }) => name === where.setting)
  if (!owner || !play || !setting) throw new Error(`Unknown: ${where.owner}, ${where.play} or ${where.setting}`)
  return findBestPlan(buildGraph(by, owner, setting, play), where.price, depth)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      owner: { type: 'string', default: '' },
      price: { type: 'string' },
      depth: { type: 'string', default: '12' },
      counts: { type: 'string' },
    },
  })
  const at = values.price === undefined ? prices : [Number(values.price)]
  const counts = { passed: 0, failed: 0 }
  for (const owner of owners.filter(({ name }) => name.includes(values.owner))) {
    const started = process.cpuUsage().user
    const { findings, searches, states, sequences } = searchOwner(owner, at, Number(values.depth))
    const seconds = ((process.cpuUsage().user - started) / 1e6).toFixed()
    const figures = `${searches} searches, ${states} states, ${sequences.toExponential(1)} sequences, ${seconds} s`
    console.log(`${owner.name}: ${figures}`)
    for (const [name, all] of Map.groupBy(findings, ({ play }) => play.name))
      console.log(describeFindings(name, all).join('\n'))
    const failed = findings.filter((each) => findAdmission(each) === null).length
    counts.failed += failed
    counts.passed += searches - failed
  }
  for (const rule of plantedRules) {
    const [real, planted] = [searchSetting(tables, rule), searchSetting(rule.tables, rule)]
    const isFound = planted.gain > Math.max(0, real.gain) + cent
    counts[isFound ? 'passed' : 'failed']++
    console.log(
      `${isFound ? 'found' : 'MISSED'}: ${rule.name}: ${planted.gain.toFixed(2)} instead of ${real.gain.toFixed(2)}`,
    )
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed`)
  if (counts.failed > 0) process.exitCode = 1
  if (values.counts) {
    await mkdir(dirname(values.counts), { recursive: true })
    await writeFile(values.counts, `${JSON.stringify(counts)}\n`)
  }
}
