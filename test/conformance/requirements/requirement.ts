import type { CheckName } from '../../behaviour/checks/names.ts'

/** What the specification asks for, in our words. */
export interface Requirement {
  id: string
  says: string
  /** The keys of the sentences that it covers, as `pnpm conformance --spec` prints them. */
  covers: readonly string[]
  /** The checks of behaviour that show it. `pnpm conformance --mutate` tries whether they notice. */
  checks?: readonly CheckName[]
  /** Other tests that show it, as `vitest list` names them: file and full name. */
  tests?: readonly string[]
}

/** Sentences of the specification that need no test. */
export interface Exemption {
  section: number
  why: string
  covers: readonly string[]
}

/** A promise of ours that is not in the specification. */
export interface Addition {
  says: string
  checks?: readonly CheckName[]
  tests?: readonly string[]
}

const testsIn =
  (file: string) =>
  (name: string): string =>
    `${file} > ${name}`

const literalFiles = ['values', 'endpoints', 'resources', 'contracts'].map((name) => `test/conformance/${name}.test.ts`)

/** Whether a test compares with a value that is written out in it, so that any other value fails. */
export const isLiteral = (test: string): boolean => literalFiles.some((file) => test.startsWith(`${file} > `))

/** Tests of constants, names and the environment. */
export const values = testsIn('test/conformance/values.test.ts')
/** Tests of the endpoints and their parameters in the contract. */
export const contract = testsIn('test/conformance/endpoints.test.ts')
/** Tests of the fields of resources in the contract. */
export const schema = testsIn('test/conformance/resources.test.ts')
/** Tests of the API over HTTP, without a chain. */
export const service = testsIn('test/conformance/service.test.ts')
/** The test that sends requests without credentials to every route of every service. */
export const credentials = 'test/api/credentials.test.ts > only private routes answer 401 without credentials'
/** Tests of what holds for every route of the API. */
export const world = testsIn('test/api/conformance/conformance.test.ts')
