import type { Market, MarketParams } from '@svc/protocol'
import { noticeTime } from '@svc/protocol/internal/tasks'
import type { Address, Hex } from 'viem'
import type { Random } from '../random.ts'
import type { SimCall } from './suite/calls.ts'
import type { DisputeEntry, TaskEntry } from './suite/state.ts'
import { computeClaimCutoff, computeReceiptEnd } from './times.ts'
import type { SimWallet } from './wallets.ts'

/** What the choice of a call depends on. */
export interface Situation {
  market: Market
  random: Random
  now: number
  wallets: readonly SimWallet[]
  params: MarketParams
  dispute: Readonly<DisputeEntry> | undefined
  /** Who is bonded as an arbitrator. */
  judges: readonly Address[]
  finalCourt: Address
  digestFor: (worker: Address) => Hex
}

type Choice = readonly [weight: number, make: () => SimCall | null]
type Task = Readonly<TaskEntry>

/** Chooses a plausible next call for a task; null if the choice turns out to be impossible. */
export function likelyCall(task: Task, situation: Situation): SimCall | null {
  const choices =
    task.state === 'POSTED'
      ? ofPosted(task, situation)
      : task.state === 'CLAIMED'
        ? ofClaimed(task, situation)
        : task.state === 'ACTIVE'
          ? ofActive(task, situation)
          : ofDisputed(task, situation)
  const total = choices.reduce((sum, [weight]) => sum + weight, 0)
  let point = situation.random.below(total * 1000) / 1000
  for (const [weight, make] of choices) {
    if (point < weight) return make()
    point -= weight
  }
  return null
}

const registry = <N extends Extract<SimCall, { contract: 'taskRegistry' }>['name']>(
  name: N,
  from: Address,
  args: Extract<SimCall, { contract: 'taskRegistry'; name: N }>['args'],
) => toSimCall({ contract: 'taskRegistry', name, from, args })
const court = <N extends Extract<SimCall, { contract: 'arbitration' }>['name']>(
  name: N,
  from: Address,
  args: Extract<SimCall, { contract: 'arbitration'; name: N }>['args'],
) => toSimCall({ contract: 'arbitration', name, from, args })
/** Narrows a call whose arguments were checked against its name. */
const toSimCall = (call: { contract: string; name: string; from: Address; args: readonly unknown[] }) => call as SimCall

function ofPosted(task: Task, situation: Situation): Choice[] {
  const { number, poster, total, funded, claimPolicy, claimDeadline, allowedWorker } = task
  const { random, wallets, now, digestFor } = situation
  const signs = wallets.find(({ address }) => address === poster)?.signs ?? false
  const closed = now > computeClaimCutoff(claimDeadline, situation.params.claimCutoff)
  const claims = (): SimCall | null => {
    const address = allowedWorker ?? random.pick(wallets).address
    if (address === poster) return null
    if (claimPolicy === 'ANYONE' || allowedWorker) return registry('claim', address, [number, digestFor(address)])
    return signs ? registry('claimWithPermit', address, [number, digestFor(address), signature(situation)]) : null
  }
  return [
    [closed ? 0 : 6, claims],
    [funded < total ? 2 : 0, () => registry('fund', poster, [number, part(random, total - funded)])],
    [claimPolicy === 'PERMIT' ? 2 : 0, () => registry('allowWorker', poster, [number, random.pick(wallets).address])],
    [0.4, () => registry('cancel', poster, [number])],
    [closed ? 5 : 0, () => registry('expire', random.pick(wallets).address, [number])],
  ]
}

function ofClaimed(task: Task, situation: Situation): Choice[] {
  const { number, poster, total, funded } = task
  const { random, wallets } = situation
  const worker = task.worker ?? poster
  const full = funded === total
  const lapsed = situation.now > task.claimedAt + situation.params.fundingWindow
  return [
    [full ? 0 : 6, () => registry('fund', poster, [number, part(random, total - funded)])],
    [full ? 7 : 0, () => registry('activate', random.pick([poster, worker]), [number])],
    [0.5, () => registry('dismiss', poster, [number])],
    [0.5, () => registry('leaveTask', worker, [number])],
    [0.3, () => mutualCancel(task, situation)],
    [lapsed ? 3 : 0, () => registry('expire', random.pick(wallets).address, [number])],
  ]
}

