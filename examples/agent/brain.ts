// The decisions of agent.ts, where a model would be used: pure functions that evaluate an offer and do its work. Text of posters
// is data here: it is searched for words and numbers, and never followed as an instruction.
import { accessFee, formatTime } from '@svc/protocol'

/** An open task and the record of its poster, as returned by the tools. */
export interface Offer {
  id: string
  phase: string
  claimPolicy: string
  totalAmountTokWei: bigint
  fundedTokWei: bigint
  milestones: readonly { durationSeconds: number }[]
  /** The claim deadline, in unix seconds. */
  claimUntil: number
  poster: { completedAsPoster: number; disputesLost: number; lapses: number }
  untrustedTitle: string
  untrustedCriteria: string
  removedCharacters: number
}

const tok = 10n ** 18n
const leastPerHour = 150n
const leastMinutes = 20

/** Computes the pay per hour in whole TOK after the access fee, if the work takes all of the time. */
export function computeHourlyPay({ totalAmountTokWei, milestones }: Offer): bigint {
  const seconds = milestones.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
  return ((totalAmountTokWei - accessFee) * 3_600n) / BigInt(seconds) / tok
}

/** Finds a reason not to take an offer at `now`, in unix seconds. Returns null if it is good. */
export function findObjection(offer: Offer, now: number): string | null {
  const { phase, claimPolicy, poster, claimUntil } = offer
  if (phase !== 'OPEN_FOR_CLAIM' || claimPolicy !== 'ANYONE') return `it is ${phase} for ${claimPolicy}`
  if (offer.fundedTokWei < offer.totalAmountTokWei) return 'its money is not in escrow'
  if (computeHourlyPay(offer) < leastPerHour) return `it pays ${computeHourlyPay(offer)} TOK an hour`
  if (claimUntil - now < leastMinutes * 60) return `claims close at ${formatTime(claimUntil)}`
  if (poster.disputesLost + poster.lapses > poster.completedAsPoster) return 'its poster lost or let lapse too much'
  if (offer.removedCharacters > 0) return 'its text hides characters'
  return skillFor(offer) ? null : 'I cannot do this kind of work'
}

/** Does the work of an offer and returns the text to deliver. */
export function doWork(offer: Offer): string {
  const skill = skillFor(offer)
  if (!skill) throw new Error(`No skill matches ${offer.id}.`)
  return skill.work(offer)
}

/** Chooses the name of the file that the work is delivered in. */
export function nameFile(offer: Offer): string {
  return skillFor(offer)?.file ?? 'work.txt'
}

const skills: readonly { words: RegExp; work: (offer: Offer) => string; file?: string }[] = [
  { words: /\badd up\b/i, work: sum },
  { words: /\.srt\b/i, work: subtitles, file: 'captions.srt' },
  { words: /\balt texts?\b|\bcaptions?\b/i, work: captions },
]

function skillFor({ untrustedTitle, untrustedCriteria }: Offer) {
  return skills.find(({ words }) => words.test(`${untrustedTitle}\n${untrustedCriteria}`))
}

function sum({ untrustedCriteria }: Offer): string {
  const numbers = (untrustedCriteria.match(/\d{1,18}/g) ?? []).map(BigInt)
  return `The sum of ${numbers.length} numbers is ${numbers.reduce((total, each) => total + each, 0n)}.`
}

function subtitles({ untrustedTitle }: Offer): string {
  const count = Math.min(100, Number(/\d{1,3}/.exec(untrustedTitle)?.[0] ?? 1))
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(11, 19)
  return Array.from(
    { length: count },
    (_, index) => `${index + 1}\n${at(index * 5)},000 --> ${at(index * 5 + 4)},000\nA picture of scene ${index + 1}.\n`,
  ).join('\n')
}

function captions({ untrustedTitle }: Offer): string {
  const count = Math.min(100, Number(/\d{1,3}/.exec(untrustedTitle)?.[0] ?? 1))
  return Array.from({ length: count }, (_, index) => `photo-${index + 1}.jpg,A picture in a frame.`).join('\n')
}
