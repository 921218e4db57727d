import type { TaskDetailJson } from '@svc/client'
import type { PreparedJson } from '@svc/operations'
import { exitDeposit, formatAmount, marketParams } from '@svc/protocol'
import {
  computeTotals,
  computeUsd,
  type DecodedCalls,
  type Item,
  purposeWords,
  sumOf,
  type Total,
  type Totals,
} from '@svc/protocol/internal/actions'
import { computeJudgeRisk } from '@svc/protocol/internal/money'
import { useApi } from '../api.ts'
import { afterLinks, afterText } from '../text/after.ts'
import { cardText } from '../text/card.ts'
import { receiptText as text } from '../text/receipt.ts'
import { formatDollars, formatShort } from '../ui/Amount.tsx'
import { formatMoment, formatTimeSpan } from '../ui/formatMoment.ts'
import { useNow } from '../ui/Time.tsx'
import { getFirstName, useName } from '../usePerson.ts'
import { type Price, usePrice } from '../usePrice.ts'
import { decodeParts } from './readBatch.ts'
import type { After } from './transactions.ts'

/** One of the three lines, in words. */
export interface ReceiptLine {
  label: string
  amount: string
  note: string
}

/** A receipt in words. */
export interface ReceiptWords {
  /** The title of the task; empty without one. */
  subject: string
  now: ReceiptLine
  back: ReceiptLine | null
  get: ReceiptLine | null
  sentences: readonly string[]
  button: string
  /** What the same dialog says once it is done. */
  after: After
}

/** The words of a receipt: amounts from the bytes, names and dates from the task. Null if the bytes cannot be read. */
export function useReceipt(prepared: PreparedJson): ReceiptWords | null {
  const parts = decodeParts(prepared)
  const found = useApi('getTask', { id: prepared.taskId ?? '' }, prepared.taskId !== undefined)
  const task = prepared.taskId === undefined ? null : (found.body?.task ?? null)
  const price = usePrice()
  const now = useNow()
  const { from } = prepared
  const [poster, worker] = [useName(task?.poster), useName(task?.worker)]
  const names = {
    poster: poster ? getFirstName(poster) : cardText.names.poster,
    worker: worker ? getFirstName(worker) : cardText.names.worker,
  }
  const last = parts.at(-1)
  if (!last) return null
  const totals = computeTotals(parts, { from, task, prepared })
  return writeReceipt({ prepared, parts, last, totals, task, names, now, price })
}

interface Facts {
  prepared: PreparedJson
  parts: readonly DecodedCalls[]
  last: DecodedCalls
  totals: Totals
  task: TaskDetailJson | null
  names: Readonly<Record<'poster' | 'worker', string>>
  now: number
  price: Price | null
}

function writeReceipt(facts: Facts): ReceiptWords {
  const { last, totals, task, names, prepared } = facts
  const [back, get] = [totals.back, totals.get]
  const hasPosted = last.name === 'post-task'
  return {
    subject: task?.text?.title ?? '',
    now: {
      label: totals.isFromDeposit ? text.nowDeposit : text.now,
      amount: formatTotal(totals.now, facts.price),
      note: writeNowNote(facts),
    },
    back:
      back.items.length === 0
        ? null
        : { label: text.back, amount: formatTotal(back, facts.price), note: writeBackNote(facts) },
    get: hasPosted
      ? { label: text.you, amount: text.gets.post[0], note: text.gets.post[1] }
      : get.items.length === 0
        ? null
        : {
            label: get.who === 'worker' ? text.other(names.worker) : text.you,
            amount: formatTotal(get, facts.price, true),
            note: writeGetNote(facts),
          },
    sentences: [writeSwap(facts), writeSentence(facts) ?? prepared.deadline].filter((each) => each !== null),
    button: writeButton(facts),
    after: writeAfter(facts),
  }
}

/** Dollars; without a price, the amounts themselves. */
function formatTotal({ items, isUpTo }: Pick<Total, 'items' | 'isUpTo'>, price: Price | null, isWhole = false): string {
  const [tokWei, usdcUnits] = [sumOf(items, 'tok'), sumOf(items, 'usdc')]
  const amount = formatMoney(tokWei, usdcUnits, price, isWhole)
  return isUpTo ? text.upTo(amount) : amount
}

function formatMoney(tokWei: bigint, usdcUnits: bigint, price: Price | null, isWhole: boolean): string {
  const usd = computeUsd(tokWei, usdcUnits, price?.usdPerTok ?? null)
  if (usd !== null) {
    return formatDollars(usd, usd === 0 || (isWhole && (usd >= 100 || Number.isInteger(usd))) ? 0 : 2)
  }
  return [formatShort(tokWei, 'tok'), ...(usdcUnits > 0n ? [formatShort(usdcUnits, 'usdc')] : [])].join(text.and)
}