function ofActive(task: Task, situation: Situation): Choice[] {
  const { number, poster } = task
  const { random, wallets, now } = situation
  const worker = task.worker ?? poster
  const at = BigInt(task.current)
  const anyone = () => random.pick(wallets).address
  const hash = (): Hex => `0x${random.word()}`
  const deliver = (isReceipted: boolean) =>
    registry('markDelivered', worker, [number, at, hash(), isReceipted ? receipt(task, situation) : noReceipt])
  if (task.reviewEnd === 0) {
    const late = now > task.deadline
    return [
      [late ? 0 : 8, () => deliver(task.store !== null && random.chance(0.5))],
      [late ? 5 : 0, () => registry('expire', anyone(), [number])],
      [task.underNotice ? 2 : 0, () => registry('expire', worker, [number])],
      [task.underNotice ? 0 : 0.6, () => registry('dismiss', poster, [number])],
      [0.3, () => registry('leaveTask', worker, [number])],
      [0.4, () => registry('release', poster, [number, at])],
      [0.2, () => registry('complete', poster, [number])],
      [0.2, () => mutualCancel(task, situation)],
    ]
  }
  const lapsed = now > task.reviewEnd
  const dispute = (from: Address, ...shares: number[]) =>
    registry('openDispute', from, [number, at, hash(), BigInt(random.pick(shares))])
  const answers: Choice[] = [
    [2, () => registry('release', poster, [number, at])],
    [0.5, () => registry('complete', poster, [number])],
    [lapsed ? 0 : 1.5, () => registry('requestRevision', poster, [number, at, hash()])],
    [0.2, () => mutualCancel(task, situation)],
  ]
  if (task.store !== null && !task.receipted) {
    const isGraceOver = now > task.reviewEnd + noticeTime(task, situation.params)
    return [
      ...answers,
      [isGraceOver ? 5 : 0, () => registry('expire', anyone(), [number])],
      [isGraceOver ? 0 : 2.5, () => deliver(true)],
      [0.3, () => registry('leaveTask', worker, [number])],
      [lapsed && !isGraceOver ? 3 : 0, () => dispute(worker, 10_000, 10_000, 7_500, 1 + random.below(10_000))],
    ]
  }
  return [
    ...answers,
    [lapsed ? 5 : 0, () => registry('releaseLapsed', anyone(), [number, at])],
    [lapsed ? 0 : 3.5, () => dispute(poster, 0, 0, 2_500, random.below(10_000))],
  ]
}

