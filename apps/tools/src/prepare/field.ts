import * as z from 'zod/mini'
import { toKebabCase } from '../prepareCommand.ts'
import { fieldDescriptions } from './fieldDescriptions.ts'

/**
 * How a value is written on the command line. `amount`: with its symbol, or in the smallest unit under the longer name.
 * `json` and `prose`: as a file or `-`.
 */
type Form =
  | { kind: 'amount'; token: 'tok' | 'usdc' | 'either' }
  | { kind: 'whole' }
  | { kind: 'boolean' }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'json' }
  | { kind: 'prose' }
  | { kind: 'word' }

/** One argument of a command: a field of its input. */
export interface Field {
  /** The wire name. */
  name: string
  schema: z.core.$ZodType
  form: Form
  /** The flag without dashes. An amount has a second one for the smallest unit. */
  flag: string
  unitFlag?: string
  description: string
  /** The default, as text; undefined if the argument is required. */
  otherwise?: string
}

/**
 * Lists the arguments of an input schema. `otherwise` has the defaults of optional ones as text, and null for one that a person must
 * give all the same. Descriptions are by wire name.
 */
export function listFields(
  input: { shape: Readonly<Record<string, z.core.$ZodType>> },
  otherwise: Readonly<Record<string, string | null>> = {},
  descriptions: Readonly<Record<string, string | undefined>> = fieldDescriptions,
): Field[] {
  return Object.entries(input.shape).map(([name, schema]) => {
    const form = detectForm(name, schema)
    const usual = schema._zod.optin === 'optional' ? 'nothing' : null
    const instead = name in otherwise ? otherwise[name] : usual
    const base = form.kind === 'amount' ? name.replace(/TokWei$|Usdc$/, '') : name
    return {
      name,
      schema,
      form,
      flag: toKebabCase(base),
      ...(form.kind === 'amount' && { unitFlag: `${toKebabCase(base)}-${smallest[form.token]}` }),
      description: descriptions[name] ?? name,
      ...(typeof instead === 'string' && { otherwise: instead }),
    }
  })
}

const smallest = { tok: 'tok-wei', usdc: 'usdc-units', either: 'units' } as const

/** Text that people write in an editor, not in a shell. */
const prose = new Set(['text', 'criteria'])

function detectForm(name: string, schema: z.core.$ZodType): Form {
  if (name.endsWith('TokWei')) return { kind: 'amount', token: 'tok' }
  if (name.endsWith('Usdc')) return { kind: 'amount', token: 'usdc' }
  if (name === 'maxAmount') return { kind: 'amount', token: 'either' }
  const outside = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  // Omit the argument for null.
  const forms = (outside.anyOf ?? [outside]).flatMap((form) => (typeof form === 'object' ? form.type : []))
  const types = [...new Set(forms)].filter((type) => type !== 'null')
  if (outside.const !== undefined) return { kind: 'choice', choices: [String(outside.const)] }
  if (outside.enum) return { kind: 'choice', choices: outside.enum.map(String) }
  if (types[0] === 'integer') return { kind: 'whole' }
  if (types[0] === 'boolean') return { kind: 'boolean' }
  if (types.length === 1 && types[0] === 'string') return { kind: prose.has(name) ? 'prose' : 'word' }
  return { kind: 'json' }
}

/** Formats the flags of an argument with their descriptions, as shown in the help. */
export function formatFlags({
  flag,
  unitFlag,
  form,
  description,
  otherwise,
}: Field): [flags: string, description: string][] {
  const ending = otherwise === undefined ? '' : ` (default: ${otherwise})`
  const main: [string, string] = [`--${flag} <${formatPlaceholder(form)}>`, `${description}${ending}`]
  return unitFlag ? [main, [`--${unitFlag} <integer>`, 'the same in the smallest unit']] : [main]
}

function formatPlaceholder(form: Form): string {
  if (form.kind === 'choice') return form.choices.join('|')
  if (form.kind === 'amount')
    return form.token === 'usdc' ? '25USDC' : form.token === 'tok' ? '12.5TOK' : '12.5TOK|9USDC'
  return { whole: 'integer', boolean: 'true|false', json: 'file.json', prose: 'file', word: 'value' }[form.kind]
}
