import { expect, test } from 'vitest'
import { createTimelineFinder } from './findTimeline.ts'

test('asks the API for the blocks of a task, and for how far it has read', async () => {
  const asked: string[] = []
  const fetch = async ({ url }: Request) => {
    asked.push(url)
    const timeline = [{ blockNumber: 5 }, { blockNumber: 9 }]
    return Response.json({ task: { timeline }, meta: { block: { number: 12 } } })
  }
  const findTimeline = createTimelineFinder({ baseUrl: 'https://market.example/', fetch })
  expect(await findTimeline('micro', 33n)).toEqual({ blocks: [5n, 9n], upTo: 12n })
  expect(asked).toEqual(['https://market.example/api/market/task?id=v2%3Amicro%3A33'])
})
