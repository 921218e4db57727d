import type { OutputJson } from '@svc/operations'
import { formatAmount, type TaskPhase } from '@svc/protocol'
import { findAction } from '@svc/protocol/actions'
import type { OpenedAction } from '../../actions/openedAction.ts'
import { taskText } from '../../text/task.ts'
import { Button } from '../../ui/Button.tsx'
import { formatRelative, useNow } from '../../ui/Time.tsx'

type BlockedEntry = OutputJson<'listSteps'>['blocked'][number]
type Open = (action: Omit<OpenedAction, 'openedAt'>) => void

const labels = taskText.blocked

interface BlockedProps {
  entries: readonly BlockedEntry[]
  phase: TaskPhase
  /** Whether the wallet can do something else meanwhile. */
  hasOther: boolean
  onOpen: Open
  onClaim: () => void
}

/** Why a wallet cannot act on a task now, and what it can do about it. */
export function Blocked({ entries, phase, hasOther, onOpen, onClaim }: BlockedProps) {
  const main = entries.filter(({ action }) => phase === 'OPEN_FOR_CLAIM' && action === 'claim-task')
  const shown = main.length > 0 ? main : entries
  if (shown.length === 0) return hasOther ? null : <p className="small soft">{labels.nothing}</p>
  return (
    <ul className="stack blocked">
      {shown.map((entry) => (
        <BlockedRow
          key={`${entry.action} ${entry.rule}`}
          entry={entry}
          onOpen={onOpen}
          // The receipt of a claim can include the top-up, if that is all that is missing.
          onClaim={entry.action === 'claim-task' && shown.length === 1 ? onClaim : null}
        />
      ))}
    </ul>
  )
}

function BlockedRow({ entry, onOpen, onClaim }: { entry: BlockedEntry; onOpen: Open; onClaim: (() => void) | null }) {
  const now = useNow()
  const { action, rule, have, missing, waitUntil, cure } = entry
  const isPause = rule === 'entries are not paused and have not ended'
  return (
    <li className="stack tight">
      {action !== 'any' && <strong className="small">{labels.title(findAction(action)?.verb ?? action)}</strong>}
      <span className="small soft">
        {isPause ? labels.paused : (labels.rules[rule] ?? `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.`)}{' '}
        {have && missing && labels.short(have, missing)}{' '}
        {waitUntil !== null && labels.wait(formatRelative(waitUntil, now))}{' '}
        {cure && cure.by !== 'you' && labels.waitsFor[cure.by]}
      </span>
      {cure?.by === 'you' && <CureButton cure={cure} missing={missing} onOpen={onOpen} onClaim={onClaim} />}
    </li>
  )
}

interface CureProps {
  cure: NonNullable<BlockedEntry['cure']>
  missing: string | null
  onOpen: Open
  onClaim: (() => void) | null
}

/** The action that helps, with its form filled in. */
function CureButton({ cure, missing, onOpen, onClaim }: CureProps) {
  const action = findAction(cure.action)
  if (!action) return null
  const isTopUp = cure.action === 'top-up' && missing !== null
  const { title, verb } = action
  const openCure = () => onOpen({ name: cure.action, title, ...fillCure(cure.input) })
  return (
    <div className="action-bar">
      <Button look="primary" size="big" wide onClick={isTopUp && onClaim ? onClaim : openCure}>
        {isTopUp ? (onClaim ? taskText.buttons.topUpAndClaim : taskText.buttons.topUp)(missing) : verb}
      </Button>
    </div>
  )
}

/** The amount of a top-up is a suggestion that the user may raise. Everything else is known. */
function fillCure({ amountUsdc, ...known }: Readonly<Record<string, string>>) {
  return { known, start: amountUsdc ? { amountUsdc: formatAmount(BigInt(amountUsdc), 'usdc') } : {} }
}
