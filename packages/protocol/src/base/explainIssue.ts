import type * as z from 'zod/mini'

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/**
 * Says what a value must be, as a phrase that continues the name of its field: "must be text". An error map of zod, for
 * schemas that have no message of their own. It never repeats the value, which may be a stranger's text.
 */
export const explainIssue: z.core.$ZodErrorMap = (issue) => {
  const begin = issue.input === undefined ? 'is required:' : 'must be'
  switch (issue.code) {
    case 'invalid_type':
      return `${begin} ${nouns[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `${begin} ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(issue.values.map(String))}`
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') {
        return Number(issue.minimum) === 1
          ? 'must not be empty'
          : `must have at least ${formatCount(issue.minimum, issue.origin)}`
      }
      return `must be at least ${issue.minimum}`
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `must have at most ${formatCount(issue.maximum, issue.origin)}`
        : `must be at most ${issue.maximum}`
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in the form that the documentation shows'}`
    case 'unrecognized_keys': {
      const [name = ''] = issue.keys
      return `has an unknown field${isFieldName(name) ? ` ${name}` : ''}`
    }
    case 'invalid_union':
      return 'has none of the forms that are allowed'
    default:
      return 'is not valid'
  }
}

/** A key of a record is a stranger's text too: a sentence repeats only what looks like the name of a field. */
const isFieldName = (key: string) => /^[\w-]{1,40}$/.test(key)

const formats: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  uuid: 'a UUID',
  url: 'a URL',
}

const formatCount = (count: number | bigint, origin: string) =>
  `${count.toLocaleString('en-GB')} ${origin === 'string' ? 'characters' : 'entries'}`

/** Formats an issue as a sentence that names its field. `root` is where the parsed value is in a larger input. */
export function formatIssue(issue: z.core.$ZodIssue | undefined, root: readonly string[] = []): string {
  if (!issue) return 'The input is not valid.'
  if (issue.code === 'invalid_union') {
    const [closest] = issue.errors.toSorted((a, b) => a.length - b.length)
    if (closest?.[0]) return formatIssue(closest[0], [...root, ...issue.path.map(String)])
  }
  const keys = issue.path.map(String)
  const unnamed = keys.findIndex((key) => !isFieldName(key))
  const path = [...root, ...(unnamed === -1 ? keys : keys.slice(0, unnamed))]
  const message = issue.message.replace(/\.$/, '')
  const place = path.join('.') || 'The input'
  if (/^(?:must|is|has)\b/.test(message)) return `${place} ${message}.`
  const isNamed = path.length === 0 || message.split(/[^\w]+/).includes(path.at(-1) ?? '')
  return isNamed ? `${message}.` : `${place}: ${message}.`
}
