import { ApiError, type ClientInput } from '@svc/client'
import type { OutputJson } from '@svc/operations'
import { useInfiniteQuery } from '@tanstack/react-query'
import { createApi, isSameSubject } from '../../api.ts'
import { learnBlockTime } from '../../chainClock.ts'
import { useLastOwnBlock } from '../../lastOwnBlock.ts'

type Body = OutputJson<'searchTasks'>
export type FoundTask = Body['tasks'][number]

/** Where a page begins. A cursor belongs to its search, so the place says whether the last word is the beginning of a word. */
interface Place {
  cursor: string | null
  isPrefix: boolean
}
type Page = Body & Pick<Place, 'isPrefix'>

const firstPlace: Place = { cursor: null, isPrefix: false }

const perPage = 50
/** A page can be empty and still have a next one. This many are read before the visitor must ask for more. */
const maxEmptyPages = 4

/** Searches tasks page by page. Typing on cancels the request of the words before. */
export function useSearch(input: ClientInput<'searchTasks'>, enabled: boolean) {
  const ownBlock = useLastOwnBlock()
  const found = useInfiniteQuery({
    queryKey: ['searchTasks', input, ownBlock],
    // With more than one page, an update would read all of them again and move what is being read.
    enabled: ({ state }) => enabled && (state.data?.pages.length ?? 0) <= 1,
    initialPageParam: firstPlace,
    queryFn: ({ pageParam, signal }) =>
      loadPage({ ...input, limit: perPage, ...(ownBlock > 0 && { minBlock: ownBlock }) }, pageParam, signal),
    getNextPageParam: ({ meta, isPrefix }: Page): Place | null =>
      meta.nextCursor === null ? null : { cursor: meta.nextCursor, isPrefix },
    placeholderData: (previous, query) => (isSameSubject(query?.queryKey[1], input) ? previous : undefined),
    retry: (count, error) =>
      count < 3 && !isWithoutIndex(error) && (!(error instanceof ApiError) || error.status >= 500),
    retryDelay: (count, error) => ((error instanceof ApiError && error.retryAfter) || 2 ** count) * 1000,
    refetchInterval: 15_000,
    staleTime: 2_000,
  })
  const pages = found.data?.pages
  const last = pages?.at(-1)
  return {
    body: pages &&
      last && {
        tasks: pages.flatMap(({ tasks }) => tasks),
        suggestion: last.suggestion,
        meta: last.meta,
      },
    error: found.error,
    isPending: found.isPending,
    isFetching: found.isFetching,
    /** Whether the tasks are those of the search before. */
    isBefore: found.isPlaceholderData,
    refetch: found.refetch,
    stale: pages?.some(({ meta }) => meta.stale) ?? false,
    hasMore: found.hasNextPage,
    isLoadingMore: found.isFetchingNextPage,
    loadMore: () => void found.fetchNextPage(),
  }
}

/** Whether an error says that there is no index to search. */
export const isWithoutIndex = (error: Error | null): boolean =>
  error instanceof ApiError && error.code === 'INDEX_REQUIRED'

/** Loads a page. If nothing has the words as they are, the last one may be typed in part: then it is searched as a beginning. */
async function loadPage(input: ClientInput<'searchTasks'>, place: Place, signal: AbortSignal): Promise<Page> {
  const found = await loadTasks(input, place, signal)
  if (found.tasks.length > 0 || place.cursor !== null || input.q === undefined || found.meta.nextCursor !== null)
    return found
  return await loadTasks(input, { cursor: null, isPrefix: true }, signal)
}

async function loadTasks(
  input: ClientInput<'searchTasks'>,
  { cursor, isPrefix }: Place,
  signal: AbortSignal,
): Promise<Page> {
  const api = createApi(signal)
  let next = cursor
  for (let page = 1; ; page++) {
    const { body } = await api.searchTasks({
      ...input,
      ...(isPrefix && { prefix: 'true' as const }),
      ...(next !== null && { cursor: next }),
    })
    learnBlockTime(body)
    if (body.tasks.length > 0 || body.meta.nextCursor === null || page === maxEmptyPages) return { ...body, isPrefix }
    next = body.meta.nextCursor
  }
}
