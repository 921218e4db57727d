import type { PreparedJson } from '@svc/operations'
import { actions, isActionName, listInputFields } from '@svc/protocol/actions'
import { type FormEvent, useId, useState } from 'react'
import { api, useContractCheck } from '../api.ts'
import { Alert } from '../parts/Alert.tsx'
import { describeError } from '../parts/QueryView.tsx'
import { useWallet } from '../wallet/useWallet.ts'
import { getField } from './fields.ts'
import { Preview, type RequestedAction } from './Preview.tsx'

export interface ActionFormProps {
  name: string
  /** The inputs that are already known, as JSON. */
  known: Readonly<Record<string, unknown>>
  /** Optional inputs that this form asks for. */
  required?: readonly string[]
  /** The initial values of the fields. */
  start?: Readonly<Record<string, string>>
  /** Whether the action may not be prepared or signed now. The page around it says why. */
  isBlocked?: boolean
}

/** A form for an action, generated from its row in the action table. It prepares the action and shows the preview. */
export function ActionForm({ name, known, required = [], start = {}, isBlocked = false }: ActionFormProps) {
  const { address } = useWallet()
  const id = useId()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(start)
  const [fieldErrors, setFieldErrors] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [prepared, setPrepared] = useState<{ json: PreparedJson; asked: RequestedAction } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { problem: contractProblem } = useContractCheck(resolveMarket(known, typed))
  if (!isActionName(name)) return <p className="problem">There is no action {name}.</p>
  if (!address) return <p className="notice">Connect a wallet to do this.</p>
  const asked = listInputFields(actions[name]).filter(
    ({ name: part, isOptional }) => !(part in known) && (!isOptional || required.includes(part)),
  )

  const prepare = async (event: FormEvent) => {
    event.preventDefault()
    const [input, wrong] = parseFields(asked, typed)
    setFieldErrors(wrong)
    setProblem(null)
    const first = Object.keys(wrong)[0]
    if (first) return document.getElementById(`${id}-${first}`)?.focus()
    setBusy(true)
    try {
      const asked = { action: name, input: { ...known, ...input }, from: address }
      const { body } = await api.prepareAction(asked)
      setPrepared({ json: body, asked })
    } catch (error) {
      setProblem(describeError(error as Error))
    } finally {
      setBusy(false)
    }
  }

  if (prepared) {
    const { json, asked } = prepared
    return <Preview prepared={json} asked={asked} isBlocked={isBlocked} onBack={() => setPrepared(null)} />
  }
  return (
    <form className="action-form" onSubmit={prepare} noValidate>
      {asked.map(({ name: part }) => {
        const field = getField(part)
        const common = {
          id: `${id}-${part}`,
          name: part,
          value: typed[part] ?? (field.kind === 'choice' ? (field.choices?.[0]?.[0] ?? '') : ''),
          'aria-describedby': `${id}-${part}-help`,
          'aria-invalid': part in fieldErrors,
          onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [part]: target.value }),
        }
        return (
          <div className="field" key={part}>
            <label htmlFor={common.id}>{field.label}</label>
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
            <p className={part in fieldErrors ? 'fault' : 'hint'} id={`${id}-${part}-help`}>
              {fieldErrors[part] ?? field.hint ?? ''}
            </p>
          </div>
        )
      })}
      <Alert>{contractProblem}</Alert>
      <Alert>{problem}</Alert>
      <button type="submit" className="primary" disabled={isBusy || isBlocked || contractProblem !== null}>
        {isBusy ? 'Asking the chain …' : 'See what you would sign'}
      </button>
    </form>
  )
}

function parseFields(asked: readonly { name: string }[], typed: Readonly<Record<string, string>>) {
  const input: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const { name } of asked) {
    const field = getField(name)
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
