import { accessFee, exitDeposit, parseAmount } from '@svc/protocol'
import { amounts } from '../../../text/amounts.ts'
import { cardText as text } from '../../../text/card.ts'
import { isSameAddress } from '../viewer.ts'
import { message } from './rowTools.ts'
import type { CardAct, CardFacts, CardRow, Step } from './types.ts'

const { sentences, clocks, buttons } = text
const ask: CardAct = { do: 'open', label: buttons.ask, tab: 'talk' }

/** The rows of somebody who is not the poster, before there is a worker. */
export function findClaimRow(facts: CardFacts): CardRow | null {
  const { task, wallet, talk, names, steps, blocked, money, at, span, now } = facts
  const pay = money(BigInt(task.totalAmountTokWei))
  const isLocked = BigInt(task.fundedTokWei) >= BigInt(task.totalAmountTokWei)
  const isChoice = task.claimPolicy === 'PERMIT'
  const isChosen = isSameAddress(task.allowedWorker, wallet)
  const until = task.claimableUntil ?? now
  const time = span(task.milestones[0]?.durationSeconds ?? 0)
  const open = isChoice
    ? { title: clocks.applications(span(until - now)), note: at(until), to: until }
    : { title: clocks.open(span(until - now)), note: clocks.claimBy(at(until)), to: until }
  if (!wallet) {
    return isChoice
      ? {
          state: 'strangerApply',
          sentence: sentences.strangerApply(names.poster, pay, isLocked),
          clock: open,
          button: { do: 'connect', label: buttons.apply, title: text.signIn.apply },
          secondary: [ask],
        }
      : {
          state: 'stranger',
          sentence: sentences.stranger(pay, isLocked),
          clock: open,
          button: { do: 'connect', label: buttons.claim, title: text.signIn.claim },
          secondary: [ask],
        }
  }
  const claim = steps.find(({ action }) => action === 'claim-task')
  const chosenUntil = isChosen ? until : (talk?.chosenUntil ?? null)
  if (isChoice && chosenUntil === null) {
    return talk?.hasApplied
      ? {
          state: 'applied',
          sentence: sentences.applied(names.poster),
          clock: { title: clocks.choose(names.poster), note: at(until), to: until },
          button: null,
          secondary: [{ do: 'open', label: buttons.editApplication, tab: 'talk' }, message(names.poster)],
        }
      : {
          state: 'notApplied',
          sentence: sentences.notApplied(names.poster),
          clock: open,
          button: { do: 'open', label: buttons.apply, tab: 'talk' },
          secondary: [ask],
        }
  }
  const missing = blocked.find(
    ({ action, cure }) => action === 'claim-task' && cure?.by === 'you' && cure.action === 'top-up',
  )
  const isMoneyShort = !claim && blocked.some(({ action, missing: short }) => action === 'claim-task' && short !== null)
  const end = chosenUntil === null ? until : Math.min(chosenUntil, until)
  const chosen = isChoice &&
    chosenUntil !== null && {
      isMine: true,
      clock: { title: clocks.accept(span(end - now)), note: clocks.acceptNote(at(end), names.poster), to: end },
      secondary: [message(names.poster), { do: 'open' as const, label: buttons.noThanks, tab: 'talk' as const }],
    }
  if (isMoneyShort) {
    const need = `${money(accessFee + exitDeposit)} and ${amounts.entryDeposit}`
    const back = `${money(exitDeposit)} and ${amounts.entryDeposit}`
    const isOnlyDeposit = blocked.filter(({ action }) => action === 'claim-task').length === 1 && missing?.missing
    return {
      state: 'noMoney',
      sentence: chosen ? sentences.chosenNoMoney(names.poster, need, back) : sentences.noMoney(need, back),
      clock: open,
      button: facts.missing
        ? { do: 'addMoney', label: buttons.addAmount(facts.missing.amount), missing: facts.missing }
        : {
            do: chosen && !isChosen ? 'accept' : 'claim',
            label: isOnlyDeposit
              ? (chosen ? buttons.addAndAccept : buttons.addMoney)(missing.missing ?? '')
              : chosen
                ? buttons.accept(null)
                : buttons.claim,
          },
      secondary: [ask],
      ...chosen,
    }
  }
  const cost = formatNow(claim, money)
  if (chosen) {
    return {
      state: 'chosen',
      sentence: sentences.chosen(names.poster),
      button:
        isChosen && claim
          ? { do: 'step', label: buttons.accept(cost), step: claim }
          : { do: 'accept', label: buttons.accept(cost) },
      ...chosen,
    }
  }
  if (!claim) return null
  return {
    state: 'open',
    sentence: sentences.open(time),
    clock: open,
    button: { do: 'step', label: buttons.claimNow(cost), step: claim },
    secondary: [ask],
  }
}

/** The TOK that leaves the wallet now; null if an Action Credit pays a part of it, so that the receipt has to say it. */
function formatNow(step: Step | undefined, money: CardFacts['money']): string | null {
  const costs = step?.costs.filter(({ what }) => what === 'Access fee' || what.startsWith('Exit deposit')) ?? []
  if (costs.length === 0 || costs.some(({ amount }) => !amount.endsWith(' TOK'))) return null
  return money(costs.reduce((sum, { amount }) => sum + parseAmount(amount, 'tok'), 0n))
}
