import { toPascalCase } from './components.ts'
import type { OpenapiDocument, OpenapiOperation, OpenapiParameter, OpenapiResponse } from './types.ts'

/** Moves the parameters, headers and error responses that several operations have in common into the components. */
export function shareComponents({ paths, components, ...rest }: OpenapiDocument): object {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const answers = operations.flatMap((operation) => Object.values(operation.responses))
  const parameters = findShared<OpenapiParameter>(
    'parameters',
    operations.flatMap(({ parameters = [] }) => parameters.map((each) => [each.name, each])),
    // Examples differ from one operation to the next; the code samples have them all.
    ({ example, ...parameter }) => JSON.stringify(parameter),
  )
  const headers = findShared(
    'headers',
    answers.flatMap(({ headers = {} }) => Object.entries(headers)),
  )
  const referToHeaders = (response: OpenapiResponse) => ({
    ...response,
    ...(response.headers && { headers: mapValues(response.headers, headers.refer) }),
  })
  const responses = findShared(
    'responses',
    answers.map((each) => [nameErrors(each), referToHeaders(each)]),
  )
  const referToParts = (operation: OpenapiOperation) => ({
    ...operation,
    ...(operation.parameters && { parameters: operation.parameters.map((each) => parameters.refer(each, each.name)) }),
    responses: mapValues(operation.responses, (each) => responses.refer(referToHeaders(each), nameErrors(each))),
  })
  return {
    ...rest,
    paths: mapValues(paths, (methods) => mapValues(methods, referToParts)),
    components: {
      parameters: parameters.shared,
      headers: headers.shared,
      responses: responses.shared,
      ...components,
    },
  }
}

/** Names an error response after its codes: `RATE_LIMITED` is `RateLimited`. Other responses have no name. */
const nameErrors = ({ description }: OpenapiResponse): string =>
  [...description.matchAll(/^`([A-Z_]+)`: /gm)]
    .map(([, code = '']) => toPascalCase(code.toLowerCase().replaceAll('_', '-')))
    .join('Or')
    .replaceAll('OrInvalid', 'Or')

/** Finds the parts that occur more than once under a name. Of several with one name, only the most frequent is shared. */
function findShared<Part extends object>(
  kind: string,
  uses: readonly (readonly [name: string, part: Part])[],
  identify: (part: Part) => string = JSON.stringify,
) {
  const found = new Map<string, { name: string; part: Part; count: number }>()
  for (const [name, part] of uses) {
    const key = `${name} ${identify(part)}`
    const before = found.get(key)
    found.set(key, { name, part: before?.part ?? part, count: (before?.count ?? 0) + 1 })
  }
  const byName = new Map<string, Part>()
  for (const { name, part, count } of [...found.values()].sort((one, other) => other.count - one.count)) {
    if (name !== '' && count > 1 && !byName.has(name)) byName.set(name, part)
  }
  return {
    shared: Object.fromEntries([...byName].sort(([one], [other]) => (one < other ? -1 : 1))),
    refer(part: Part, name: string): Part | { $ref: string } {
      const shared = byName.get(name)
      return shared && identify(shared) === identify(part) ? { $ref: `#/components/${kind}/${name}` } : part
    },
  }
}

const mapValues = <Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
