import type { TaskDetailJson } from '@svc/client'
import type { PublishedStatement } from '@svc/work'
import { getAddress, isHex } from 'viem'

/** The key statement that the poster published with a task. The store cannot hide it. */
export function findPublished({ poster, text }: Pick<TaskDetailJson, 'poster' | 'text'>): PublishedStatement | null {
  const { message, signature } = text?.statement ?? {}
  if (message === undefined || !isHex(signature)) return null
  return { wallet: getAddress(poster), statement: { message, signature } }
}
