import type { TaskDetailJson } from '@svc/client'
import { Clock } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { OpenedAction } from '../../actions/openedAction.ts'
import { setQuery } from '../../router.tsx'
import { loadTalkEngine, useTalk } from '../../talk/useTalk.ts'
import { cardText as labels } from '../../text/card.ts'
import { taskText } from '../../text/task.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ActButton, More } from './card/CardActs.tsx'
import { BarMoney, Needs, Pay, Under } from './card/CardMoney.tsx'
import type { BlockedEntry, Card, CardAct, CardClock, CardTab } from './card/types.ts'
import { useCard } from './card/useCard.ts'
import { formTabs } from './formTabs.ts'
import type { Viewer } from './viewer.ts'

// Whoever only reads signs nothing.
const ActionDialog = lazy(async () => ({ default: (await import('./ActionDialog.tsx')).ActionDialog }))
const Blocked = lazy(async () => ({ default: (await import('./Blocked.tsx')).Blocked }))
const OwnResult = lazy(async () => ({ default: (await import('./OwnResult.tsx')).OwnResult }))
const AddMoneyDialog = lazy(async () => ({ default: (await import('../../wallet/AddMoney.tsx')).AddMoneyDialog }))
const loadSteps = () => import('./describeStep.ts')

interface StatusCardProps {
  task: TaskDetailJson
  viewer: Viewer
  wallet: `0x${string}` | undefined
  /** Opens a form on its tab, also if it was open before. */
  onForm: (action: string) => void
}

