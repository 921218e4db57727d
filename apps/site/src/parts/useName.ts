import type { Market } from '@svc/protocol'
import { sanitizeText } from '@svc/protocol'
import { useApi } from '../api.ts'

/** What a wallet calls itself; undefined without a name, or until it is known. It is a stranger's text. */
export function useName(address: string | undefined, market: Market): string | undefined {
  const { body } = useApi('getProfile', { address: address ?? '', market }, address !== undefined)
  const name = body?.selfDeclared?.profile.displayName
  return name === undefined ? undefined : sanitizeText(name)
}