const cent = 10_000n
/** Whole cents: what is paid is rounded up, what is held or got down. */
const formatCents = (units: bigint, up = cent - 1n) => formatAmount(((units + up) / cent) * cent, 'usdc')

const list = (parts: readonly string[]) => new Intl.ListFormat('en', { type: 'conjunction' }).format(parts)
const listItems = (items: readonly Item[]) =>
  list(items.map(({ what, amount, token }) => `${formatShort(amount, token)} ${purposeWords[what]}`.trim()))

function writeNowNote({ totals, last, prepared, parts }: Facts): string {
  const { items } = totals.now
  const credit = totals.isCreditUsed ? [text.credit] : []
  if (parts.length > 1 && totals.mostUsdc !== null && sumOf(items, 'tok') === 0n) {
    const { simulation } = prepared
    const held =
      simulation.status === 'succeeds'
        ? simulation.changes.find(({ what }) => what === 'USDC in the wallet')?.before
        : undefined
    return text.onlyUsdc(formatCents(sumOf(items, 'usdc')), held === undefined ? null : formatCents(BigInt(held), 0n))
  }
  if (items.length > 0) return [listItems(items), ...credit].join('. ')
  return last.name === 'accept-milestone' || last.name === 'complete-task'
    ? text.alreadyLocked
    : (credit[0] ?? text.nothing)
}

function writeBackNote({ totals, last }: Facts): string {
  if (last.name === 'accept-milestone' || last.name === 'complete-task') return text.holdNow
  if (last.name === 'stake' || last.name === 'register-arbitrator' || last.name === 'top-up') return text.ownStake
  if (last.name === 'cancel-task' || last.name === 'expire-task') return text.moneyBack
  const returns: Readonly<Record<string, string>> = text.returns
  return [...new Set(totals.back.items.map(({ what }) => returns[what] ?? ''))].join(' ')
}

function writeGetNote({ totals, last, names }: Facts): string {
  const amount = listItems(totals.get.items)
  if (last.name === 'claim-task' || last.name === 'submit-proof') return text.gets.claim(amount, names.poster)
  if (last.name === 'open-dispute' || last.name === 'escalate') return text.gets.dispute(amount)
  return last.name === 'resolve-dispute' ? text.gets.ruling : text.gets.approve(amount)
}

function writeSwap({ parts, last, totals, prepared }: Facts): string | null {
  const [first] = parts
  if (first?.name === 'sell-tok') return text.sentences.sell(formatCents(first.input.minUsdc, 0n))
  if (first?.name !== 'buy-tok' || first === last || totals.mostUsdc === null) return null
  const quote = prepared.swap?.quoteUsdc ?? String(first.input.maxUsdc)
  return text.sentences.swap(
    formatCents(BigInt(quote)),
    formatShort(first.input.amountTokWei, 'tok'),
    formatCents(totals.mostUsdc),
  )
}

function writeSentence({ last, task, names, now, price, prepared }: Facts): string | null {
  const params = marketParams[prepared.market]
  const at = (moment: number) => formatMoment(moment, now)
  const hold = formatMoney(exitDeposit, 0n, price, false)
  const { sentences } = text
  const isPoster = task?.poster.toLowerCase() === prepared.from.toLowerCase()
  switch (last.name) {
    case 'claim-task': {
      const time = formatTimeSpan(task?.milestones[0]?.durationSeconds ?? 0)
      return task && sentences.claim(names.poster, at(now + params.fundingWindow), time)
    }
    case 'post-task': {
      const { claimDeadline, reviewWindow } = last.input.terms
      const by = claimDeadline > 0n ? at(Number(claimDeadline)) : null
      return sentences.post(by, formatTimeSpan(Number(reviewWindow)))
    }
    case 'fund-task':
      return sentences.lock
    case 'submit-proof': {
      if (!task) return null
      if (task.store !== null && last.input.receipt === undefined) return sentences.deliverUnstored(names.poster)
      const { reviewWindowSeconds: span } = task
      return sentences.deliver(names.poster, formatTimeSpan(span), at(now + span))
    }
    case 'accept-milestone':
    case 'complete-task':
      return sentences.approve
    case 'request-revision':
      return (
        task &&
        sentences.changes(
          names.worker,
          formatTimeSpan(params.minRevisionTime),
          Math.max(0, task.maxRevisions - task.revisions - 1),
        )
      )
    case 'open-dispute':
      return sentences.dispute(isPoster ? names.worker : names.poster, isPoster, hold, at(now + params.evidenceWindow))
    case 'resolve-dispute':
      return task?.dispute ? sentences.rule(formatMoney(computeJudgeRisk(task.dispute).burnt, 0n, price, false)) : null
    case 'decide-dispute':
      return sentences.decide
    case 'escalate':
      return sentences.appeal(at(now + params.courtWindow))
    case 'leave-task':
      return sentences.leave(hold)
    case 'dismiss-worker': {
      if (task?.state !== 'ACTIVE') return sentences.dismiss(hold)
      const notice = now + Math.max(task.reviewWindowSeconds, params.minRevisionTime)
      return sentences.end(names.worker, hold, at(Math.min(notice, task.deadline ?? notice)))
    }
    default:
      return last.action.swap ? null : prepared.explain
  }
}

