/**
 * Requests under way. Node drops the abort signal of a request that nothing references any more, and its timeout would
 * never fire.
 */
export const activeRequests = new Set<Request>()
