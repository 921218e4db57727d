import { hashTaskText } from '@svc/protocol'
import type { AnyAction } from '@svc/protocol/actions'
import { explainIssue } from '@svc/protocol/internal/base'
import { z } from 'zod'
import type { Field } from './prepare/field.ts'
import { listActionFields } from './prepare/listActionFields.ts'
import { ToolError } from './tool.ts'
import { describeIssue } from './toToolError.ts'

/** The inputs that follow from the terms. */
const fromTerms: ReadonlySet<string> = new Set(['text', 'worker'])
const isFilledByTerms = ({ input }: AnyAction, name: string) => 'terms' in input.shape && fromTerms.has(name)
const isHashField = ({ name }: Field) => name.endsWith('Hash')

/**
 * Checks the input of an action. `text` fills the field that takes a hash, if it has one. Throws a `ToolError` that names
 * fields, never their values.
 */
export function parsePreparedInput(
  action: AnyAction,
  given: Readonly<Record<string, unknown>>,
  text: string | undefined,
): Record<string, unknown> {
  const fields = listActionFields(action)
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) {
    const named = /^\w{1,30}$/.test(unknown) ? ` ${unknown}` : ''
    throw refuseInput(`${action.name} has no input${named}.`, fields)
  }
  const hash = fields.find(isHashField)
  if (text !== undefined && !hash) throw refuseInput(`${action.name} takes no text.`, fields)
  const input = { ...given, ...(text !== undefined && hash && { [hash.name]: hashTaskText(text) }) }
  for (const { name, schema, description } of fields) {
    const { success, error } = z.safeParse(schema, input[name], { error: explainIssue })
    if (success || input[name] === undefined) continue
    // The message about terms names their fields, never values.
    const expected = name === 'terms' ? error.issues[0]?.message : `not valid; expected ${description}`
    throw refuseInput(describeIssue(error, ['input', name], expected), fields)
  }
  const missing = fields.filter(
    ({ name, otherwise }) => otherwise === undefined && input[name] === undefined && !isFilledByTerms(action, name),
  )
  if (missing.length === 0) return input
  const names = missing.map((field) => (isHashField(field) ? `${field.name}, or text to hash` : field.name))
  throw refuseInput(`Missing in input: ${names.join(', ')}.`, fields)
}

/** The error for an input that does not fit the action. */
function refuseInput(message: string, fields: readonly Field[]): ToolError {
  const list = fields.map(({ name, otherwise }) => (otherwise === undefined ? name : `${name}?`)).join(', ')
  return new ToolError('INVALID_REQUEST', message, `Call svc_prepare again with the input {${list}}.`)
}
