/** What is true of a deployment, by path. Values are texts, so that providers and plans can be compared. */
export type Facts = ReadonlyMap<string, string>

/** The value of a fact that a provider cannot tell, such as a state that it no longer has. */
export const unknownFact = 'not known'

/** One difference between what a plan says and what a provider shows. */
export interface Difference {
  path: string
  expected: string
  found: string
  provider: string
}

/** Compares facts. What a provider cannot tell is not a difference. */
export function compareFacts(expected: Facts, found: Facts, provider: string): Difference[] {
  return [...expected].flatMap(([path, value]) => {
    const other = found.get(path) ?? unknownFact
    return other === value || other === unknownFact ? [] : [{ path, expected: value, found: other, provider }]
  })
}
