import type { PreparedJson } from '@svc/protocol/http'
import { type FormEvent, useId, useState } from 'react'
import { api, useTrusted } from '../api.ts'
import { Alert } from '../parts/Alert.tsx'
import { wordsOf } from '../parts/Reading.tsx'
import { useWallet } from '../wallet/useWallet.ts'
import { actionOf, fieldOf, inputOf } from './fields.ts'
import { type Asked, Preview } from './Preview.tsx'

export interface ActionFormProps {
  name: string
  /** What is known already, as JSON. */
  known: Readonly<Record<string, unknown>>
  /** Parts that are optional in general, and asked for here. */
  needs?: readonly string[]
  /** What the fields begin with. */
  start?: Readonly<Record<string, string>>
}

/** Asks for what an action needs, has it prepared, and shows what would be signed. Derived from the action's own row. */
export function ActionForm({ name, known, needs = [], start = {} }: ActionFormProps) {
  const action = actionOf(name)
  const { address } = useWallet()
  const id = useId()
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(start)
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [prepared, setPrepared] = useState<{ json: PreparedJson; asked: Asked } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { problem: mistrust } = useTrusted(marketOf(known, typed))
  if (!action) return <p className="problem">There is no action {name}.</p>
  if (!address) return <p className="notice">Connect a wallet to do this.</p>
  const asked = inputOf(action).filter(
    ({ name: part, isOptional }) => !(part in known) && (!isOptional || needs.includes(part)),
  )

  const prepare = async (event: FormEvent) => {
    event.preventDefault()
    const [input, wrong] = readAll(asked, typed)
    setFaults(wrong)
    setProblem(null)
    const first = Object.keys(wrong)[0]
    if (first) return document.getElementById(`${id}-${first}`)?.focus()
    setBusy(true)
    try {
      const asked = { action: name, input: { ...known, ...input }, from: address }
      const { body } = await api.actionsPrepare(asked as Parameters<typeof api.actionsPrepare>[0])
      setPrepared({ json: body as PreparedJson, asked })
    } catch (error) {
      setProblem(wordsOf(error as Error))
    } finally {
      setBusy(false)
    }
  }

  if (prepared) return <Preview prepared={prepared.json} asked={prepared.asked} onBack={() => setPrepared(null)} />
  return (
    <form className="action-form" onSubmit={prepare} noValidate>
      {asked.map(({ name: part }) => {
        const field = fieldOf(part)
        const common = {
          id: `${id}-${part}`,
          name: part,
          value: typed[part] ?? (field.kind === 'choice' ? (field.choices?.[0]?.[0] ?? '') : ''),
          'aria-describedby': `${id}-${part}-help`,
          'aria-invalid': part in faults,
          onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [part]: target.value }),
        }
        return (
          <div className="field" key={part}>
            <label htmlFor={common.id}>{field.label}</label>
            {field.kind === 'choice' ? (
              <select {...common}>
                {field.choices?.map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            ) : field.kind === 'text' ? (
              <input {...common} autoComplete="off" spellCheck={false} />
            ) : (
              <textarea {...common} rows={field.kind === 'json' ? 6 : 4} />
            )}
            <p className={part in faults ? 'fault' : 'hint'} id={`${id}-${part}-help`}>
              {faults[part] ?? field.hint ?? ''}
            </p>
          </div>
        )
      })}
      <Alert>{mistrust}</Alert>
      <Alert>{problem}</Alert>
      <button type="submit" className="primary" disabled={isBusy || mistrust !== null}>
        {isBusy ? 'Asking the chain …' : 'See what you would sign'}
      </button>
    </form>
  )
}

function readAll(asked: readonly { name: string }[], typed: Readonly<Record<string, string>>) {
  const input: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const { name } of asked) {
    const field = fieldOf(name)
    try {
      input[name] = field.read(typed[name] ?? field.choices?.[0]?.[0] ?? '')
    } catch (error) {
      wrong[name] = (error as Error).message
    }
  }
  return [input, wrong] as const
}

/** The market that an input is about. */
function marketOf(known: Readonly<Record<string, unknown>>, typed: Readonly<Record<string, string>>) {
  const id = String(known.taskId ?? typed.taskId ?? '')
  const given = known.market ?? typed.market ?? id.split(':')[1]
  return given === 'micro' ? 'micro' : 'standard'
}
