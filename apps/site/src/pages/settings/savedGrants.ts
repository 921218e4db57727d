import { encodeGrant, type Grant, parseGrant } from '@svc/protocol/internal/grants'

const key = 'svc-grants'

/** The grants that were opened in this browser. None of them holds a secret: only the key of the agent can use it. */
export function listGrants(): Grant[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(saved) ? saved.map(parseGrant) : []
  } catch {
    // What another version wrote is opened again from its file.
    return []
  }
}

export const isSameGrant = (one: Grant, other: Grant): boolean =>
  one.delegation.signature === other.delegation.signature

export const addGrant = (grant: Grant): void =>
  save([...listGrants().filter((each) => !isSameGrant(each, grant)), grant])

export const forgetGrant = (grant: Grant): void => save(listGrants().filter((each) => !isSameGrant(each, grant)))

function save(grants: readonly Grant[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(grants.map(encodeGrant)))
  } catch {
    // Then it is opened again next time.
  }
}
