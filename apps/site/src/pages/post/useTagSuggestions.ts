import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { useMarket } from '../../useMarket.ts'

/** The tags of the newest open tasks, the most used first. None while there is no index to search. */
export function useTagSuggestions(): readonly string[] {
  const market = useMarket()
  const { data } = useQuery({
    // Not a string, so that events of the market do not read them again.
    queryKey: [{ tagsOf: market }],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () => {
      const { body } = await api.searchTasks({ market, limit: 100 })
      const uses = Map.groupBy(
        body.tasks.flatMap(({ tags }) => tags),
        (tag) => tag,
      )
      return [...uses].sort(([, a], [, b]) => b.length - a.length).map(([tag]) => tag)
    },
  })
  return data ?? []
}