function writeButton({ last, totals, price, names, task, prepared }: Facts): string {
  const { buttons } = text
  const { items } = totals.now
  // Whoever pays with USDC alone reads USDC.
  const now =
    totals.mostUsdc !== null && sumOf(items, 'tok') === 0n
      ? formatCents(sumOf(items, 'usdc'))
      : formatTotal(totals.now, price, true)
  const hold = formatMoney(exitDeposit, 0n, price, true)
  const gets = formatTotal({ ...totals.get, isUpTo: false }, price, true)
  const withNow = (verb: string) => (items.length > 0 ? buttons.with(verb, now) : verb)
  switch (last.name) {
    case 'claim-task': {
      const verb = last.input.permit === undefined ? buttons.claim : buttons.accept
      return items.length > 0 ? buttons.now(verb, now) : verb
    }
    case 'post-task':
      return last.input.fundAmountTokWei > 0n ? buttons.postAndLock(now) : withNow(buttons.post)
    case 'fund-task':
      return buttons.lock(now)
    case 'submit-proof':
      return buttons.deliver
    case 'accept-milestone':
    case 'complete-task':
      return buttons.approve(gets)
    case 'request-revision':
      return buttons.changes
    case 'open-dispute':
      return withNow(buttons.dispute)
    case 'resolve-dispute': {
      const bps = last.input.forWorker ? task?.dispute?.askBps : task?.dispute?.offerBps
      return bps === undefined
        ? last.action.verb
        : buttons.rule(names[last.input.forWorker ? 'worker' : 'poster'], `${bps / 100}%`)
    }
    case 'escalate':
      return task?.dispute?.phase === 'RULED' ? withNow(buttons.appeal) : last.action.verb
    case 'leave-task':
      return buttons.with(buttons.leave, hold)
    case 'dismiss-worker':
      return buttons.with(task?.state === 'ACTIVE' ? buttons.end : buttons.dismiss, hold)
    case 'sell-tok':
      return buttons.with(buttons.sell, formatCents(BigInt(prepared.swap?.quoteUsdc ?? last.input.minUsdc), 0n))
    default:
      if (items.length > 0) return buttons.with(last.action.verb, now)
      return totals.get.items.length > 0 && totals.get.who === 'you'
        ? buttons.with(last.action.verb, gets)
        : last.action.verb
  }
}

/** What the success screen says: from the table of all actions, with names and dates where they are known. */
function writeAfter({ last, totals, task, names, now, price, prepared }: Facts): After {
  const { after } = text
  const at = (moment: number) => formatMoment(moment, now)
  const pay = formatTotal({ ...totals.get, isUpTo: false }, price, true)
  const left = totals.now.items.length > 0 ? after.left(formatTotal(totals.now, price)) : after.now
  const { market, taskId } = prepared
  const { vetWindow, fundingWindow } = marketParams[market]
  const [title, what, when, to] = afterText[last.name]
  const target = to === 'task' && taskId === undefined ? 'wallet' : to
  const path = target === 'task' ? `/tasks/${taskId}` : `/${target === 'explore' ? 'tasks' : target}?market=${market}`
  const known: After = { title, text: '', left, next: [[what, when]], link: { label: afterLinks[target], href: path } }
  switch (last.name) {
    case 'claim-task': {
      if (!task) return known
      const [starts, delivers] = after.claim.next
      const time = formatTimeSpan(task.milestones[0]?.durationSeconds ?? 0)
      return {
        ...known,
        text: after.claim.text(pay),
        next: [starts(names.poster, at(now + fundingWindow), at(now + vetWindow)), delivers(time)],
        link: { label: after.hello(names.poster), href: `/tasks/${task.id}?tab=talk` },
      }
    }
    case 'submit-proof':
      if (!task) return known
      return {
        ...known,
        text: after.deliver.text(pay),
        next: [after.deliver.next(names.poster, at(now + task.reviewWindowSeconds))],
      }
    case 'accept-milestone':
    case 'complete-task':
      return { ...known, title: after.approve.title(names.worker, pay), next: [] }
    default:
      return known
  }
}
