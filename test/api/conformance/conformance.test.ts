import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openapiDocument } from '../../../apps/api/src/contract/openapi.ts'
import { startProofContext } from './proofContext.ts'
import { statements } from './statements.ts'

let context: Awaited<ReturnType<typeof startProofContext>>
beforeAll(async () => {
  context = await startProofContext()
})
afterAll(() => context?.stop())

describe.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('section %i', (section) => {
  for (const statement of statements.filter((each) => each.section === section)) {
    const { says } = statement
    if ('prove' in statement) test(`${statement.on}: ${says}`, () => statement.prove(context))
    else test(`${statement.file}: ${says}`, () => expect(statement).toSatisfy(isThere))
  }
})

/** Whether the test that a row names exists. */
const isThere = ({ file, test }: { file: string; test: string }) => {
  const path = new URL(`../../../${file}`, import.meta.url)
  return existsSync(path) && readFileSync(path, 'utf8').includes(test)
}

test.for(
  Object.entries(openapiDocument().paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      Object.keys((operation as { responses: object }).responses).map(
        (status) => `${method.toUpperCase()} ${path} ${status}`,
      ),
    ),
  ),
)('%s is proven', (wanted) => {
  expect(statements.map((statement) => ('on' in statement ? statement.on : ''))).toContain(wanted)
})
