import * as z from 'zod/mini'
import { kebab } from '../prepareCommand.ts'
import { fieldWords } from './fieldWords.ts'

/**
 * How a value is written on the command line:
 * `amount` with its symbol or, under the longer name, in the smallest unit; `json` and `prose` as a file or `-`.
 */
type Form =
  | { kind: 'amount'; token: 'tok' | 'usdc' | 'either' }
  | { kind: 'whole' }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'json' }
  | { kind: 'prose' }
  | { kind: 'word' }

/** One argument of a command: a field of its input. */
export interface Field {
  /** On the wire. */
  name: string
  schema: z.ZodMiniType
  form: Form
  /** On the command line, without the dashes; an amount has a second one for the smallest unit. */
  flag: string
  unitFlag?: string
  words: string
  /** What stands for it where it is not given; undefined for one that must be. */
  otherwise?: string
}

/** The arguments of an input schema; `otherwise` says by name what stands for those that may be left out. */
export function fieldsOf(
  input: z.ZodMiniObject<Readonly<Record<string, z.ZodMiniType>>>,
  otherwise: Readonly<Record<string, string>> = {},
): Field[] {
  return Object.entries(input.shape).map(([name, schema]) => {
    const form = formOf(name, schema)
    const instead = otherwise[name] ?? (schema._zod.optin === 'optional' ? 'nothing' : undefined)
    const base = form.kind === 'amount' ? name.replace(/TokWei$|Usdc$/, '') : name
    return {
      name,
      schema,
      form,
      flag: kebab(base),
      ...(form.kind === 'amount' && { unitFlag: `${kebab(base)}-${smallest[form.token]}` }),
      words: fieldWords[name] ?? name,
      ...(instead !== undefined && { otherwise: instead }),
    }
  })
}

const smallest = { tok: 'tok-wei', usdc: 'usdc-units', either: 'units' } as const

/** The name on the command line of a name on the wire. */

/** Text that people write in an editor, not in a shell. */
const prose = new Set(['text', 'criteria'])

function formOf(name: string, schema: z.ZodMiniType): Form {
  if (name.endsWith('TokWei')) return { kind: 'amount', token: 'tok' }
  if (name.endsWith('Usdc')) return { kind: 'amount', token: 'usdc' }
  if (name === 'maxAmount') return { kind: 'amount', token: 'either' }
  const outside = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  if (outside.enum) return { kind: 'choice', choices: outside.enum.map(String) }
  if (outside.type === 'integer') return { kind: 'whole' }
  if (outside.type === 'string') return { kind: prose.has(name) ? 'prose' : 'word' }
  return { kind: 'json' }
}

/** The flags of an argument, as help shows them, with what each means. */
export function flagsOf({ flag, unitFlag, form, words, otherwise }: Field): [flags: string, words: string][] {
  const ending = otherwise === undefined ? '' : ` (default: ${otherwise})`
  const main: [string, string] = [`--${flag} <${placeOf(form)}>`, `${words}${ending}`]
  return unitFlag ? [main, [`--${unitFlag} <integer>`, 'the same in the smallest unit']] : [main]
}

function placeOf(form: Form): string {
  if (form.kind === 'choice') return form.choices.join('|')
  if (form.kind === 'amount')
    return form.token === 'usdc' ? '25USDC' : form.token === 'tok' ? '12.5TOK' : '12.5TOK|9USDC'
  return { whole: 'integer', json: 'file.json', prose: 'file', word: 'value' }[form.kind]
}
