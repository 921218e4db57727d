import { assertEqual } from '../assertEqual.ts'
import { type Answer, isObject } from '../call.ts'

/** Expects a refusal with this status and code, in words. */
export function assertRefusal({ status, body }: Answer, expected: number, code: string, field?: string): void {
  const said = isObject(body) ? body : {}
  assertEqual({ status, code: said.code }, { status: expected, code }, `a refusal with ${code}`)
  if (typeof said.error !== 'string' || said.error === '') throw new Error(`${code} has no words.`)
  if (field !== undefined) assertEqual(said.field, field, `the field of ${code}`)
}