/** The next step: where the money is, where the task stands, one sentence, one clock and one button. */
export function StatusCard({ task, viewer, wallet, onForm }: StatusCardProps) {
  const { card, blocked } = useCard(task, viewer, wallet)
  const { threads } = useTalk(task)
  const [opened, setOpened] = useState<OpenedAction | null>(null)
  const [since] = useState(() => Date.now())
  // Whoever pressed Claim before there was a wallet, or money in it, gets the receipt as soon as it is there.
  const [isWanted, setWanted] = useState(false)
  const open = (action: Omit<OpenedAction, 'openedAt'>) => setOpened({ ...action, openedAt: Date.now() })
  const accept = async () => {
    const { findClaim } = await loadTalkEngine()
    const known = threads?.[0] && findClaim(task, threads[0])
    if (known) open({ name: 'claim-task', title: labels.buttons.accept(null), known })
  }
  const act = (act: CardAct) => {
    if (act.do === 'accept') return void accept()
    if (act.do === 'connect' || act.do === 'addMoney') return setWanted(true)
    if (act.do === 'open') return openTab(act.tab)
    if (act.do === 'share')
      return void navigator.clipboard.writeText(location.origin + location.pathname).catch(() => {})
    if (!wallet) return
    if (act.do === 'step' && formTabs[act.step.action]) return onForm(act.step.action)
    void loadSteps().then(({ describeOwnClaim, describeSale, describeStep }) => {
      if (act.do === 'claim') open(describeOwnClaim(task, wallet))
      if (act.do === 'sell') open(describeSale(task, act.amountTokWei))
      if (act.do === 'step') open(describeStep(act.step, task, wallet))
    })
  }
  const claim = isWanted && wallet ? findClaimAct(card) : null
  useEffect(() => {
    if (!claim) return
    setWanted(false)
    act(claim)
  })
  return (
    <aside
      className={card?.isMine ? 'card raised status-card mine' : 'card raised status-card'}
      aria-label={labels.region}
    >
      <h2 className="visually-hidden">{taskText.phases[task.phase]}</h2>
      {card ? <CardBody card={card} task={task} blocked={blocked} onAct={act} onOpen={open} /> : <Skeleton lines={5} />}
      {wallet && !opened && (
        <Suspense>
          <OwnResult task={task} since={since} />
        </Suspense>
      )}
      {isWanted && wallet && card?.button?.do === 'addMoney' && (
        <Suspense>
          <AddMoneyDialog
            wallet={wallet}
            missing={card.button.missing}
            note={labels.addMoneyNote}
            onClose={() => setWanted(false)}
          />
        </Suspense>
      )}
      {opened && (
        <Suspense>
          <ActionDialog key={opened.openedAt} opened={opened} task={task} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </aside>
  )
}

/** The claim that the card offers, if it opens a receipt. */
function findClaimAct(card: Card | null): CardAct | null {
  const button = card?.button
  return button && (button.do === 'claim' || (button.do === 'step' && button.step.action === 'claim-task'))
    ? button
    : null
}

/** Shows a tab, also on a phone, where it is below the card. */
function openTab(tab: CardTab): void {
  setQuery({ tab })
  document.querySelector('[role="tablist"]')?.scrollIntoView()
}

interface CardBodyProps {
  task: TaskDetailJson
  card: Card
  blocked: readonly BlockedEntry[]
  onAct: (act: CardAct) => void
  onOpen: (action: Omit<OpenedAction, 'openedAt'>) => void
}

function CardBody({ card, task, blocked, onAct, onOpen }: CardBodyProps) {
  const { state, button, secondary, menu, sentence, clock, isMine } = card
  // Why nothing can be done, where somebody would expect to be able to.
  const isStuck = state === 'noMoney' || (state === 'running' && task.phase === 'OPEN_FOR_CLAIM')
  return (
    <>
      <Pay card={card} task={task} />
      <Steps card={card} />
      <p className="card-sentence" aria-live="polite">
        {sentence}
      </p>
      {state === 'noMoney' && <Needs />}
      {clock && <ClockLine clock={clock} isMine={isMine} />}
      {button && (
        <div className="action-bar">
          {clock && (
            <span className="bar-clock" aria-hidden="true">
              {card.amount !== null && <BarMoney of={card.amount} />}
              <span>{clock.title}</span>
            </span>
          )}
          <ActButton act={button} onAct={onAct} isMain />
        </div>
      )}
      <Under card={card} task={task} />
      {(secondary.length > 0 || menu.length > 0) && (
        <div className="action-row">
          {secondary.map((each) => (
            <ActButton key={each.label} act={each} onAct={onAct} />
          ))}
          {menu.length > 0 && <More acts={menu} onAct={onAct} />}
        </div>
      )}
      {isStuck && (
        <Suspense>
          <Blocked
            entries={blocked.filter(({ cure }) => button?.do !== 'claim' || cure?.action !== 'top-up')}
            phase={task.phase}
            hasOther={button !== null}
            onOpen={onOpen}
            onClaim={() => onAct({ do: 'claim', label: '' })}
          />
        </Suspense>
      )}
    </>
  )
}

/** Where the task stands: only this step and the next are named, the rest is read out. */
function Steps({ card: { step, isMine } }: { card: Card }) {
  const { steps, at, isLoss } = step
  const now = Math.min(at, steps.length - 1)
  const next = steps[at + 1]
  return (
    <div className={isMine ? 'card-steps turn' : isLoss ? 'card-steps loss' : 'card-steps'}>
      <div role="img" aria-label={labels.step(now + 1, steps.length, steps[now] ?? '')}>
        {steps.map((name, index) => (
          <i key={name} className={index < at ? 'done' : index === at ? 'now' : undefined} />
        ))}
      </div>
      <p className="row between tiny faint" aria-hidden="true">
        <strong>{steps[now]}</strong>
        {next && <span>{labels.next(next)}</span>}
      </p>
    </div>
  )
}

function ClockLine({ clock: { title, note }, isMine }: { clock: CardClock; isMine: boolean }) {
  return (
    <div className={isMine ? 'clock turn' : 'clock'}>
      <Clock size={18} aria-hidden="true" />
      <strong>{title}</strong>
      {note && <span>{note}</span>}
    </div>
  )
}