function ofDisputed(task: Task, situation: Situation): Choice[] {
  const { number, poster, current } = task
  const { random, wallets, now, dispute, judges, finalCourt } = situation
  const worker = task.worker ?? poster
  const party = () => random.pick([poster, worker])
  const anyone = () => random.pick(wallets).address
  const hash = (): Hex => `0x${random.word()}`
  if (!dispute) return []
  const isForWorker = random.chance(0.5)
  const round = BigInt(dispute.round)
  const concede: Choice = [0.25, () => registry('release', poster, [number, BigInt(current)])]
  const agree: Choice = [0.15, () => mutualCancel(task, situation)]
  const evidence = (): SimCall => {
    const from = party()
    const { offerBps, askBps } = dispute
    const own = from === poster ? offerBps : askBps
    // Mostly stands firm; sometimes moves, rarely gives in.
    const share = random.pick([
      own,
      own,
      own,
      own,
      own,
      offerBps + random.below(askBps - offerBps + 1),
      offerBps + askBps - own,
    ])
    return court('submitEvidence', from, [number, hash(), BigInt(share)])
  }
  const timedOut = () => court('resolveTimedOut', anyone(), [number])
  switch (dispute.phase) {
    case 'OPEN': {
      const { posterProposal, workerProposal } = dispute
      const agreed = posterProposal === workerProposal ? posterProposal : null
      // Mostly one party names whom the other has named. Otherwise they would rarely agree.
      const answer = posterProposal ? worker : poster
      const isAnswer = random.chance(0.8)
      const other = isAnswer ? (posterProposal ?? workerProposal) : null
      const proposed = other ?? (judges.length > 0 ? random.pick(judges) : null)
      const proposer = isAnswer ? answer : party()
      const candidate = agreed ?? dispute.named
      return [
        [candidate ? 8 : 0, () => (candidate ? court('propose', candidate, [number, candidate]) : null)],
        [proposed ? 4 : 0, () => (proposed ? court('propose', proposer, [number, proposed]) : null)],
        [1.5, evidence],
        [now > dispute.consentEnd ? 5 : 0, timedOut],
        concede,
        agree,
      ]
    }
    case 'EVIDENCE': {
      const { judge, posterSpoke, workerSpoke } = dispute
      const isHeard = posterSpoke && workerSpoke
      const isOver = now > dispute.evidenceEnd
      if (!judge) return []
      return [
        [isOver ? 0 : isHeard ? 1 : 4, evidence],
        // A judge that has heard both waits for the end of the evidence.
        [isOver || !isHeard ? 0 : 20, () => null],
        [isOver && isHeard ? 5 : 0, () => court('resolve', judge, [number, round, isForWorker, hash()])],
        [0.5, () => court('stepDown', judge, [number])],
        [now > (isHeard ? dispute.rulingEnd : dispute.evidenceEnd) ? 6 : 0, timedOut],
        concede,
        agree,
      ]
    }
    case 'COURT':
      return [
        [4, () => court('decide', finalCourt, [number, round, isForWorker, hash()])],
        [dispute.ruled ? 0 : 1.5, evidence],
        [now > dispute.courtEnd ? 6 : 0, timedOut],
        concede,
        agree,
      ]
    default:
      return [
        [1, () => court('escalate', dispute.forWorker ? poster : worker, [number])],
        // Most losers accept the ruling.
        [now > dispute.appealEnd ? 0 : 3, () => null],
        [now > dispute.appealEnd ? 3 : 0, () => court('finalize', anyone(), [number])],
        agree,
      ]
  }
}

function mutualCancel(task: Task, situation: Situation): SimCall | null {
  const { random, wallets } = situation
  const { number, poster, worker } = task
  const parties = wallets.filter(({ address }) => address === poster || address === worker)
  if (parties.length < 2 || parties.some(({ signs }) => !signs)) return null
  const share = BigInt(random.pick([0, 10_000, random.below(10_001)]))
  return registry('mutualCancel', poster, [number, share, signature(situation), signature(situation)])
}

const noReceipt = { size: 0n, until: 0n, signature: '0x' as Hex }

/** Creates a receipt that mostly lasts long enough. The simulation does not check its signature. */
function receipt(task: Task, { random, now, params }: Situation) {
  const end = computeReceiptEnd(task, params, now)
  const until = random.chance(0.9) ? end + random.below(1_000_000) : now + random.below(end - now)
  return { size: BigInt(random.below(2 ** 31)), until: BigInt(until), signature: '0x01' as Hex }
}

/** Creates a signature that expires in an hour. The simulation does not check its bytes. */
export function signature({ random, now }: Pick<Situation, 'random' | 'now'>) {
  return { nonce: BigInt(`0x${random.word().slice(0, 12)}`), expiry: BigInt(now + 3600), data: '0x' as Hex }
}

/** Returns the whole amount most of the time, otherwise a part of it. */
function part({ chance, below }: Random, whole: bigint): bigint {
  return chance(0.8) ? whole : (whole * BigInt(1 + below(99))) / 100n || 1n
}
