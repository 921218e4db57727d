import { canonicalizeJson } from '@svc/protocol'
import { type ActionName, type AnyAction, actions, listInputFields } from '@svc/protocol/actions'
import { isActionName } from '@svc/protocol/internal/actions'
import { type FormEvent, Fragment, type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import type { Address } from 'viem'
import { useContractCheck } from '../api.ts'
import { useDraft } from '../parts/useDraft.ts'
import { actionText as labels } from '../text/signing.ts'
import { Button } from '../ui/Button.tsx'
import { Note } from '../ui/Note.tsx'
import { Connect } from '../wallet/Connect.tsx'
import { useWallet } from '../wallet/useWallet.ts'
import { getField } from './fields.ts'
import type { RequestedAction } from './readBack.ts'
import { SignFlow } from './SignFlow.tsx'
import type { Transaction } from './transactions.ts'

export interface ActionFormProps {
  name: string
  /** The inputs that are already known, as JSON. */
  known: Readonly<Record<string, unknown>>
  /** Optional inputs that this form asks for. */
  required?: readonly string[]
  /** Optional inputs that may be left empty here. */
  offered?: readonly string[]
  /** The initial values of the fields. */
  start?: Readonly<Record<string, string>>
  /** Whether the action may not be prepared or signed now. The page around it says why. */
  isBlocked?: boolean
  /** The label of the button that leads to the receipt. */
  submitLabel?: string
  /** Stands for the field of a hash, and makes what it is the hash of. */
  editor?: FieldEditor | undefined
  /** Runs when the user signs, before the wallet is asked for the transaction. An error stops it, and its message is shown. */
  beforeSign?: (() => Promise<void>) | undefined
  /** Called once the transaction is in a block. */
  onDone?: (transaction: Transaction) => void
}

/** A part of the form that makes inputs when the form is submitted. */
interface FieldEditor {
  /** The input in whose place it stands. */
  field: string
  /** All inputs that it may make. The form does not ask for them. */
  makes: readonly string[]
  content: ReactNode
  /** Makes the inputs, as JSON. Returns null if it cannot; it then says why itself. */
  finish: () => Promise<Readonly<Record<string, unknown>> | null>
}

/**
 * A form for an action, generated from its row in the action table, then its receipt and its signature. Without anything to type,
 * the receipt comes first. What was typed survives a reload, until it is signed.
 */
export function ActionForm({ name, ...props }: ActionFormProps) {
  const { address } = useWallet()
  // The account that this is prepared for. If the wallet goes to another one, the user decides.
  const [owner, setOwner] = useState(address)
  if (!isActionName(name)) return <Note tone="loss">{labels.unknownAction(name)}</Note>
  if (!address) {
    return (
      <div className="sign-flow">
        <p className="soft">{labels.connectFirst}</p>
        <p>
          <Connect big />
        </p>
      </div>
    )
  }
  if (!owner) setOwner(address)
  return (
    <Form
      key={`${name} ${owner}`}
      name={name}
      address={owner ?? address}
      {...(owner && owner !== address && { onAdopt: () => setOwner(address) })}
      {...props}
    />
  )
}

interface FormProps extends Omit<ActionFormProps, 'name'> {
  name: ActionName
  address: Address
  /** Prepares this for the account that the wallet is on now. Only if that is another one. */
  onAdopt?: () => void
}

function Form({ name, address, known: given, required = [], offered = [], start = {}, ...props }: FormProps) {
  const { isBlocked = false, submitLabel = labels.review, onDone, onAdopt, editor, beforeSign } = props
  const [isMaking, setMaking] = useState(false)
  const id = useId()
  const givenKey = canonicalizeJson(given)
  // The same values in a new object must not prepare the action again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the values
  const { known, suggested } = useMemo(() => separateSuggestions(given), [givenKey])
  const [typed, setTyped, clearTyped] = useDraft<Record<string, string>>(
    `action-${name}-${String(known.taskId ?? known.market ?? '')}-${address}`,
    { ...suggested, ...start },
  )
  const [fieldErrors, setFieldErrors] = useState<Readonly<Record<string, string>>>({})
  const [input, setInput] = useState<Readonly<Record<string, unknown>> | null>(null)
  const { problem: contractProblem } = useContractCheck(resolveMarket(known, typed))
  const action: AnyAction = actions[name]
  const asked = listInputFields(action)
    .map(({ name: part, isOptional }) => ({ name: part, mayBeEmpty: isOptional && !required.includes(part) }))
    .filter(({ name: part, mayBeEmpty }) => !(part in known) && (!mayBeEmpty || offered.includes(part)))
    .filter(({ name: part }) => part === editor?.field || !editor?.makes.includes(part))
    // Whoever prepares a swap asks the pool for its limit.
    .filter(({ name: part }) => !action.swap || !(part in (action.derive ?? {})))
  const isComplete = asked.length === 0
  const request = useMemo<RequestedAction | null>(
    () => (isComplete || input ? { action: name, input: { ...known, ...input }, from: address } : null),
    [isComplete, input, name, known, address],
  )

  // Nothing is prepared yet, so the form can just as well be that of the other account.
  useEffect(() => {
    if (!request) onAdopt?.()
  }, [request, onAdopt])

  const review = async (event: FormEvent) => {
    event.preventDefault()
    const [values, wrong] = parseFields(
      asked.filter(({ name: part }) => part !== editor?.field),
      typed,
    )
    setFieldErrors(wrong)
    const first = Object.keys(wrong)[0]
    if (first) return document.getElementById(`${id}-${first}`)?.focus()
    if (!editor) return setInput(values)
    setMaking(true)
    const made = await editor.finish()
    setMaking(false)
    if (made) setInput({ ...values, ...made })
  }

  if (request) {
    return (
      <SignFlow
        asked={request}
        isBlocked={isBlocked}
        beforeSign={beforeSign}
        {...(onAdopt
          ? { onBack: onAdopt, backLabel: labels.useAccount }
          : !isComplete && { onBack: () => setInput(null), backLabel: labels.edit })}
        onDone={(transaction) => {
          clearTyped()
          onDone?.(transaction)
        }}
      />
    )
  }
  return (
    <form className="sign-flow action-form" onSubmit={(event) => void review(event)} noValidate>
      <p className="soft">{actions[name].explain}</p>
      {asked.map(({ name: part, mayBeEmpty }) => {
        if (editor && part === editor.field) return <Fragment key={part}>{editor.content}</Fragment>
        const field = getField(part)
        const common = {
          id: `${id}-${part}`,
          name: part,
          className: 'input',
          value: typed[part] ?? (field.kind === 'choice' ? (field.choices?.[0]?.[0] ?? '') : ''),
          'aria-describedby': `${id}-${part}-help`,
          'aria-invalid': part in fieldErrors,
          onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [part]: target.value }),
        }
        return (
          <div className="form-field" key={part}>
            <label htmlFor={common.id}>
              {field.label}
              {mayBeEmpty && labels.optional}
            </label>
            {field.kind === 'choice' ? (
              <select {...common}>
                {field.choices?.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            ) : field.kind === 'text' ? (
              <input {...common} autoComplete="off" spellCheck={false} />
            ) : (
              <textarea {...common} rows={field.kind === 'json' ? 6 : 4} />
            )}
            <p className={part in fieldErrors ? 'help wrong' : 'help'} id={`${id}-${part}-help`}>
              {fieldErrors[part] ?? field.hint ?? ''}
            </p>
          </div>
        )
      })}
      <Note tone="loss">{contractProblem}</Note>
      <Button type="submit" look="primary" size="big" disabled={isBlocked || contractProblem !== null} busy={isMaking}>
        {submitLabel}
      </Button>
    </form>
  )
}

/** Separates what the user may still change from what is known for good. */
function separateSuggestions(given: Readonly<Record<string, unknown>>) {
  const known: Record<string, unknown> = {}
  const suggested: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const { suggest } = getField(name)
    if (suggest) suggested[name] = suggest(value)
    else known[name] = value
  }
  return { known, suggested }
}

function parseFields(asked: readonly { name: string; mayBeEmpty: boolean }[], typed: Readonly<Record<string, string>>) {
  const input: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const { name, mayBeEmpty } of asked) {
    const field = getField(name)
    if (mayBeEmpty && (typed[name] ?? '').trim() === '') continue
    try {
      input[name] = field.read(typed[name] ?? field.choices?.[0]?.[0] ?? '')
    } catch (error) {
      wrong[name] = (error as Error).message
    }
  }
  return [input, wrong] as const
}

/** Finds the market of an input. */
function resolveMarket(known: Readonly<Record<string, unknown>>, typed: Readonly<Record<string, string>>) {
  const id = String(known.taskId ?? typed.taskId ?? '')
  const given = known.market ?? typed.market ?? id.split(':')[1]
  return given === 'micro' ? 'micro' : 'standard'
}
