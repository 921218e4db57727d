/** A change of the code that the tests of a requirement must notice. `from` occurs exactly once in the file. */
export interface Mutation {
  file: string
  from: string
  to: string
}

/** What the specification asks for, in our words. */
export interface Requirement {
  id: string
  says: string
  /** The keys of the sentences that it covers, as `pnpm conformance --spec` prints them. */
  covers: readonly string[]
  /** The tests that show it, as `vitest list` names them: file and full name. The fastest comes first. */
  tests: readonly string[]
  /** If it is about a value: changes of that value. */
  mutations?: readonly Mutation[]
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
  tests: readonly string[]
}

export const change = (file: string, from: string, to: string): Mutation => ({ file, from, to })

const testsIn =
  (file: string) =>
  (name: string): string =>
    `${file} > ${name}`

/** Tests of constants, names and the environment. */
export const values = testsIn('test/conformance/values.test.ts')
/** Tests of the endpoints and their parameters in the contract. */
export const contract = testsIn('test/conformance/endpoints.test.ts')
/** Tests of the fields of resources in the contract. */
export const schema = testsIn('test/conformance/resources.test.ts')
/** Tests of the API over HTTP, with a fake reader. */
export const service = testsIn('test/conformance/service.test.ts')
/** Tests of the gateway without a chain. */
export const gateway = testsIn('test/conformance/gateway.test.ts')
/** Tests of the API over a real chain and a real index. */
export const world = testsIn('test/api/conformance/conformance.test.ts')
