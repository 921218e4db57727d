import { usePerson } from '../usePerson.ts'
import { Avatar } from './Avatar.tsx'

/** The picture of a wallet, in the shape of what it says it is. */
export function Face({ of, size }: { of: string; size: number }) {
  const person = usePerson(of)
  return <Avatar of={of} size={size} isAgent={person?.kind === 'agent'} picture={person?.picture} />
}
