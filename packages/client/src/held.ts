/** Requests under way. Node forgets the signal of a request that nobody holds any more: its timeout would never come. */
export const held = new Set<Request>()
