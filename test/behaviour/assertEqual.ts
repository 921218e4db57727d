/** Throws at the first place where two values differ as JSON: integers are their text, and the order of fields does not matter. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  const difference = findDifference(actual, expected, what)
  if (difference) throw new Error(difference)
}

function findDifference(actual: unknown, expected: unknown, path: string): string | null {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    const length = Math.max(actual.length, expected.length)
    return first(length, (index) => findDifference(actual[index], expected[index], `${path}[${index}]`))
  }
  if (isRecord(actual) && isRecord(expected)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
    return first(names.length, (index) => {
      const name = names[index] ?? ''
      return findDifference(actual[name], expected[name], `${path}.${name}`)
    })
  }
  const [one, other] = [actual, expected].map((each) => (typeof each === 'bigint' ? String(each) : each))
  return one === other ? null : `${path} is ${show(one)} instead of ${show(other)}`
}

const show = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function first(count: number, find: (index: number) => string | null): string | null {
  for (let index = 0; index < count; index++) {
    const difference = find(index)
    if (difference) return difference
  }
  return null
}
